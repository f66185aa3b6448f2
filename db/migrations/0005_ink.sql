-- 0005_ink - nothing vanishes, and everything that changes is written down.
--
-- INSERT OR REPLACE and UPDATE OR REPLACE delete rows without asking the triggers that refuse deleting, by whichever unique
-- index they collide with.  So every table that keeps its rows asks before each insert, and before each change of what is
-- unique.  Payments and settings get audit rows like reservations.

-- ---- nothing is replaced ----

-- Who writes it stands in changed_by, and 'shell' is what it says unless told otherwise.  jari itself never replaces, and
-- the unique indexes tell it no; to ask for everything twice would cost it a twentieth of each booking.
DROP TRIGGER reservations_no_replace;
CREATE TRIGGER reservations_no_replace BEFORE INSERT ON reservations WHEN NEW.changed_by = 'shell'
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
         EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id AND is_active = 1 AND slot_id = NEW.slot_id AND starts_at =
           (SELECT starts_at FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id))
      THEN RAISE(ABORT, 'DUPLICATE: this person has an active reservation in this slot')
  END;
END;
CREATE TRIGGER reservations_no_replace_update BEFORE UPDATE OF reservation_id, reservation_code, ticket, idempotency_key, user_id, slot_id, status
ON reservations
WHEN (NEW.reservation_id, NEW.reservation_code, NEW.ticket, NEW.idempotency_key, NEW.user_id, NEW.slot_id) IS NOT
     (OLD.reservation_id, OLD.reservation_code, OLD.ticket, OLD.idempotency_key, OLD.user_id, OLD.slot_id) OR OLD.is_active IS NULL
BEGIN
  SELECT CASE
    WHEN NEW.reservation_id <> OLD.reservation_id
      THEN RAISE(ABORT, 'NEVER_DELETED: a reservation keeps its number')
    WHEN NEW.reservation_code <> OLD.reservation_code AND EXISTS (SELECT 1 FROM reservations WHERE reservation_code = NEW.reservation_code)
      THEN RAISE(ABORT, 'CODE_TAKEN: another reservation has this code')
    WHEN NEW.ticket IS NOT OLD.ticket AND EXISTS (SELECT 1 FROM reservations WHERE ticket = NEW.ticket)
      THEN RAISE(ABORT, 'NEVER_DELETED: the book keeps every row')
    WHEN EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id AND idempotency_key = NEW.idempotency_key
         AND idempotency_key IS NOT NULL AND reservation_id <> OLD.reservation_id)
      THEN RAISE(ABORT, 'KEY_REUSED: this key was used for another reservation')
    WHEN (NEW.status = 'TEMPORARY' OR NEW.status = 'CONFIRMED' OR NEW.status = 'PREPAY_CONFIRM' OR NEW.status = 'REFUND_PENDING') AND
         EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id AND is_active = 1 AND slot_id = NEW.slot_id AND starts_at =
           (SELECT starts_at FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id) AND reservation_id <> OLD.reservation_id)
      THEN RAISE(ABORT, 'DUPLICATE: this person has an active reservation in this slot')
  END;
END;

CREATE TRIGGER users_stay BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER users_no_replace BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM users WHERE user_id = NEW.user_id) OR
     (NEW.ticket IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE ticket = NEW.ticket)) OR
     (NEW.phone_key IS NOT NULL AND NEW.phone_of IS NULL AND EXISTS (SELECT 1 FROM users WHERE phone_key = NEW.phone_key AND phone_of IS NULL
       AND phone_key IS NOT NULL)) OR
     (NEW.user_type <> 'GUEST' AND NEW.email IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE lower(email) = lower(NEW.email)
       AND user_type <> 'GUEST' AND email IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'DUPLICATE: somebody has this number, address or place already'); END;
CREATE TRIGGER users_no_replace_update BEFORE UPDATE OF user_id, user_type, ticket, phone_key, phone_of, email ON users
BEGIN
  SELECT RAISE(ABORT, 'NEVER_DELETED: a user keeps their number') WHERE NEW.user_id <> OLD.user_id;
  SELECT RAISE(ABORT, 'DUPLICATE: somebody has this number, address or place already') WHERE
     (NEW.ticket IS NOT OLD.ticket AND EXISTS (SELECT 1 FROM users WHERE ticket = NEW.ticket)) OR
     (NEW.phone_key IS NOT NULL AND NEW.phone_of IS NULL AND EXISTS (SELECT 1 FROM users WHERE phone_key = NEW.phone_key AND phone_of IS NULL
       AND phone_key IS NOT NULL AND user_id <> OLD.user_id)) OR
     (NEW.user_type <> 'GUEST' AND NEW.email IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE lower(email) = lower(NEW.email)
       AND user_type <> 'GUEST' AND email IS NOT NULL AND user_id <> OLD.user_id));
END;

-- A slot stays where it is: the reservations in it were made for that date and time.
CREATE TRIGGER slots_stay BEFORE DELETE ON restaurant_reservation_slots BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER slots_no_replace BEFORE INSERT ON restaurant_reservation_slots
BEGIN
  SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row') WHERE EXISTS
    (SELECT 1 FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id);
  -- INSERT OR IGNORE is how one makes sure at the shell that a slot is there.
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM restaurant_reservation_slots WHERE restaurant_id = NEW.restaurant_id
    AND slot_date = NEW.slot_date AND slot_time = NEW.slot_time);
END;
CREATE TRIGGER slots_stay_put BEFORE UPDATE OF slot_id, restaurant_id, slot_date, slot_time, starts_at ON restaurant_reservation_slots
WHEN (NEW.slot_id, NEW.restaurant_id, NEW.slot_date, NEW.slot_time) IS NOT (OLD.slot_id, OLD.restaurant_id, OLD.slot_date, OLD.slot_time) OR
     (OLD.starts_at IS NOT NULL AND NEW.starts_at IS NOT OLD.starts_at)
BEGIN SELECT RAISE(ABORT, 'BAD_MOVE: a slot keeps its date and time; move the reservations instead'); END;

-- What was ordered is written once.
CREATE TRIGGER items_stay BEFORE DELETE ON reservation_menu_items BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER items_no_replace BEFORE INSERT ON reservation_menu_items
WHEN EXISTS (SELECT 1 FROM reservation_menu_items WHERE reservation_id = NEW.reservation_id AND menu_id = NEW.menu_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER items_are_ink BEFORE UPDATE ON reservation_menu_items BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: what was ordered is not rewritten'); END;

CREATE TRIGGER cancellations_stay BEFORE DELETE ON reservation_cancellations BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER cancellations_no_replace BEFORE INSERT ON reservation_cancellations
WHEN EXISTS (SELECT 1 FROM reservation_cancellations WHERE cancellation_id = NEW.cancellation_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER payment_events_stay BEFORE DELETE ON payment_events BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER payment_events_no_replace BEFORE INSERT ON payment_events
WHEN EXISTS (SELECT 1 FROM payment_events WHERE provider = NEW.provider AND event_id = NEW.event_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER restaurants_stay BEFORE DELETE ON restaurants BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER restaurants_no_replace BEFORE INSERT ON restaurants
WHEN EXISTS (SELECT 1 FROM restaurants WHERE restaurant_id = NEW.restaurant_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER menus_no_replace BEFORE INSERT ON menus WHEN EXISTS (SELECT 1 FROM menus WHERE menu_id = NEW.menu_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER tables_no_replace BEFORE INSERT ON dining_tables
WHEN EXISTS (SELECT 1 FROM dining_tables WHERE table_id = NEW.table_id OR (restaurant_id = NEW.restaurant_id AND name = NEW.name))
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: there is a table of this name already'); END;

-- ---- money ----

ALTER TABLE payments ADD COLUMN version INTEGER NOT NULL DEFAULT 1;          -- raised by jari with every change
ALTER TABLE payments ADD COLUMN changed_by TEXT NOT NULL DEFAULT 'shell';    -- who made the last change

DROP TRIGGER payments_no_replace;
CREATE TRIGGER payments_no_replace BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE payment_id = NEW.payment_id) OR (NEW.provider_payment_id IS NOT NULL AND
     EXISTS (SELECT 1 FROM payments WHERE provider = NEW.provider AND provider_payment_id = NEW.provider_payment_id
       AND provider_payment_id IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
-- Whose money it is and how much came in does not change; and money that came in is kept, given back or due back for ever.
CREATE TRIGGER payments_life BEFORE UPDATE ON payments
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a payment keeps its number, its reservation and its provider') WHERE
    (NEW.payment_id, NEW.reservation_id, NEW.provider) IS NOT (OLD.payment_id, OLD.reservation_id, OLD.provider);
  SELECT RAISE(ABORT, 'BAD_MOVE: money that came in stays accounted for') WHERE OLD.status NOT IN ('READY', 'FAILED') AND
    (NEW.status IN ('READY', 'FAILED') OR (NEW.amount, NEW.currency, NEW.paid_at) IS NOT (OLD.amount, OLD.currency, OLD.paid_at)
      OR NEW.refunded_amount < OLD.refunded_amount);
  SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row') WHERE NEW.provider_payment_id IS NOT OLD.provider_payment_id AND
    EXISTS (SELECT 1 FROM payments WHERE provider = NEW.provider AND provider_payment_id = NEW.provider_payment_id);
END;
CREATE VIEW payment_words AS
SELECT payment_id, printf('%s, reservation %d, %d in, %d kept, %d returned, %d due back', status, reservation_id, amount, kept_amount,
       refunded_amount, due_back_amount) AS words FROM payments;
CREATE TRIGGER payments_audit_insert AFTER INSERT ON payments
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value)
  SELECT NEW.created_at, NEW.changed_by, 'payment', NEW.payment_id, 'created', words FROM payment_words WHERE payment_id = NEW.payment_id;
END;
CREATE TRIGGER payments_audit_change AFTER UPDATE OF status, amount, kept_amount, refunded_amount, due_back_amount ON payments
WHEN (NEW.status, NEW.amount, NEW.kept_amount, NEW.refunded_amount, NEW.due_back_amount) IS NOT
     (OLD.status, OLD.amount, OLD.kept_amount, OLD.refunded_amount, OLD.due_back_amount)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END, 'payment',
         NEW.payment_id, 'changed', printf('%s, reservation %d, %d in, %d kept, %d returned, %d due back', OLD.status, OLD.reservation_id,
         OLD.amount, OLD.kept_amount, OLD.refunded_amount, OLD.due_back_amount), words
    FROM payment_words WHERE payment_id = NEW.payment_id;
END;
INSERT INTO audit (at, actor, entity, entity_id, change, to_value)
SELECT created_at, 'upgrade', 'payment', payment_id, 'created', words FROM payments JOIN payment_words USING (payment_id) ORDER BY payment_id;

-- ---- settings ----

CREATE TRIGGER restaurants_audit AFTER UPDATE ON restaurants
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'restaurant', NEW.restaurant_id, setting, was, now FROM (
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
    ('wait_ms', OLD.wait_ms, NEW.wait_ms),
    ('user_lock_ms', OLD.user_lock_ms, NEW.user_lock_ms),
    ('paused_until', OLD.paused_until, NEW.paused_until),
    ('payment_text', OLD.payment_text, NEW.payment_text))
   WHERE was IS NOT now;
END;
CREATE TRIGGER hours_audit_insert AFTER INSERT ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'restaurant',
    NEW.restaurant_id, 'hours', printf('%d %s-%s', NEW.weekday, NEW.opens, NEW.closes));
END;
CREATE TRIGGER hours_audit_delete AFTER DELETE ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'restaurant',
    OLD.restaurant_id, 'hours', printf('%d %s-%s', OLD.weekday, OLD.opens, OLD.closes));
END;
CREATE TRIGGER hours_audit_update AFTER UPDATE ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'restaurant',
    NEW.restaurant_id, 'hours', printf('%d %s-%s', OLD.weekday, OLD.opens, OLD.closes), printf('%d %s-%s', NEW.weekday, NEW.opens, NEW.closes));
END;
CREATE TRIGGER special_days_audit_insert AFTER INSERT ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'restaurant',
    NEW.restaurant_id, 'special_day', NEW.day || CASE WHEN NEW.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', NEW.opens, NEW.closes) END);
END;
CREATE TRIGGER special_days_audit_delete AFTER DELETE ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'restaurant',
    OLD.restaurant_id, 'special_day', OLD.day || CASE WHEN OLD.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', OLD.opens, OLD.closes) END);
END;
CREATE TRIGGER special_days_audit_update AFTER UPDATE ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'restaurant',
    NEW.restaurant_id, 'special_day', OLD.day || CASE WHEN OLD.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', OLD.opens, OLD.closes) END,
    NEW.day || CASE WHEN NEW.opens IS NULL THEN ' closed' ELSE printf(' %s-%s', NEW.opens, NEW.closes) END);
END;
CREATE TRIGGER menus_audit AFTER UPDATE OF name, name_en, price, is_deleted ON menus
WHEN (NEW.name, NEW.name_en, NEW.price, NEW.is_deleted) IS NOT (OLD.name, OLD.name_en, OLD.price, OLD.is_deleted)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'menu',
    NEW.menu_id, 'changed', printf('%s, %d%s', OLD.name, OLD.price, CASE OLD.is_deleted WHEN 1 THEN ', off the menu' ELSE '' END),
    printf('%s, %d%s', NEW.name, NEW.price, CASE NEW.is_deleted WHEN 1 THEN ', off the menu' ELSE '' END));
END;
CREATE TRIGGER tables_audit AFTER UPDATE ON dining_tables
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'shell', 'table',
    NEW.table_id, 'changed', printf('%s, %d to %d%s', OLD.name, OLD.seats_min, OLD.seats_max, CASE OLD.is_deleted WHEN 1 THEN ', gone' ELSE '' END),
    printf('%s, %d to %d%s', NEW.name, NEW.seats_min, NEW.seats_max, CASE NEW.is_deleted WHEN 1 THEN ', gone' ELSE '' END));
END;

-- ---- not yet ----

-- Nobody has come or stayed away before the slot begins; it would give away tomorrow's seats.
CREATE TRIGGER reservations_not_yet BEFORE UPDATE OF status ON reservations
WHEN NEW.status <> OLD.status AND (NEW.status = 'COMPLETED' OR NEW.status = 'NO_SHOW') AND
     OLD.starts_at > CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END
BEGIN SELECT RAISE(ABORT, 'TOO_EARLY: its time has not come yet'); END;

-- ---- views for people at the shell: wide (Korean) columns last, because the shell counts characters ----

DROP VIEW v_slots;
CREATE VIEW v_slots AS
SELECT s.slot_date AS date, s.slot_time AS time, s.max_capacity AS capacity,
       ifnull(sum(v.party_size), 0) AS taken,
       s.max_capacity - ifnull(sum(v.party_size), 0) AS free,
       count(v.reservation_id) AS parties, r.name AS restaurant
  FROM restaurant_reservation_slots s
  JOIN restaurants r USING (restaurant_id)
  LEFT JOIN reservations v ON v.slot_id = s.slot_id AND v.is_active = 1
   AND NOT (v.status = 'TEMPORARY' AND v.hold_expires_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
 GROUP BY s.slot_id
 ORDER BY s.slot_date, s.slot_time, r.restaurant_id;

DROP VIEW v_today;
CREATE VIEW v_today AS
SELECT s.slot_time AS time, v.party_size AS party, v.status,
       CASE WHEN v.status = 'TEMPORARY' THEN
         max(0, (strftime('%s', v.hold_expires_at) - strftime('%s', 'now') + 59) / 60) || ' min' ELSE '' END AS hold_left,
       ifnull(u.phone, '') AS phone, v.total_amount AS amount, v.reservation_code AS code,
       ifnull((SELECT group_concat(t.name, '+') FROM reservation_tables x JOIN dining_tables t USING (table_id)
                WHERE x.reservation_id = v.reservation_id), ifnull(d.name, '')) AS "table",
       ifnull(v.guest_name, u.name) AS guest, ifnull(v.request_message, '') AS request, r.name AS restaurant
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN restaurants r ON r.restaurant_id = s.restaurant_id
  JOIN users u ON u.user_id = v.user_id
  LEFT JOIN dining_tables d ON d.table_id = v.table_id
 WHERE s.slot_date = date('now', r.utc_offset_minutes || ' minutes')
   AND v.status NOT IN ('EXPIRED', 'CANCELED', 'REFUNDED')
 ORDER BY s.slot_time, v.reservation_id;

CREATE VIEW v_upcoming AS
SELECT s.slot_date AS date, s.slot_time AS time, v.party_size AS party, v.status, ifnull(u.phone, '') AS phone,
       v.total_amount AS amount, v.reservation_code AS code, ifnull(v.guest_name, u.name) AS guest,
       ifnull(v.request_message, '') AS request, r.name AS restaurant
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN restaurants r ON r.restaurant_id = s.restaurant_id
  JOIN users u ON u.user_id = v.user_id
 WHERE v.is_active = 1 AND v.starts_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
   AND NOT (v.status = 'TEMPORARY' AND v.hold_expires_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
 ORDER BY v.starts_at, v.reservation_id;

CREATE VIEW v_holds AS
SELECT max(0, (strftime('%s', v.hold_expires_at) - strftime('%s', 'now') + 59) / 60) AS minutes_left, v.total_amount AS amount,
       v.currency, s.slot_date AS date, s.slot_time AS time, v.party_size AS party, ifnull(u.phone, '') AS phone,
       v.reservation_code AS code, ifnull(v.guest_name, u.name) AS guest, r.name AS restaurant
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN restaurants r ON r.restaurant_id = s.restaurant_id
  JOIN users u ON u.user_id = v.user_id
 WHERE v.status = 'TEMPORARY' AND v.hold_expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
 ORDER BY v.hold_expires_at, v.reservation_id;

DROP VIEW v_guests;
CREATE VIEW v_guests AS
SELECT ifnull(u.phone, '') AS phone, count(v.reservation_id) AS reservations,
       count(*) FILTER (WHERE v.status = 'COMPLETED') AS visits,
       count(*) FILTER (WHERE v.status = 'NO_SHOW') AS no_shows,
       count(*) FILTER (WHERE v.status IN ('CANCELED', 'REFUNDED')) AS canceled,
       max(s.slot_date) AS last_date, ifnull(u.email, '') AS email, u.name AS guest, ifnull(u.note, '') AS note
  FROM users u
  JOIN reservations v ON v.user_id = u.user_id
  JOIN restaurant_reservation_slots s USING (slot_id)
 WHERE u.erased_at IS NULL
 GROUP BY u.user_id
 ORDER BY last_date DESC, guest;

DROP VIEW v_no_shows;
CREATE VIEW v_no_shows AS
SELECT s.slot_date AS date, s.slot_time AS time, v.party_size AS party, ifnull(u.phone, '') AS phone,
       v.total_amount AS amount, v.reservation_code AS code, ifnull(v.guest_name, u.name) AS guest
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN users u ON u.user_id = v.user_id
 WHERE v.status = 'NO_SHOW'
 ORDER BY s.slot_date DESC, s.slot_time DESC;

DROP VIEW v_money;
CREATE VIEW v_money AS
SELECT date(p.paid_at, r.utc_offset_minutes || ' minutes') AS date, count(*) AS payments,
       sum(p.amount) AS money_in, sum(p.kept_amount) AS kept,
       sum(p.refunded_amount) AS returned, sum(p.due_back_amount) AS due_back, p.currency
  FROM payments p
  JOIN reservations v USING (reservation_id)
  JOIN restaurants r ON r.restaurant_id = v.restaurant_id
 WHERE p.paid_at IS NOT NULL
 GROUP BY 1, p.currency
 ORDER BY 1 DESC;
