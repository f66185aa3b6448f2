-- 0002_tickets - the audit tells what each ticket did.
--
-- A process may die between its commit and telling anybody.  The next one then asks the book what a
-- ticket has done.  Until now each kind of ticket was looked up in its own way; from here on the audit
-- row of a change carries the ticket that made it, whatever was changed.

DROP TRIGGER reservations_audit_insert;
CREATE TRIGGER reservations_audit_insert AFTER INSERT ON reservations
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, ticket)
  VALUES (NEW.created_at, NEW.changed_by, 'reservation', NEW.reservation_id, 'created', NULL, NEW.status, NEW.ticket);
END;

DROP TRIGGER reservations_audit_change;
CREATE TRIGGER reservations_audit_change AFTER UPDATE OF party_size, slot_id, table_id, visit_status, user_id, total_amount
ON reservations
WHEN (NEW.party_size, NEW.slot_id, NEW.table_id, NEW.visit_status, NEW.user_id, NEW.total_amount)
  IS NOT (OLD.party_size, OLD.slot_id, OLD.table_id, OLD.visit_status, OLD.user_id, OLD.total_amount)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, ticket)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END,
          CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END,
          'reservation', NEW.reservation_id, 'details',
          printf('party %d, slot %d, table %s, %s, user %d, total %d', OLD.party_size, OLD.slot_id,
                 ifnull(OLD.table_id, '-'), OLD.visit_status, OLD.user_id, OLD.total_amount),
          printf('party %d, slot %d, table %s, %s, user %d, total %d', NEW.party_size, NEW.slot_id,
                 ifnull(NEW.table_id, '-'), NEW.visit_status, NEW.user_id, NEW.total_amount),
          CASE WHEN NEW.version = OLD.version THEN NULL ELSE NEW.changed_ticket END);
END;

-- What is in the book already says its ticket as well.  The audit is only ever added to, so its guard
-- steps aside for this one statement.
DROP TRIGGER audit_is_ink;
UPDATE audit SET ticket = (SELECT v.ticket FROM reservations v WHERE v.reservation_id = audit.entity_id)
 WHERE entity = 'reservation' AND change = 'created' AND ticket IS NULL;
CREATE TRIGGER audit_is_ink      BEFORE UPDATE ON audit        BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
INSERT INTO audit (at, actor, entity, entity_id, change, to_value, ticket)
SELECT created_at, 'user:' || user_id, 'user', user_id, 'created', user_type, ticket FROM users
 WHERE ticket IS NOT NULL ORDER BY ticket;
CREATE INDEX audit_ticket ON audit (ticket) WHERE ticket IS NOT NULL;

-- One index serves both questions: is this guest in this slot already, and which reservations does this
-- guest have?  is_active is 1 or NULL, and NULLs never collide, so released reservations may repeat.
DROP INDEX reservations_user;
DROP INDEX reservations_one_active;
CREATE UNIQUE INDEX reservations_one_active ON reservations (user_id, slot_id, is_active);

-- An import adds people in the thousands, and for each of them SQLite looks for children of the new row.
CREATE INDEX waitlist_user ON waitlist (user_id);
CREATE INDEX outbox_user ON outbox (user_id);
