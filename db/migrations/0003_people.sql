-- 0003_people - a telephone number is one person.
--
-- Until now every introduction made a user of its own, so "one active reservation per user and slot" held for browser
-- tabs.  From here on a number, however it is spelled, is one row of `users`.  What a guest's token may see is its
-- card: the reservations that were made with it.

-- ---- settings ----

-- The country of numbers that are given without one: 82 is Korea.
ALTER TABLE restaurants ADD COLUMN calling_code INTEGER NOT NULL DEFAULT 82 CHECK (calling_code BETWEEN 1 AND 999);
-- Limits for one number; 0 is off.
ALTER TABLE restaurants ADD COLUMN holds_per_guest INTEGER NOT NULL DEFAULT 2 CHECK (holds_per_guest BETWEEN 0 AND 1000);
ALTER TABLE restaurants ADD COLUMN upcoming_per_guest INTEGER NOT NULL DEFAULT 4 CHECK (upcoming_per_guest BETWEEN 0 AND 1000);

-- How a deposit can be paid: a bank account, a sentence.  Shown to whoever holds seats.
ALTER TABLE restaurants ADD COLUMN payment_text TEXT CHECK (length(payment_text) BETWEEN 1 AND 500);

-- ---- one row per number ----

-- The number as digits with its country, 821012345678: the same for every spelling.
ALTER TABLE users ADD COLUMN phone_key INTEGER CHECK (phone_key > 0);
-- The same number as that user, who owns it: the same guest, from before numbers were one person, or somebody else
-- with a login of their own.
ALTER TABLE users ADD COLUMN phone_of INTEGER REFERENCES users DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX users_phone_of ON users (phone_of) WHERE phone_of IS NOT NULL;

-- core/text.c does the same; a test compares them.
CREATE VIEW phone_keys AS
WITH home AS (SELECT CAST(ifnull((SELECT calling_code FROM restaurants ORDER BY restaurant_id LIMIT 1), 82) AS TEXT) AS code),
     bare AS (SELECT user_id, phone LIKE '+%' AS abroad, replace(replace(replace(replace(replace(replace(replace(phone,
              '+', ''), '-', ''), ' ', ''), '.', ''), '(', ''), ')', ''), '/', '') AS digits
                FROM users WHERE phone IS NOT NULL AND erased_at IS NULL),
     full AS (SELECT user_id, CASE WHEN abroad THEN ltrim(digits, '0') WHEN digits LIKE '00%' THEN ltrim(digits, '0')
              WHEN digits LIKE '0%' THEN code || ltrim(digits, '0') WHEN digits LIKE code || '%' AND length(digits) >= 11 THEN digits
              ELSE code || digits END AS number, code FROM bare, home
               WHERE digits NOT GLOB '*[^0-9]*' AND length(digits) BETWEEN 7 AND 15)
SELECT user_id, nullif(CAST(CASE WHEN number LIKE code || '%' THEN code || ltrim(substr(number, length(code) + 1), '0') ELSE number END
       AS INTEGER), 0) AS phone_key FROM full;

DROP INDEX users_phone;
UPDATE users SET phone_key = (SELECT k.phone_key FROM phone_keys k WHERE k.user_id = users.user_id) WHERE phone IS NOT NULL;
CREATE INDEX users_phone ON users (phone_key);

-- Whoever logs in keeps the number, else whoever came first.
UPDATE users SET phone_of = q.owner
  FROM (SELECT user_id AS id, first_value(user_id) OVER (PARTITION BY phone_key ORDER BY user_type = 'GUEST', user_id) AS owner
          FROM users WHERE phone_key IS NOT NULL) q
 WHERE q.id = users.user_id AND q.owner <> q.id;
INSERT INTO audit (at, actor, entity, entity_id, change, to_value, reason)
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'user', user_id, 'phone_of', phone_of,
       CASE user_type WHEN 'GUEST' THEN 'the same number: one person' ELSE 'the same number, but a login of their own' END
  FROM users WHERE phone_of IS NOT NULL ORDER BY user_id;
UPDATE users SET is_blocked = 1 WHERE user_id IN (SELECT phone_of FROM users WHERE is_blocked = 1 AND user_type = 'GUEST');
UPDATE users SET note = (SELECT o.note FROM users o WHERE o.phone_of = users.user_id AND o.user_type = 'GUEST' AND o.note IS NOT NULL
                          ORDER BY o.user_id DESC LIMIT 1)
 WHERE note IS NULL AND user_id IN (SELECT phone_of FROM users WHERE note IS NOT NULL AND user_type = 'GUEST');

DROP INDEX users_phone;
CREATE UNIQUE INDEX users_phone ON users (phone_key) WHERE phone_of IS NULL AND phone_key IS NOT NULL;
-- A number that is written at the shell gets its key here.
CREATE TRIGGER users_phone_insert AFTER INSERT ON users WHEN NEW.phone IS NOT NULL AND NEW.phone_key IS NULL
BEGIN
  UPDATE users SET phone_key = (SELECT k.phone_key FROM phone_keys k WHERE k.user_id = NEW.user_id) WHERE user_id = NEW.user_id;
END;
CREATE TRIGGER users_phone_update AFTER UPDATE OF phone, erased_at ON users
BEGIN
  UPDATE users SET phone_key = (SELECT k.phone_key FROM phone_keys k WHERE k.user_id = NEW.user_id) WHERE user_id = NEW.user_id;
END;

-- Numbers without a country are of another one now.  One that somebody else has by that stays as it is.
CREATE TRIGGER restaurants_calling_code AFTER UPDATE OF calling_code ON restaurants WHEN NEW.calling_code <> OLD.calling_code
BEGIN
  UPDATE OR IGNORE users SET phone_key = (SELECT k.phone_key FROM phone_keys k WHERE k.user_id = users.user_id)
   WHERE phone IS NOT NULL AND phone NOT LIKE '+%';
END;

-- ---- slots and reservations say when they begin, and where ----

ALTER TABLE restaurant_reservation_slots ADD COLUMN starts_at TEXT
  CHECK (starts_at IS strftime('%Y-%m-%dT%H:%M:%SZ', starts_at, '+0 days'));
UPDATE restaurant_reservation_slots SET starts_at =
  (SELECT utc_of(slot_date, slot_time, r.timezone, r.utc_offset_minutes) FROM restaurants r
    WHERE r.restaurant_id = restaurant_reservation_slots.restaurant_id);
-- jari knows the rules of the zone; at the shell the offset of today has to do.
CREATE TRIGGER slots_start AFTER INSERT ON restaurant_reservation_slots WHEN NEW.starts_at IS NULL
BEGIN
  UPDATE restaurant_reservation_slots SET starts_at = (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', NEW.slot_date || ' ' || NEW.slot_time,
    -r.utc_offset_minutes || ' minutes') FROM restaurants r WHERE r.restaurant_id = NEW.restaurant_id) WHERE slot_id = NEW.slot_id;
END;

ALTER TABLE reservations ADD COLUMN restaurant_id INTEGER REFERENCES restaurants;
ALTER TABLE reservations ADD COLUMN starts_at TEXT;     -- of its slot
ALTER TABLE reservations ADD COLUMN guest_name TEXT CHECK (length(guest_name) BETWEEN 1 AND 40);   -- given for this one
ALTER TABLE reservations ADD COLUMN guest_email TEXT CHECK (length(guest_email) BETWEEN 3 AND 254);
ALTER TABLE reservations ADD COLUMN card_id INTEGER;    -- the device that made it; NULL: a login, the desk
UPDATE reservations SET
  (restaurant_id, starts_at) = (SELECT s.restaurant_id, s.starts_at FROM restaurant_reservation_slots s WHERE s.slot_id = reservations.slot_id),
  (guest_name, guest_email, card_id) = (SELECT u.name, u.email, CASE u.user_type WHEN 'GUEST' THEN u.user_id END
                                          FROM users u WHERE u.user_id = reservations.user_id);
CREATE TRIGGER reservations_place AFTER INSERT ON reservations WHEN NEW.starts_at IS NULL OR NEW.guest_name IS NULL OR NEW.restaurant_id IS NULL
BEGIN
  UPDATE reservations SET
    (restaurant_id, starts_at) = (SELECT s.restaurant_id, s.starts_at FROM restaurant_reservation_slots s WHERE s.slot_id = NEW.slot_id),
    guest_name = ifnull(NEW.guest_name, (SELECT u.name FROM users u WHERE u.user_id = NEW.user_id))
   WHERE reservation_id = NEW.reservation_id;
END;
CREATE TRIGGER reservations_moved AFTER UPDATE OF slot_id ON reservations WHEN NEW.slot_id <> OLD.slot_id
BEGIN
  UPDATE reservations SET
    (restaurant_id, starts_at) = (SELECT s.restaurant_id, s.starts_at FROM restaurant_reservation_slots s WHERE s.slot_id = NEW.slot_id)
   WHERE reservation_id = NEW.reservation_id;
END;
ALTER TABLE payments ADD COLUMN restaurant_id INTEGER REFERENCES restaurants;
UPDATE payments SET restaurant_id = (SELECT v.restaurant_id FROM reservations v WHERE v.reservation_id = payments.reservation_id);
CREATE TRIGGER payments_place AFTER INSERT ON payments WHEN NEW.restaurant_id IS NULL
BEGIN
  UPDATE payments SET restaurant_id = (SELECT v.restaurant_id FROM reservations v WHERE v.reservation_id = NEW.reservation_id)
   WHERE payment_id = NEW.payment_id;
END;

-- ---- reservations of one person that were two ----

-- Two active ones in one slot: the paid one stays, then the confirmed one with an amount, the one with dishes, the
-- confirmed one, the oldest.  The others are cancelled, and their money is due back.
CREATE TABLE upgrade_twice AS
SELECT id, keeps FROM (
  SELECT reservation_id AS id, first_value(reservation_id) OVER same AS keeps FROM (
    SELECT v.reservation_id, v.slot_id, ifnull(CASE u.user_type WHEN 'GUEST' THEN u.phone_of END, u.user_id) AS person,
           CASE WHEN EXISTS (SELECT 1 FROM payments p WHERE p.reservation_id = v.reservation_id AND p.kept_amount > 0) THEN 4
                WHEN v.status <> 'TEMPORARY' AND v.total_amount > 0 THEN 3
                WHEN EXISTS (SELECT 1 FROM reservation_menu_items i WHERE i.reservation_id = v.reservation_id) THEN 2
                WHEN v.status <> 'TEMPORARY' THEN 1 ELSE 0 END AS worth
      FROM reservations v JOIN users u ON u.user_id = v.user_id WHERE v.is_active = 1)
  WINDOW same AS (PARTITION BY person, slot_id ORDER BY worth DESC, reservation_id))
 WHERE id <> keeps;
INSERT INTO reservation_cancellations (reservation_id, canceled_by, reason, refund_amount)
SELECT id, 'SYSTEM', printf('upgrade: an active duplicate of reservation %d, same number and slot', keeps),
       (SELECT ifnull(sum(p.kept_amount), 0) FROM payments p WHERE p.reservation_id = id AND p.status = 'PAID') FROM upgrade_twice ORDER BY id;
UPDATE payments SET due_back_amount = kept_amount, kept_amount = 0, status = 'REFUND_DUE'
 WHERE status = 'PAID' AND kept_amount > 0 AND reservation_id IN (SELECT id FROM upgrade_twice);
UPDATE reservations SET status = 'CANCELED', version = version + 1, changed_by = 'upgrade', changed_ticket = NULL,
       updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE reservation_id IN (SELECT id FROM upgrade_twice);
DROP TABLE upgrade_twice;

-- A key that two introductions of one person used is the first one's.
UPDATE reservations SET idempotency_key = NULL WHERE idempotency_key IS NOT NULL AND reservation_id NOT IN (
  SELECT min(v.reservation_id) FROM reservations v JOIN users u ON u.user_id = v.user_id WHERE v.idempotency_key IS NOT NULL
   GROUP BY ifnull(CASE u.user_type WHEN 'GUEST' THEN u.phone_of END, u.user_id), v.idempotency_key);
UPDATE reservations SET user_id = (SELECT u.phone_of FROM users u WHERE u.user_id = reservations.user_id),
       version = version + 1, changed_by = 'upgrade', changed_ticket = NULL, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
 WHERE user_id IN (SELECT user_id FROM users WHERE phone_of IS NOT NULL AND user_type = 'GUEST');

-- One index for three questions: is this person in this slot, how many reservations has this person still to come, and
-- which had they ever?  is_active is 1 or NULL, and NULLs never collide.  A slot begins at one moment, so the moment in
-- the middle takes nothing from "one active reservation per person and slot".
DROP INDEX reservations_one_active;
CREATE UNIQUE INDEX reservations_person ON reservations (user_id, is_active, starts_at, slot_id);
-- Which were made with this card?
CREATE INDEX reservations_card ON reservations (card_id) WHERE card_id IS NOT NULL;

-- What has become of a card or a login beyond the reservations made with it: only those that were ended are here.
CREATE TABLE cards (
  card_id  INTEGER PRIMARY KEY,
  user_id  INTEGER REFERENCES users,
  ended_at TEXT CHECK (ended_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ended_at, '+0 days'))
) STRICT;
CREATE INDEX cards_user ON cards (user_id) WHERE user_id IS NOT NULL;
