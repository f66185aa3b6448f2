-- 0008_messages - messages to guests and to the owner, numbers that are proven, and the waitlist at work.

-- ---- settings ----

ALTER TABLE restaurants ADD COLUMN mail_guests INTEGER NOT NULL DEFAULT 1 CHECK (mail_guests BETWEEN 0 AND 1);
ALTER TABLE restaurants ADD COLUMN sms_guests INTEGER NOT NULL DEFAULT 0 CHECK (sms_guests BETWEEN 0 AND 1);
-- 0: nothing, 1: each booking, 2: what came in an hour together
ALTER TABLE restaurants ADD COLUMN tell_owner INTEGER NOT NULL DEFAULT 1 CHECK (tell_owner BETWEEN 0 AND 2);
ALTER TABLE restaurants ADD COLUMN day_sheet_hour INTEGER NOT NULL DEFAULT 8 CHECK (day_sheet_hour BETWEEN 0 AND 23);
ALTER TABLE restaurants ADD COLUMN remind_day_hours INTEGER NOT NULL DEFAULT 24 CHECK (remind_day_hours BETWEEN 0 AND 168);
ALTER TABLE restaurants ADD COLUMN remind_minutes INTEGER NOT NULL DEFAULT 60 CHECK (remind_minutes BETWEEN 0 AND 1440);
ALTER TABLE restaurants ADD COLUMN quiet_from INTEGER NOT NULL DEFAULT 21 CHECK (quiet_from BETWEEN 0 AND 23);
ALTER TABLE restaurants ADD COLUMN quiet_to INTEGER NOT NULL DEFAULT 8 CHECK (quiet_to BETWEEN 0 AND 23);
ALTER TABLE restaurants ADD COLUMN prove_contact INTEGER NOT NULL DEFAULT 0 CHECK (prove_contact BETWEEN 0 AND 1);
ALTER TABLE restaurants ADD COLUMN prove_seconds INTEGER NOT NULL DEFAULT 300 CHECK (prove_seconds BETWEEN 30 AND 3600);
ALTER TABLE restaurants ADD COLUMN waitlist_per_guest INTEGER NOT NULL DEFAULT 3 CHECK (waitlist_per_guest BETWEEN 0 AND 100);
ALTER TABLE restaurants ADD COLUMN waitlist_offer_minutes INTEGER NOT NULL DEFAULT 15 CHECK (waitlist_offer_minutes BETWEEN 1 AND 1440);
ALTER TABLE restaurants ADD COLUMN waitlist_skip INTEGER NOT NULL DEFAULT 0 CHECK (waitlist_skip BETWEEN 0 AND 1);
-- Where messages to the owner go, and what the restaurant itself says on top of those to guests.
ALTER TABLE restaurants ADD COLUMN notify_email TEXT CHECK (length(notify_email) BETWEEN 3 AND 254);
ALTER TABLE restaurants ADD COLUMN message_text TEXT CHECK (length(message_text) BETWEEN 1 AND 300);
ALTER TABLE restaurants ADD COLUMN message_text_en TEXT CHECK (length(message_text_en) BETWEEN 1 AND 300);

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
    ('payment_text', OLD.payment_text, NEW.payment_text),
    ('mail_guests', OLD.mail_guests, NEW.mail_guests),
    ('sms_guests', OLD.sms_guests, NEW.sms_guests),
    ('tell_owner', OLD.tell_owner, NEW.tell_owner),
    ('day_sheet_hour', OLD.day_sheet_hour, NEW.day_sheet_hour),
    ('remind_day_hours', OLD.remind_day_hours, NEW.remind_day_hours),
    ('remind_minutes', OLD.remind_minutes, NEW.remind_minutes),
    ('quiet_from', OLD.quiet_from, NEW.quiet_from),
    ('quiet_to', OLD.quiet_to, NEW.quiet_to),
    ('prove_contact', OLD.prove_contact, NEW.prove_contact),
    ('prove_seconds', OLD.prove_seconds, NEW.prove_seconds),
    ('waitlist_per_guest', OLD.waitlist_per_guest, NEW.waitlist_per_guest),
    ('waitlist_offer_minutes', OLD.waitlist_offer_minutes, NEW.waitlist_offer_minutes),
    ('waitlist_skip', OLD.waitlist_skip, NEW.waitlist_skip),
    ('notify_email', OLD.notify_email, NEW.notify_email),
    ('message_text', OLD.message_text, NEW.message_text),
    ('message_text_en', OLD.message_text_en, NEW.message_text_en))
   WHERE was IS NOT now;
END;

-- How mail leaves the box: one row, or none while nobody has said.  The password is sealed with the box's key.
CREATE TABLE mail_server (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  way        TEXT NOT NULL CHECK (way IN ('OFF', 'SMTP', 'SENDMAIL')),
  host       TEXT CHECK (length(host) BETWEEN 1 AND 253),
  port       INTEGER NOT NULL DEFAULT 587 CHECK (port BETWEEN 1 AND 65535),
  security   TEXT NOT NULL DEFAULT 'STARTTLS' CHECK (security IN ('NONE', 'STARTTLS', 'TLS')),
  login      TEXT CHECK (length(login) BETWEEN 1 AND 254),
  password   TEXT,
  sender     TEXT CHECK (length(sender) BETWEEN 3 AND 254),
  site       TEXT CHECK (length(site) BETWEEN 8 AND 200),   -- https://..., for links
  updated_at TEXT NOT NULL,
  CHECK (way <> 'SMTP' OR host IS NOT NULL),
  CHECK (way = 'OFF' OR sender IS NOT NULL)
) STRICT;
CREATE TRIGGER mail_server_audit_insert AFTER INSERT ON mail_server
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value) VALUES (NEW.updated_at, ifnull((SELECT actor FROM writing), 'shell'), 'mail', 1,
    'changed', printf('%s %s:%d', NEW.way, ifnull(NEW.host, '-'), NEW.port));
END;
CREATE TRIGGER mail_server_audit_update AFTER UPDATE ON mail_server
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value) VALUES (NEW.updated_at, ifnull((SELECT actor FROM writing), 'shell'),
    'mail', 1, 'changed', printf('%s %s:%d', OLD.way, ifnull(OLD.host, '-'), OLD.port), printf('%s %s:%d', NEW.way, ifnull(NEW.host, '-'), NEW.port));
END;

-- Who says how many may start at one time of one day.
DROP TRIGGER slots_audit;
CREATE TRIGGER slots_audit AFTER UPDATE OF max_capacity ON restaurant_reservation_slots
WHEN NEW.max_capacity <> OLD.max_capacity
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'jari or shell'), 'slot', NEW.slot_id, 'max_capacity',
          OLD.max_capacity, NEW.max_capacity);
END;

-- ---- what is to be sent ----

-- A row is written in the transaction of what it tells, and says nothing personal: who it goes to and what it says is
-- looked up when it is sent.
CREATE TABLE outbox_before AS SELECT * FROM outbox; -- jari wrote nothing into it; somebody at the shell may have
DROP TABLE outbox;
CREATE TABLE outbox (
  outbox_id       INTEGER PRIMARY KEY,
  restaurant_id   INTEGER NOT NULL REFERENCES restaurants,
  channel         TEXT NOT NULL CHECK (channel = 'MAIL' OR channel = 'SMS'),
  event           TEXT NOT NULL,                          -- db/outbox.h lists them
  reservation_id  INTEGER REFERENCES reservations,
  version         INTEGER NOT NULL DEFAULT 0,             -- of the reservation when it happened
  proof_id        INTEGER,                                -- the code that is sent
  dedupe_key      TEXT,                                   -- of what is no reservation's: day-sheet:1:2026-01-20
  status          TEXT NOT NULL DEFAULT 'QUEUED' CHECK (status = 'QUEUED' OR status = 'SENT' OR status = 'FAILED' OR status = 'SKIPPED'),
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  last_answer     TEXT CHECK (length(last_answer) <= 200),
  created_at      TEXT NOT NULL,
  sent_at         TEXT
) STRICT;
INSERT INTO outbox (outbox_id, restaurant_id, channel, event, reservation_id, version, dedupe_key, status, attempts, next_attempt_at, last_answer,
  created_at, sent_at)
SELECT o.outbox_id, ifnull(v.restaurant_id, 1), o.channel, o.template, o.reservation_id, o.outbox_id, o.dedupe_key, o.status, o.attempts,
       o.next_attempt_at, substr(o.last_error, 1, 200), o.created_at, o.sent_at
  FROM outbox_before o LEFT JOIN reservations v USING (reservation_id);
DROP TABLE outbox_before;
-- However often a crash repeats it, an event has one row for each channel.
CREATE UNIQUE INDEX outbox_once ON outbox (reservation_id, event, channel, version) WHERE reservation_id IS NOT NULL;
CREATE UNIQUE INDEX outbox_key ON outbox (dedupe_key) WHERE dedupe_key IS NOT NULL;
CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE status = 'QUEUED';
CREATE INDEX outbox_failed ON outbox (created_at) WHERE status = 'FAILED';
CREATE TRIGGER outbox_stays BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;

-- ---- numbers and addresses that are proven ----

-- A code that was sent.  The code itself stands nowhere: it follows from the row's number and the box's key.
CREATE TABLE proofs (
  proof_id      INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  card_id       INTEGER NOT NULL,
  phone_key     INTEGER NOT NULL,
  channel       TEXT NOT NULL CHECK (channel = 'MAIL' OR channel = 'SMS'),
  address       TEXT,                                     -- where it goes; forgotten after a day
  language      TEXT NOT NULL DEFAULT 'ko' CHECK (language IN ('ko', 'en')),
  tries         INTEGER NOT NULL DEFAULT 0,
  expires_at    TEXT NOT NULL,
  proven_at     TEXT,
  created_at    TEXT NOT NULL
) STRICT;
CREATE INDEX proofs_phone ON proofs (phone_key, created_at);
CREATE INDEX proofs_address ON proofs (created_at) WHERE address IS NOT NULL;

-- What a card has shown since: that its number (SMS) or its address (MAIL) is theirs.
ALTER TABLE cards ADD COLUMN phone_key INTEGER;
ALTER TABLE cards ADD COLUMN proven_by TEXT CHECK (proven_by IN ('SMS', 'MAIL'));
ALTER TABLE cards ADD COLUMN email TEXT;                  -- the one that was proven
-- A login of the house: since when, and on what.
ALTER TABLE cards ADD COLUMN made_at TEXT;
ALTER TABLE cards ADD COLUMN device TEXT CHECK (length(device) <= 80);

-- 1: a hold that waits for its guest to prove who they are; NULL: it does not.
ALTER TABLE reservations ADD COLUMN unproven INTEGER CHECK (unproven = 1);
-- The guest was asked and said that they come.
ALTER TABLE reservations ADD COLUMN coming_at TEXT;

-- ---- the waitlist ----

ALTER TABLE waitlist ADD COLUMN starts_at TEXT;           -- of the slot
ALTER TABLE waitlist ADD COLUMN guest_name TEXT CHECK (length(guest_name) BETWEEN 1 AND 40);
ALTER TABLE waitlist ADD COLUMN guest_email TEXT CHECK (length(guest_email) BETWEEN 3 AND 254);
ALTER TABLE waitlist ADD COLUMN card_id INTEGER;          -- the device that joined; NULL: a login, the desk
ALTER TABLE waitlist ADD COLUMN ticket INTEGER;           -- its place in the line
ALTER TABLE waitlist ADD COLUMN changed_by TEXT NOT NULL DEFAULT 'shell';
UPDATE waitlist SET guest_name = (SELECT u.name FROM users u WHERE u.user_id = waitlist.user_id), starts_at =
  (SELECT utc_of(slot_date, slot_time, r.timezone, r.utc_offset_minutes) FROM restaurants r WHERE r.restaurant_id = waitlist.restaurant_id);
CREATE TRIGGER waitlist_place AFTER INSERT ON waitlist WHEN NEW.starts_at IS NULL OR NEW.guest_name IS NULL
BEGIN
  UPDATE waitlist SET guest_name = ifnull(NEW.guest_name, (SELECT u.name FROM users u WHERE u.user_id = NEW.user_id)), starts_at = ifnull(NEW.starts_at,
    (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', NEW.slot_date || ' ' || NEW.slot_time, -r.utc_offset_minutes || ' minutes') FROM restaurants r
      WHERE r.restaurant_id = NEW.restaurant_id)) WHERE waitlist_id = NEW.waitlist_id;
END;
CREATE INDEX waitlist_card ON waitlist (card_id) WHERE card_id IS NOT NULL;
CREATE TRIGGER waitlist_audit_insert AFTER INSERT ON waitlist
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, ticket)
  VALUES (NEW.created_at, NEW.changed_by, 'waitlist', NEW.waitlist_id, 'created', NEW.status, NEW.ticket);
END;
CREATE TRIGGER waitlist_audit_status AFTER UPDATE OF status ON waitlist WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (NEW.updated_at, CASE WHEN NEW.updated_at IS OLD.updated_at THEN 'shell' ELSE NEW.changed_by END, 'waitlist', NEW.waitlist_id, 'status',
          OLD.status, NEW.status);
END;
CREATE TRIGGER waitlist_stays BEFORE DELETE ON waitlist BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER waitlist_no_replace BEFORE INSERT ON waitlist
WHEN EXISTS (SELECT 1 FROM waitlist WHERE waitlist_id = NEW.waitlist_id) OR EXISTS (SELECT 1 FROM waitlist WHERE user_id = NEW.user_id AND
     restaurant_id = NEW.restaurant_id AND slot_date = NEW.slot_date AND slot_time = NEW.slot_time AND is_waiting = 1)
BEGIN SELECT RAISE(ABORT, 'ALREADY_WAITING: this person waits for this slot already'); END;

-- An offer is a hold: what becomes of the one becomes of the other, whoever writes it.
CREATE TRIGGER reservations_offered AFTER UPDATE OF status ON reservations WHEN NEW.source = 'WAITLIST' AND NEW.status <> OLD.status
BEGIN
  UPDATE waitlist SET status = CASE NEW.status WHEN 'CONFIRMED' THEN 'BOOKED' WHEN 'EXPIRED' THEN 'OFFER_EXPIRED' ELSE 'LEFT' END,
         changed_by = NEW.changed_by, updated_at = NEW.updated_at
   WHERE reservation_id = NEW.reservation_id AND reservation_id IS NOT NULL AND status = 'OFFERED' AND
         (NEW.status = 'CONFIRMED' OR NEW.status = 'EXPIRED' OR NEW.status = 'CANCELED');
END;

-- ---- for the owner at the shell; wide columns last ----

CREATE VIEW v_waitlist AS
SELECT w.slot_date AS date, w.slot_time AS time, row_number() OVER (PARTITION BY w.restaurant_id, w.slot_date, w.slot_time ORDER BY w.waitlist_id) AS rank,
       w.party_size AS party, w.status, ifnull(w.offer_expires_at, '') AS offer_until, ifnull(u.phone, '') AS phone, w.guest_name AS guest
  FROM waitlist w JOIN users u USING (user_id) WHERE w.is_waiting = 1 ORDER BY 1, 2, 3;
CREATE VIEW v_messages AS
SELECT o.created_at AS at, o.event, o.channel, o.status, o.attempts, ifnull(v.reservation_code, '') AS code, ifnull(o.last_answer, '') AS answer
  FROM outbox o LEFT JOIN reservations v USING (reservation_id) ORDER BY o.outbox_id DESC;
