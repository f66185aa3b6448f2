-- 0007_desk - what staff do in an evening: who came, sat and left, notes, and how each act is undone.

ALTER TABLE reservations ADD COLUMN note       TEXT CHECK (length(note) <= 200); -- the desk's own, never shown to the guest
ALTER TABLE reservations ADD COLUMN arrived_at TEXT;
ALTER TABLE reservations ADD COLUMN seated_at  TEXT;
ALTER TABLE reservations ADD COLUMN left_at    TEXT;
-- What was written stays out of the audit, which nobody can erase.
CREATE TRIGGER reservations_audit_note AFTER UPDATE OF note, guest_name ON reservations
WHEN (NEW.note, NEW.guest_name) IS NOT (OLD.note, OLD.guest_name) AND OLD.guest_name IS NOT NULL
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, ticket)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END,
          CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END, 'reservation', NEW.reservation_id, 'note',
          NULL, CASE WHEN NEW.note IS OLD.note THEN 'another name' ELSE 'another note' END,
          CASE WHEN NEW.version = OLD.version THEN NULL ELSE NEW.changed_ticket END);
END;

-- Guests are forgotten so long after they last came.
ALTER TABLE restaurants ADD COLUMN retention_months INTEGER NOT NULL DEFAULT 0 CHECK (retention_months BETWEEN 0 AND 240);

-- When a password that jari made up stops being good for choosing another.
ALTER TABLE users ADD COLUMN password_until TEXT
  CHECK (password_until IS strftime('%Y-%m-%dT%H:%M:%SZ', password_until, '+0 days'));

ALTER TABLE menus ADD COLUMN sold_out INTEGER NOT NULL DEFAULT 0 CHECK (sold_out = 0 OR sold_out = 1);
-- Where a table stands on the floor plan, in hundredths of its width and height.
ALTER TABLE dining_tables ADD COLUMN x INTEGER CHECK (x BETWEEN 0 AND 100);
ALTER TABLE dining_tables ADD COLUMN y INTEGER CHECK (y BETWEEN 0 AND 100);

-- A cancellation that was taken back.
ALTER TABLE reservation_cancellations ADD COLUMN undone_at TEXT;

-- Every act of the desk, with what the reservation was before, so that it can be undone.
CREATE TABLE desk_acts (
  act_id         INTEGER PRIMARY KEY,
  reservation_id INTEGER NOT NULL REFERENCES reservations,
  act            TEXT    NOT NULL CHECK (length(act) BETWEEN 1 AND 20),
  actor          TEXT    NOT NULL,
  at             TEXT    NOT NULL,
  before         TEXT    NOT NULL,      -- as JSON
  version_after  INTEGER,               -- of the reservation; an act can be undone while nothing has come after it
  undone_at      TEXT
) STRICT;
CREATE INDEX desk_acts_of ON desk_acts (reservation_id, act_id);
CREATE TRIGGER desk_acts_stay BEFORE DELETE ON desk_acts BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER desk_acts_no_replace BEFORE INSERT ON desk_acts WHEN EXISTS (SELECT 1 FROM desk_acts WHERE act_id = NEW.act_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;

-- The desk, which raises the version, may take back what it said, if the seats are still there: the triggers that count
-- them see to that.
DROP TRIGGER reservations_life;
CREATE TRIGGER reservations_life BEFORE UPDATE OF status ON reservations
WHEN NEW.status <> OLD.status AND OLD.status || '>' || NEW.status NOT IN (
  'TEMPORARY>CONFIRMED', 'TEMPORARY>PREPAY_CONFIRM', 'TEMPORARY>EXPIRED', 'TEMPORARY>CANCELED',
  'CONFIRMED>COMPLETED', 'CONFIRMED>NO_SHOW', 'CONFIRMED>CANCELED', 'CONFIRMED>REFUND_PENDING',
  'PREPAY_CONFIRM>COMPLETED', 'PREPAY_CONFIRM>NO_SHOW', 'PREPAY_CONFIRM>CANCELED', 'PREPAY_CONFIRM>REFUND_PENDING',
  'REFUND_PENDING>REFUNDED', 'REFUND_PENDING>CANCELED',
  'EXPIRED>CONFIRMED', 'EXPIRED>PREPAY_CONFIRM') AND NOT (NEW.version <> OLD.version AND OLD.status || '>' || NEW.status IN (
  'COMPLETED>CONFIRMED', 'COMPLETED>PREPAY_CONFIRM', 'NO_SHOW>CONFIRMED', 'NO_SHOW>PREPAY_CONFIRM',
  'CANCELED>TEMPORARY', 'CANCELED>CONFIRMED', 'CANCELED>PREPAY_CONFIRM'))
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a reservation cannot go from its status to that one');
END;

-- Who changes hours, settings, tables and the menu stands here while jari writes for them; at the shell nobody does.
CREATE TABLE writing (one INTEGER PRIMARY KEY CHECK (one = 1), actor TEXT NOT NULL) STRICT;
DROP TRIGGER restaurants_audit;
CREATE TRIGGER restaurants_audit AFTER UPDATE ON restaurants
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant', NEW.restaurant_id, setting, was, now FROM (
    SELECT 'name' AS setting, OLD.name AS was, NEW.name AS now UNION ALL VALUES
    ('name_en', OLD.name_en, NEW.name_en),
    ('phone', OLD.phone, NEW.phone),
    ('address', OLD.address, NEW.address),
    ('address_en', OLD.address_en, NEW.address_en),
    ('timezone', OLD.timezone, NEW.timezone),
    ('currency', OLD.currency, NEW.currency),
    ('reservation_limit', OLD.reservation_limit, NEW.reservation_limit),
    ('slot_minutes', OLD.slot_minutes, NEW.slot_minutes),
    ('seats', OLD.seats, NEW.seats),
    ('sitting_minutes', OLD.sitting_minutes, NEW.sitting_minutes),
    ('sitting_large_from', OLD.sitting_large_from, NEW.sitting_large_from),
    ('sitting_large_minutes', OLD.sitting_large_minutes, NEW.sitting_large_minutes),
    ('hold_seconds', OLD.hold_seconds, NEW.hold_seconds),
    ('party_min', OLD.party_min, NEW.party_min),
    ('party_max', OLD.party_max, NEW.party_max),
    ('lead_minutes', OLD.lead_minutes, NEW.lead_minutes),
    ('window_days', OLD.window_days, NEW.window_days),
    ('deposit_per_person', OLD.deposit_per_person, NEW.deposit_per_person),
    ('deposit_large_from', OLD.deposit_large_from, NEW.deposit_large_from),
    ('deposit_large_per_person', OLD.deposit_large_per_person, NEW.deposit_large_per_person),
    ('refund_day_before_pct', OLD.refund_day_before_pct, NEW.refund_day_before_pct),
    ('refund_same_day_pct', OLD.refund_same_day_pct, NEW.refund_same_day_pct),
    ('refund_cutoff_minutes', OLD.refund_cutoff_minutes, NEW.refund_cutoff_minutes),
    ('refund_late_pct', OLD.refund_late_pct, NEW.refund_late_pct),
    ('refund_large_from', OLD.refund_large_from, NEW.refund_large_from),
    ('refund_late_large_pct', OLD.refund_late_large_pct, NEW.refund_late_large_pct),
    ('rate_limit_per_sec', OLD.rate_limit_per_sec, NEW.rate_limit_per_sec),
    ('calling_code', OLD.calling_code, NEW.calling_code),
    ('holds_per_guest', OLD.holds_per_guest, NEW.holds_per_guest),
    ('upcoming_per_guest', OLD.upcoming_per_guest, NEW.upcoming_per_guest),
    ('retention_months', OLD.retention_months, NEW.retention_months),
    ('wait_ms', OLD.wait_ms, NEW.wait_ms),
    ('user_lock_ms', OLD.user_lock_ms, NEW.user_lock_ms),
    ('paused_until', OLD.paused_until, NEW.paused_until),
    ('payment_text', OLD.payment_text, NEW.payment_text))
   WHERE was IS NOT now;
END;
DROP TRIGGER hours_audit_insert;
CREATE TRIGGER hours_audit_insert AFTER INSERT ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'hours', printf('%d %s-%s', NEW.weekday, NEW.opens, NEW.closes));
END;
DROP TRIGGER hours_audit_delete;
CREATE TRIGGER hours_audit_delete AFTER DELETE ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    OLD.restaurant_id, 'hours', printf('%d %s-%s', OLD.weekday, OLD.opens, OLD.closes));
END;
DROP TRIGGER hours_audit_update;
CREATE TRIGGER hours_audit_update AFTER UPDATE ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'hours', printf('%d %s-%s', OLD.weekday, OLD.opens, OLD.closes), printf('%d %s-%s', NEW.weekday, NEW.opens, NEW.closes));
END;
DROP TRIGGER special_days_audit_insert;
CREATE TRIGGER special_days_audit_insert AFTER INSERT ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'special_day', NEW.day || CASE WHEN NEW.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', NEW.opens, NEW.closes) END);
END;
DROP TRIGGER special_days_audit_delete;
CREATE TRIGGER special_days_audit_delete AFTER DELETE ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    OLD.restaurant_id, 'special_day', OLD.day || CASE WHEN OLD.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', OLD.opens, OLD.closes) END);
END;
DROP TRIGGER special_days_audit_update;
CREATE TRIGGER special_days_audit_update AFTER UPDATE ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'special_day', OLD.day || CASE WHEN OLD.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', OLD.opens, OLD.closes) END,
    NEW.day || CASE WHEN NEW.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', NEW.opens, NEW.closes) END);
END;
DROP TRIGGER tables_audit;
CREATE TRIGGER tables_audit AFTER UPDATE ON dining_tables
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'table',
    NEW.table_id, 'changed', printf('%s, %d to %d%s', OLD.name, OLD.seats_min, OLD.seats_max, CASE OLD.is_deleted WHEN 1 THEN ', gone' ELSE '' END),
    printf('%s, %d to %d%s', NEW.name, NEW.seats_min, NEW.seats_max, CASE NEW.is_deleted WHEN 1 THEN ', gone' ELSE '' END));
END;
DROP TRIGGER menus_audit;
CREATE TRIGGER menus_audit AFTER UPDATE OF name, name_en, description, description_en, price, is_deleted ON menus
WHEN (NEW.name, NEW.name_en, NEW.description, NEW.description_en, NEW.price, NEW.is_deleted) IS NOT
     (OLD.name, OLD.name_en, OLD.description, OLD.description_en, OLD.price, OLD.is_deleted)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'menu',
    NEW.menu_id, 'changed', printf('%s, %d%s', OLD.name, OLD.price, CASE OLD.is_deleted WHEN 1 THEN ', off the menu' ELSE '' END),
    printf('%s, %d%s', NEW.name, NEW.price, CASE NEW.is_deleted WHEN 1 THEN ', off the menu' ELSE '' END));
END;
