-- 0010_strangers - what one stranger can do is bounded: waiting, codes, money that was changed, messages.

-- ---- the waitlist ----

ALTER TABLE restaurants ADD COLUMN waitlist_keep_minutes INTEGER NOT NULL DEFAULT 30 CHECK (waitlist_keep_minutes BETWEEN 0 AND 1440);
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
    ('waitlist_keep_minutes', OLD.waitlist_keep_minutes, NEW.waitlist_keep_minutes),
    ('waitlist_skip', OLD.waitlist_skip, NEW.waitlist_skip),
    ('notify_email', OLD.notify_email, NEW.notify_email),
    ('message_text', OLD.message_text, NEW.message_text),
    ('message_text_en', OLD.message_text_en, NEW.message_text_en))
   WHERE was IS NOT now;
END;

-- Waiters whose number or address is proven, or whom the desk put on the list.  The others keep nothing back.
ALTER TABLE waitlist ADD COLUMN proven INTEGER NOT NULL DEFAULT 0 CHECK (proven BETWEEN 0 AND 1);
UPDATE waitlist SET proven = 1 WHERE is_waiting = 1 AND (EXISTS (SELECT 1 FROM cards c WHERE c.card_id = waitlist.card_id AND c.proven_by IS NOT NULL)
  OR EXISTS (SELECT 1 FROM users u WHERE 'user:' || u.user_id = waitlist.changed_by AND u.user_type IN ('STAFF', 'OWNER')));
-- Of an offer: when its seats are everybody's if it is not taken.  An offer after an offer has the same.
ALTER TABLE waitlist ADD COLUMN kept_until TEXT CHECK (kept_until IS strftime('%Y-%m-%dT%H:%M:%SZ', kept_until, '+0 days'));
CREATE INDEX waitlist_starts ON waitlist (restaurant_id, starts_at) WHERE is_waiting = 1;
CREATE INDEX waitlist_sizes ON waitlist (restaurant_id, slot_date, slot_time, party_size) WHERE is_waiting = 1 AND status = 'WAITING';
CREATE INDEX waitlist_proven ON waitlist (restaurant_id, starts_at, party_size) WHERE is_waiting = 1 AND status = 'WAITING' AND proven = 1;
-- Since when a guest has the place that they moved to, or the people that they added; NULL: since the booking.
ALTER TABLE reservations ADD COLUMN placed_at TEXT;

-- Seats that came free while somebody waited for them.  Until kept_until they are for those who wait; after it the row means
-- nothing, and the keeper takes it away.
CREATE TABLE kept_seats (
  kept_id       INTEGER PRIMARY KEY AUTOINCREMENT,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  slot_date     TEXT    NOT NULL CHECK (slot_date IS date(slot_date, '+0 days')),
  slot_time     TEXT    NOT NULL CHECK (slot_time IS strftime('%H:%M', slot_time, '+0 days')),
  party_size    INTEGER NOT NULL CHECK (party_size BETWEEN 1 AND 10000),
  starts_at     TEXT    NOT NULL,
  ends_at       TEXT    NOT NULL CHECK (ends_at > starts_at),
  tables        TEXT,                                     -- their ids: 3,4
  kept_until    TEXT    NOT NULL CHECK (kept_until IS strftime('%Y-%m-%dT%H:%M:%SZ', kept_until, '+0 days')),
  made_at       TEXT    NOT NULL
) STRICT;
CREATE INDEX kept_seats_live ON kept_seats (restaurant_id, kept_until);

-- ---- reservation codes ----

-- A code is found however it is typed.  Ours are written in one way (4KXR-7MTF) and the unique index finds them; this one
-- has those of earlier versions and of imports, without blanks and hyphens, in capitals.  New reservations are not in it.
CREATE INDEX reservations_odd_codes ON reservations (upper(replace(replace(reservation_code, '-', ''), ' ', '')))
WHERE reservation_code NOT GLOB '[3-Y][3-Y][3-Y][3-Y]-[3-Y][3-Y][3-Y][3-Y]';

-- ---- money ----

-- The most that a guest who cancels gets back, in percent: what applied when they last moved a paid reservation.  Moving to a
-- later day does not bring back what was lost by waiting.  NULL: it was never moved.
ALTER TABLE reservations ADD COLUMN refund_cap INTEGER CHECK (refund_cap BETWEEN 0 AND 100);
-- What the house keeps for people whom the guest took off later than the policy gives all back: it is of those, not of the party.
ALTER TABLE reservations ADD COLUMN forfeited_amount INTEGER NOT NULL DEFAULT 0 CHECK (forfeited_amount >= 0);

-- A change that costs more waits for its money.  Meanwhile this row holds what is needed beyond what the reservation has: the
-- people that are added at the same time, or the whole party at another.  It ends EXPIRED, whatever becomes of it.
-- (No REFERENCES: SQLite would look for children of every new reservation.  The check knows the rule.)
ALTER TABLE reservations ADD COLUMN change_of INTEGER;    -- the reservation that it will change; NULL: it is one itself
ALTER TABLE reservations ADD COLUMN change_party INTEGER CHECK (change_party BETWEEN 1 AND 1000); -- what its party is to be
ALTER TABLE reservations ADD COLUMN change_done INTEGER CHECK (change_done = 1); -- the money came, and it was changed
ALTER TABLE reservations ADD COLUMN change_version INTEGER; -- of its reservation when it was asked for; NULL: it was withdrawn
-- 1: in the same slot as its reservation.  There the person has two active rows, in every other slot one.
ALTER TABLE reservations ADD COLUMN change_beside INTEGER NOT NULL DEFAULT 0 CHECK (change_beside IN (0, 1));
DROP INDEX reservations_person;
CREATE UNIQUE INDEX reservations_person ON reservations (user_id, slot_id, is_active, change_beside);
DROP TRIGGER reservations_no_replace_update;
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
           (SELECT starts_at FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id) AND reservation_id <> OLD.reservation_id
           AND change_beside = NEW.change_beside)
      THEN RAISE(ABORT, 'DUPLICATE: this person has an active reservation in this slot')
  END;
END;
-- One at a time.
CREATE UNIQUE INDEX reservations_one_change ON reservations (change_of) WHERE change_of IS NOT NULL AND status = 'TEMPORARY';
CREATE INDEX reservations_changes ON reservations (change_of) WHERE change_of IS NOT NULL;

-- How many people the deposit was paid for; NULL: as many as the party has.
ALTER TABLE reservations ADD COLUMN deposit_party INTEGER CHECK (deposit_party > 0);

-- What was asked is over when the reservation is, or is another one meanwhile.
CREATE TRIGGER reservations_change_over AFTER UPDATE OF status, slot_id, party_size ON reservations
WHEN OLD.is_active = 1 AND OLD.status <> 'TEMPORARY' AND
     (NEW.is_active IS NULL OR NEW.slot_id <> OLD.slot_id OR NEW.party_size <> OLD.party_size)
BEGIN
  UPDATE reservations SET status = 'EXPIRED', version = version + 1, changed_by = NEW.changed_by, updated_at = NEW.updated_at,
         changed_ticket = NULL
   WHERE change_of = NEW.reservation_id AND change_of IS NOT NULL AND status = 'TEMPORARY';
END;
-- With a change that has ended the reservation owes something else: the desk must not take money for what it saw before.
CREATE TRIGGER reservations_change_ended AFTER UPDATE OF status ON reservations
WHEN OLD.change_of IS NOT NULL AND OLD.status = 'TEMPORARY' AND NEW.status <> 'TEMPORARY'
BEGIN
  UPDATE reservations SET version = version + 1, changed_by = NEW.changed_by, updated_at = NEW.updated_at
   WHERE reservation_id = NEW.change_of;
END;

-- Whose money it is does not change, but that what came for a change can become its reservation's.
DROP TRIGGER payments_life;
CREATE TRIGGER payments_life BEFORE UPDATE ON payments
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a payment keeps its number, its reservation and its provider') WHERE
    (NEW.payment_id, NEW.provider) IS NOT (OLD.payment_id, OLD.provider) OR (NEW.reservation_id <> OLD.reservation_id AND
      NEW.reservation_id IS NOT (SELECT change_of FROM reservations WHERE reservation_id = OLD.reservation_id));
  SELECT RAISE(ABORT, 'BAD_MOVE: money that came in stays accounted for') WHERE OLD.status NOT IN ('READY', 'FAILED') AND
    (NEW.status IN ('READY', 'FAILED') OR (NEW.amount, NEW.currency, NEW.paid_at) IS NOT (OLD.amount, OLD.currency, OLD.paid_at)
      OR NEW.refunded_amount < OLD.refunded_amount);
  SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row') WHERE NEW.provider_payment_id IS NOT OLD.provider_payment_id AND
    EXISTS (SELECT 1 FROM payments WHERE provider = NEW.provider AND provider_payment_id = NEW.provider_payment_id);
END;

-- A hold with nothing due any more is confirmed by the change that made it so; the desk may take that back too.  So it may bring
-- back a change that waited for its money, and that ended with what the desk did.
DROP TRIGGER reservations_life;
CREATE TRIGGER reservations_life BEFORE UPDATE OF status ON reservations
WHEN NEW.status <> OLD.status AND OLD.status || '>' || NEW.status NOT IN (
  'TEMPORARY>CONFIRMED', 'TEMPORARY>PREPAY_CONFIRM', 'TEMPORARY>EXPIRED', 'TEMPORARY>CANCELED',
  'CONFIRMED>COMPLETED', 'CONFIRMED>NO_SHOW', 'CONFIRMED>CANCELED', 'CONFIRMED>REFUND_PENDING',
  'PREPAY_CONFIRM>COMPLETED', 'PREPAY_CONFIRM>NO_SHOW', 'PREPAY_CONFIRM>CANCELED', 'PREPAY_CONFIRM>REFUND_PENDING',
  'REFUND_PENDING>REFUNDED', 'REFUND_PENDING>CANCELED',
  'EXPIRED>CONFIRMED', 'EXPIRED>PREPAY_CONFIRM') AND NOT (NEW.version <> OLD.version AND OLD.status || '>' || NEW.status IN (
  'COMPLETED>CONFIRMED', 'COMPLETED>PREPAY_CONFIRM', 'NO_SHOW>CONFIRMED', 'NO_SHOW>PREPAY_CONFIRM', 'CONFIRMED>TEMPORARY',
  'CANCELED>TEMPORARY', 'CANCELED>CONFIRMED', 'CANCELED>PREPAY_CONFIRM',
  CASE WHEN OLD.change_of IS NOT NULL AND OLD.change_done IS NULL THEN 'EXPIRED>TEMPORARY' ELSE 0 END))
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a reservation cannot go from its status to that one');
END;

-- Cancelled at the shell: the restaurant has cancelled, so that everything it kept is due back.
CREATE TRIGGER reservations_cancelled_by_shell AFTER UPDATE OF status ON reservations
WHEN NEW.status = 'CANCELED' AND OLD.status <> 'CANCELED' AND NEW.version = OLD.version
BEGIN
  INSERT INTO reservation_cancellations (reservation_id, canceled_by, refund_amount)
  SELECT NEW.reservation_id, 'RESTAURANT', ifnull(sum(kept_amount), 0) FROM payments WHERE reservation_id = NEW.reservation_id;
  UPDATE payments SET status = 'REFUND_DUE', due_back_amount = due_back_amount + kept_amount, kept_amount = 0
   WHERE reservation_id = NEW.reservation_id AND kept_amount > 0;
END;

-- The key of a booking or walk-in of the desk: one that is sent again because its answer was lost is the same one.  (A guest's
-- key is theirs; at the door nobody may be known by name or number.)
ALTER TABLE reservations ADD COLUMN desk_key TEXT CHECK (length(desk_key) BETWEEN 1 AND 80);
CREATE UNIQUE INDEX reservations_desk_key ON reservations (restaurant_id, desk_key) WHERE desk_key IS NOT NULL;

-- ---- the house ----

-- No reservation is shorter than five minutes: a sitting of one to four would refuse every booking.
UPDATE restaurants SET sitting_minutes = 5 WHERE sitting_minutes BETWEEN 1 AND 4;
UPDATE restaurants SET sitting_large_minutes = 5 WHERE sitting_large_minutes BETWEEN 1 AND 4;
-- Browsers know a currency by three capital letters.
UPDATE restaurants SET currency = upper(currency) WHERE currency <> upper(currency);
CREATE TRIGGER restaurants_sound_insert BEFORE INSERT ON restaurants
BEGIN
  SELECT RAISE(ABORT, 'OUT_OF_RANGE: a sitting has at least five minutes, or 0') WHERE NEW.sitting_minutes BETWEEN 1 AND 4
      OR NEW.sitting_large_minutes BETWEEN 1 AND 4;
  SELECT RAISE(ABORT, 'BAD_CURRENCY: a currency has three capital letters, like KRW') WHERE NEW.currency NOT GLOB '[A-Z][A-Z][A-Z]';
END;
CREATE TRIGGER restaurants_sound_update BEFORE UPDATE OF sitting_minutes, sitting_large_minutes, currency ON restaurants
BEGIN
  SELECT RAISE(ABORT, 'OUT_OF_RANGE: a sitting has at least five minutes, or 0') WHERE NEW.sitting_minutes BETWEEN 1 AND 4
      OR NEW.sitting_large_minutes BETWEEN 1 AND 4;
  SELECT RAISE(ABORT, 'BAD_CURRENCY: a currency has three capital letters, like KRW')
   WHERE NEW.currency <> OLD.currency AND NEW.currency NOT GLOB '[A-Z][A-Z][A-Z]';
END;

-- What was sold stays sold.  When fewer people are let in than have been promised a place, their slot remembers how many those
-- were: nobody else gets in, and the check knows that they were let in by the rules of their day.
ALTER TABLE restaurant_reservation_slots ADD COLUMN promised INTEGER CHECK (promised >= 0);         -- who start in it
ALTER TABLE restaurant_reservation_slots ADD COLUMN promised_present INTEGER CHECK (promised_present >= 0); -- who are there when it begins
UPDATE restaurant_reservation_slots SET promised_present = q.people
  FROM (SELECT t.slot_id AS id, CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END AS seats,
               (SELECT ifnull(sum(v.party_size), 0) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id
                   AND v.is_active = 1 WHERE s.restaurant_id = t.restaurant_id AND s.slot_date BETWEEN date(t.slot_date, '-1 day')
                   AND t.slot_date AND s.starts_at <= t.starts_at AND v.ends_at > t.starts_at) AS people
          FROM restaurants r JOIN restaurant_reservation_slots t USING (restaurant_id) WHERE t.slot_date >= date('now', '-1 day')
           AND (r.seats > 0 OR r.sitting_minutes > r.slot_minutes OR r.sitting_large_minutes > r.slot_minutes)) q
 WHERE slot_id = q.id AND q.people > q.seats;
DROP TRIGGER slots_keep_their_people;
CREATE TRIGGER slots_keep_their_people AFTER UPDATE OF max_capacity ON restaurant_reservation_slots
WHEN NEW.max_capacity < OLD.max_capacity
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND is_active = 1)
    > max(NEW.max_capacity, ifnull(NEW.promised, 0));
END;
-- A slot that has as many seats as the house gives every slot follows the house; one with a number of its own keeps it.
CREATE TRIGGER restaurants_fewer AFTER UPDATE OF reservation_limit, seats, slot_minutes, sitting_minutes, sitting_large_minutes ON restaurants
WHEN (NEW.reservation_limit, NEW.seats, NEW.slot_minutes, NEW.sitting_minutes, NEW.sitting_large_minutes) IS NOT
     (OLD.reservation_limit, OLD.seats, OLD.slot_minutes, OLD.sitting_minutes, OLD.sitting_large_minutes)
BEGIN
  UPDATE restaurant_reservation_slots SET max_capacity = NEW.reservation_limit,
         promised = CASE WHEN q.people > NEW.reservation_limit THEN max(ifnull(promised, 0), q.people) ELSE promised END
    FROM (SELECT s.slot_id AS id, (SELECT ifnull(sum(v.party_size), 0) FROM reservations v WHERE v.slot_id = s.slot_id AND v.is_active = 1)
            AS people FROM restaurant_reservation_slots s WHERE s.restaurant_id = NEW.restaurant_id AND s.slot_date >= date('now', '-1 day')
             AND s.max_capacity = OLD.reservation_limit) q
   WHERE slot_id = q.id AND NEW.reservation_limit <> OLD.reservation_limit;
  UPDATE restaurant_reservation_slots SET promised_present = q.people
    FROM (SELECT t.slot_id AS id, (SELECT ifnull(sum(v.party_size), 0) FROM restaurant_reservation_slots s JOIN reservations v
             ON v.slot_id = s.slot_id AND v.is_active = 1 WHERE s.restaurant_id = NEW.restaurant_id
             AND s.slot_date BETWEEN date(t.slot_date, '-1 day') AND t.slot_date AND s.starts_at <= t.starts_at AND v.ends_at > t.starts_at)
            AS people FROM restaurant_reservation_slots t WHERE t.restaurant_id = NEW.restaurant_id AND t.slot_date >= date('now', '-1 day')) q
   WHERE slot_id = q.id AND (NEW.seats > 0 OR NEW.sitting_minutes > NEW.slot_minutes OR NEW.sitting_large_minutes > NEW.slot_minutes)
     AND q.people > max(ifnull(promised_present, 0), CASE NEW.seats WHEN 0 THEN NEW.reservation_limit ELSE NEW.seats END);
END;

-- A slot keeps its date and time, and while somebody has a place in it its instant.  In another time zone 19:00 is another instant:
-- an empty slot follows, and with it those who are no longer in it.
DROP TRIGGER slots_stay_put;
CREATE TRIGGER slots_stay_put BEFORE UPDATE OF slot_id, restaurant_id, slot_date, slot_time, starts_at ON restaurant_reservation_slots
WHEN (NEW.slot_id, NEW.restaurant_id, NEW.slot_date, NEW.slot_time) IS NOT (OLD.slot_id, OLD.restaurant_id, OLD.slot_date, OLD.slot_time) OR
     (OLD.starts_at IS NOT NULL AND NEW.starts_at IS NOT OLD.starts_at AND (NEW.starts_at IS NULL OR
       EXISTS (SELECT 1 FROM reservations v WHERE v.slot_id = OLD.slot_id AND v.is_active = 1)))
BEGIN SELECT RAISE(ABORT, 'BAD_MOVE: a slot keeps its date and time; move the reservations instead'); END;
CREATE TRIGGER slots_moved AFTER UPDATE OF starts_at ON restaurant_reservation_slots
WHEN OLD.starts_at IS NOT NULL AND NEW.starts_at <> OLD.starts_at
BEGIN
  UPDATE reservations SET starts_at = NEW.starts_at, ends_at = strftime('%Y-%m-%dT%H:%M:%SZ', NEW.starts_at,
    (strftime('%s', ends_at) - strftime('%s', starts_at)) || ' seconds') WHERE slot_id = NEW.slot_id;
END;

-- ---- people ----

-- What one restaurant knows about a guest of its own: its note, and whether it takes bookings from them.
CREATE TABLE restaurant_guests (
  user_id       INTEGER NOT NULL REFERENCES users,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  is_blocked    INTEGER NOT NULL DEFAULT 0 CHECK (is_blocked = 0 OR is_blocked = 1),
  note          TEXT CHECK (length(note) <= 400),          -- the desk's own: allergies, habits
  updated_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  PRIMARY KEY (user_id, restaurant_id)
) STRICT, WITHOUT ROWID;

-- How many restaurants take no bookings from them, so that a booking looks into the table above only for those few.
-- (is_blocked of users is the whole box: somebody of the house who was removed, or a guest whom the owner blocks at the shell.)
ALTER TABLE users ADD COLUMN blocked_by INTEGER NOT NULL DEFAULT 0 CHECK (blocked_by >= 0);
CREATE TRIGGER restaurant_guests_insert AFTER INSERT ON restaurant_guests WHEN NEW.is_blocked = 1
BEGIN UPDATE users SET blocked_by = blocked_by + 1 WHERE user_id = NEW.user_id; END;
CREATE TRIGGER restaurant_guests_update AFTER UPDATE ON restaurant_guests
WHEN NEW.is_blocked <> OLD.is_blocked OR NEW.user_id <> OLD.user_id
BEGIN
  UPDATE users SET blocked_by = blocked_by - OLD.is_blocked WHERE user_id = OLD.user_id;
  UPDATE users SET blocked_by = blocked_by + NEW.is_blocked WHERE user_id = NEW.user_id;
END;
CREATE TRIGGER restaurant_guests_delete AFTER DELETE ON restaurant_guests WHEN OLD.is_blocked = 1
BEGIN UPDATE users SET blocked_by = blocked_by - 1 WHERE user_id = OLD.user_id; END;


-- Notes and blocks were the whole box's.  They become those of every restaurant that the guest has been to; of every
-- restaurant, if they have been to none.  (jari no longer looks at users.note.)
CREATE TABLE upgrade_known AS
SELECT CASE u.user_type WHEN 'GUEST' THEN ifnull(u.phone_of, u.user_id) ELSE u.user_id END AS person,
       max(u.user_type = 'GUEST' AND u.is_blocked = 1) AS blocked,
       CASE WHEN min(u.note) = max(u.note) THEN max(u.note) ELSE substr(group_concat(u.note, ' / '), 1, 400) END AS note
  FROM users u WHERE u.erased_at IS NULL AND (u.note IS NOT NULL OR (u.user_type = 'GUEST' AND u.is_blocked = 1)) GROUP BY 1;
INSERT INTO restaurant_guests (user_id, restaurant_id, is_blocked, note)
SELECT k.person, r.restaurant_id, k.blocked, k.note FROM upgrade_known k, restaurants r
 WHERE EXISTS (SELECT 1 FROM reservations v WHERE v.user_id = k.person AND v.restaurant_id = r.restaurant_id)
    OR EXISTS (SELECT 1 FROM waitlist w WHERE w.user_id = k.person AND w.restaurant_id = r.restaurant_id)
    OR NOT (EXISTS (SELECT 1 FROM reservations v WHERE v.user_id = k.person) OR EXISTS (SELECT 1 FROM waitlist w WHERE w.user_id = k.person));
DROP TABLE upgrade_known;
UPDATE users SET is_blocked = CASE user_type WHEN 'GUEST' THEN 0 ELSE is_blocked END, note = NULL
 WHERE note IS NOT NULL OR (user_type = 'GUEST' AND is_blocked = 1);

-- When a card proved its number: who never booked with it is forgotten like a guest who came last on that day.
ALTER TABLE cards ADD COLUMN proven_at TEXT;
UPDATE cards SET proven_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE proven_by IS NOT NULL;
UPDATE cards SET proven_at = p.at FROM (SELECT card_id, max(proven_at) AS at FROM proofs WHERE proven_at IS NOT NULL GROUP BY card_id) p
 WHERE p.card_id = cards.card_id AND cards.proven_by IS NOT NULL;
CREATE INDEX cards_phone ON cards (phone_key) WHERE phone_key IS NOT NULL;
CREATE INDEX outbox_proof ON outbox (proof_id) WHERE proof_id IS NOT NULL;
-- A code is over after minutes.  A day later its row forgets the number as well as the address (0: forgotten).
UPDATE proofs SET phone_key = 0 WHERE address IS NULL;
-- The address in the one spelling that is counted, of codes by mail; forgotten with it.
ALTER TABLE proofs ADD COLUMN mailbox TEXT;
CREATE INDEX proofs_mailbox ON proofs (mailbox, created_at) WHERE mailbox IS NOT NULL;

DROP VIEW v_guests;
CREATE VIEW v_guests AS
SELECT ifnull(u.phone, '') AS phone, count(v.reservation_id) AS reservations,
       count(*) FILTER (WHERE v.status = 'COMPLETED') AS visits,
       count(*) FILTER (WHERE v.status = 'NO_SHOW') AS no_shows,
       count(*) FILTER (WHERE v.status IN ('CANCELED', 'REFUNDED')) AS canceled,
       max(s.slot_date) AS last_date, ifnull(u.email, '') AS email, u.name AS guest,
       ifnull((SELECT group_concat(g.note, ' / ') FROM restaurant_guests g WHERE g.user_id = u.user_id), '') AS note
  FROM users u
  JOIN reservations v ON v.user_id = u.user_id
  JOIN restaurant_reservation_slots s USING (slot_id)
 WHERE u.erased_at IS NULL
 GROUP BY u.user_id
 ORDER BY last_date DESC, guest;

-- An ended card must stay: without its row it would open again what it opened.
CREATE TRIGGER cards_stay BEFORE DELETE ON cards BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;

-- ---- messages ----

-- Codes go before offers, and offers before the rest.
ALTER TABLE outbox ADD COLUMN urgency INTEGER AS (CASE event WHEN 'code' THEN 0 WHEN 'offer' THEN 1 ELSE 2 END) VIRTUAL;
ALTER TABLE outbox ADD COLUMN tried_at TEXT;              -- when it was last sent, refused or put off
ALTER TABLE outbox ADD COLUMN recipient INTEGER;          -- a keyed hash of where it went; forgotten after a day
ALTER TABLE outbox ADD COLUMN told TEXT CHECK (length(told) <= 40); -- what the guest has read: date, time, party; '-' if it is off; '?': by an earlier version
UPDATE outbox SET told = '?' WHERE status = 'SENT' AND reservation_id IS NOT NULL;
-- The version is the reservation's alone.  What else a row is about has columns of its own.
ALTER TABLE outbox ADD COLUMN planned_for TEXT NOT NULL DEFAULT ''; -- of a reminder: when the party begins; of 'lapsing': when the hold ends
ALTER TABLE outbox ADD COLUMN first_reservation INTEGER;  -- of 'owner-new': the first that it tells of
ALTER TABLE outbox ADD COLUMN last_reservation INTEGER;   -- of 'owner-digest': the last that it tells of
DROP INDEX outbox_once;
UPDATE outbox SET version = 0, planned_for = CASE WHEN version > 0 THEN strftime('%Y-%m-%dT%H:%M:%SZ', version, 'unixepoch')
  ELSE 'early:' || outbox_id END WHERE event IN ('remind-day', 'remind-soon', 'lapsing');
UPDATE outbox SET version = 0, first_reservation = version WHERE event = 'owner-new';
UPDATE outbox SET version = 0, last_reservation = version WHERE event = 'owner-digest';
CREATE UNIQUE INDEX outbox_once ON outbox (reservation_id, event, channel, version, planned_for) WHERE reservation_id IS NOT NULL;
DROP INDEX outbox_due;
CREATE INDEX outbox_next ON outbox (channel, urgency, restaurant_id, next_attempt_at) WHERE status = 'QUEUED';
CREATE INDEX outbox_recipient ON outbox (recipient, sent_at) WHERE recipient IS NOT NULL;
CREATE INDEX outbox_stuck ON outbox (restaurant_id, tried_at) WHERE status = 'QUEUED' AND attempts > 1;
