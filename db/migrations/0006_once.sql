-- 0006_once - passwords that are good for one login, dishes described in English, and less work for each booking.

-- 1: printed by jari, good for one thing only: choosing another.
ALTER TABLE users ADD COLUMN password_once INTEGER NOT NULL DEFAULT 0 CHECK (password_once = 0 OR password_once = 1);

ALTER TABLE menus ADD COLUMN description_en TEXT CHECK (length(description_en) <= 200);
DROP TRIGGER menus_audit;
CREATE TRIGGER menus_audit AFTER UPDATE OF name, name_en, description, description_en, price, is_deleted ON menus
WHEN (NEW.name, NEW.name_en, NEW.description, NEW.description_en, NEW.price, NEW.is_deleted) IS NOT
     (OLD.name, OLD.name_en, OLD.description, OLD.description_en, OLD.price, OLD.is_deleted)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'menu',
    NEW.menu_id, 'changed', printf('%s, %d%s', OLD.name, OLD.price, CASE OLD.is_deleted WHEN 1 THEN ', off the menu' ELSE '' END),
    printf('%s, %d%s', NEW.name, NEW.price, CASE NEW.is_deleted WHEN 1 THEN ', off the menu' ELSE '' END));
END;

-- A person in a slot, and a person's history: an entry for every reservation there ever was, so it is short.  What is still to
-- come needs the time as well, but only of those that are active; in one index with the others, a million old rows made it
-- three times as large, and every booking had a page of its own to write.
DROP INDEX reservations_person;
CREATE UNIQUE INDEX reservations_person ON reservations (user_id, slot_id, is_active);
CREATE INDEX reservations_standing ON reservations (user_id, starts_at) WHERE is_active = 1;

-- SQLite runs a program for each trigger of an insert, with memory for all of it, even if only to find that its WHEN is
-- false.  So what every reservation needs is one trigger, and what few of them need hangs on a view, which is written to
-- only when they do.
DROP TRIGGER reservations_audit_insert;
DROP TRIGGER reservations_fit_insert;
DROP TRIGGER reservations_table_insert;
DROP TRIGGER reservations_place;
DROP TRIGGER reservations_present_insert;
CREATE VIEW reservations_to_place AS SELECT reservation_id, slot_id, user_id, party_size, is_active, table_id, restaurant_id, guest_name,
  starts_at, sitting_minutes, ends_at FROM reservations WHERE 0;
CREATE VIEW reservations_new AS SELECT * FROM reservations_to_place;
CREATE TRIGGER reservations_insert AFTER INSERT ON reservations
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, ticket)
  VALUES (NEW.created_at, NEW.changed_by, 'reservation', NEW.reservation_id, 'created', NULL, NEW.status, NEW.ticket);
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE NEW.is_active = 1 AND
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'TEMPORARY') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'CONFIRMED') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'PREPAY_CONFIRM') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'REFUND_PENDING') >
    (SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id);
  INSERT INTO reservations_new VALUES (NEW.reservation_id, NEW.slot_id, NEW.user_id, NEW.party_size, NEW.is_active, NEW.table_id,
    NEW.restaurant_id, NEW.guest_name, NEW.starts_at, NEW.sitting_minutes, NEW.ends_at);
END;
-- A view between the two asks: INSERT ... SELECT ... WHERE into a view would make a temporary table for each reservation.
CREATE TRIGGER reservations_new_place INSTEAD OF INSERT ON reservations_new
WHEN NEW.ends_at IS NULL OR NEW.starts_at IS NULL OR NEW.sitting_minutes IS NULL OR NEW.restaurant_id IS NULL OR NEW.guest_name IS NULL OR
     (NEW.is_active = 1 AND (NEW.table_id IS NOT NULL OR EXISTS (SELECT 1 FROM restaurants r WHERE r.restaurant_id = NEW.restaurant_id
       AND (r.seats > 0 OR r.sitting_minutes > r.slot_minutes OR r.sitting_large_minutes > r.slot_minutes))))
BEGIN
  INSERT INTO reservations_to_place VALUES (NEW.reservation_id, NEW.slot_id, NEW.user_id, NEW.party_size, NEW.is_active, NEW.table_id,
    NEW.restaurant_id, NEW.guest_name, NEW.starts_at, NEW.sitting_minutes, NEW.ends_at);
END;
CREATE TRIGGER reservations_place INSTEAD OF INSERT ON reservations_to_place
BEGIN
  -- Inserted at the shell, which knows the slot: the rest is looked up.  The triggers for updates see to tables and people then.
  UPDATE reservations SET guest_name = ifnull(NEW.guest_name, (SELECT u.name FROM users u WHERE u.user_id = NEW.user_id)),
    (restaurant_id, starts_at, sitting_minutes, ends_at) =
      (SELECT r.restaurant_id, s.starts_at, p.minutes, ifnull(NEW.ends_at, strftime('%Y-%m-%dT%H:%M:%SZ', s.starts_at, p.minutes || ' minutes'))
         FROM restaurant_reservation_slots s JOIN restaurants r USING (restaurant_id) JOIN sittings p ON p.restaurant_id = r.restaurant_id
          AND NEW.party_size BETWEEN p.party_from AND p.party_to
        WHERE s.slot_id = NEW.slot_id)
   WHERE reservation_id = NEW.reservation_id AND (NEW.ends_at IS NULL OR NEW.starts_at IS NULL OR NEW.sitting_minutes IS NULL OR
         NEW.restaurant_id IS NULL OR NEW.guest_name IS NULL);
  -- Its first table; the others of a set follow, in the same transaction.
  INSERT INTO reservation_tables SELECT NEW.reservation_id, NEW.table_id, NEW.starts_at, NEW.ends_at
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.ends_at IS NOT NULL;
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is too small')
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.ends_at IS NOT NULL AND NEW.party_size > max(
    (SELECT seats_max FROM dining_tables WHERE table_id = NEW.table_id),
    ifnull((SELECT max(s.seats_max) FROM table_sets s JOIN table_set_members m USING (set_id)
             WHERE m.table_id = NEW.table_id AND s.is_deleted = 0), 0));
  SELECT RAISE(ABORT, 'SLOT_FULL: more people would be present than there are seats')
    FROM restaurants r JOIN restaurant_reservation_slots t ON t.restaurant_id = r.restaurant_id
   WHERE NEW.is_active = 1 AND NEW.ends_at IS NOT NULL AND r.restaurant_id = NEW.restaurant_id
     AND (r.seats > 0 OR r.sitting_minutes > r.slot_minutes OR r.sitting_large_minutes > r.slot_minutes)
     AND t.starts_at >= NEW.starts_at AND t.starts_at < NEW.ends_at
     AND t.slot_date BETWEEN date(NEW.starts_at, '-1 day') AND date(NEW.ends_at, '+1 day')
     AND (SELECT sum(v.party_size) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id
           AND v.status IN ('TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM', 'REFUND_PENDING')
           WHERE s.restaurant_id = r.restaurant_id AND s.slot_date BETWEEN date(t.slot_date, '-1 day') AND t.slot_date
             AND s.starts_at <= t.starts_at AND v.ends_at > t.starts_at)
         > CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END;
END;

-- The same for the guard against REPLACE, which only the shell needs.
DROP TRIGGER reservations_no_replace;
CREATE VIEW reservations_by_shell AS SELECT reservation_id, reservation_code, ticket, user_id, slot_id, status, idempotency_key
  FROM reservations WHERE 0;
CREATE TRIGGER reservations_no_replace BEFORE INSERT ON reservations WHEN NEW.changed_by = 'shell'
BEGIN
  INSERT INTO reservations_by_shell VALUES (NEW.reservation_id, NEW.reservation_code, NEW.ticket, NEW.user_id, NEW.slot_id, NEW.status,
    NEW.idempotency_key);
END;
CREATE TRIGGER reservations_replaced INSTEAD OF INSERT ON reservations_by_shell
BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM reservations WHERE reservation_id = NEW.reservation_id)
      THEN RAISE(ABORT, 'NEVER_DELETED: the book keeps every row')
    WHEN EXISTS (SELECT 1 FROM reservations WHERE reservation_code = NEW.reservation_code)
      THEN RAISE(ABORT, 'CODE_TAKEN: another reservation has this code')
    WHEN NEW.ticket IS NOT NULL AND EXISTS (SELECT 1 FROM reservations WHERE ticket = NEW.ticket)
      THEN RAISE(ABORT, 'NEVER_DELETED: the book keeps every row')
    WHEN NEW.idempotency_key IS NOT NULL AND EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id
         AND idempotency_key = NEW.idempotency_key AND idempotency_key IS NOT NULL)
      THEN RAISE(ABORT, 'KEY_REUSED: this key was used for another reservation')
    WHEN (NEW.status = 'TEMPORARY' OR NEW.status = 'CONFIRMED' OR NEW.status = 'PREPAY_CONFIRM' OR NEW.status = 'REFUND_PENDING') AND
         EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id AND slot_id = NEW.slot_id AND is_active = 1)
      THEN RAISE(ABORT, 'DUPLICATE: this person has an active reservation in this slot')
  END;
END;
