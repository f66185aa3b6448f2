-- 0010_strangers - what one stranger can do is bounded: waiting, codes, money that was changed, messages.
--
-- From here on a migration changes tables and rows only, and runs without triggers and views: those, and the indexes, come from
-- db/schema.sql afterwards.  What a trigger would have done to a row is done here by hand.

-- ---- the waitlist ----

ALTER TABLE restaurants ADD COLUMN waitlist_keep_minutes INTEGER NOT NULL DEFAULT 30
  CHECK (waitlist_keep_minutes BETWEEN 0 AND 1440);

-- Waiters whose number or address is proven, or whom the desk put on the list.  The others keep nothing back.
ALTER TABLE waitlist ADD COLUMN proven INTEGER NOT NULL DEFAULT 0 CHECK (proven BETWEEN 0 AND 1);
UPDATE waitlist SET proven = 1 WHERE is_waiting = 1 AND (EXISTS (SELECT 1 FROM cards c WHERE c.card_id = waitlist.card_id
  AND c.proven_by IS NOT NULL)
  OR EXISTS (SELECT 1 FROM users u WHERE 'user:' || u.user_id = waitlist.changed_by AND u.user_type IN ('STAFF', 'OWNER')));
-- Of an offer: when its seats are everybody's if it is not taken.  An offer after an offer has the same.
ALTER TABLE waitlist ADD COLUMN kept_until TEXT CHECK (kept_until IS strftime('%Y-%m-%dT%H:%M:%SZ', kept_until, '+0 days'));
-- Since when a guest has the place that they moved to, or the people that they added; NULL: since the booking.
ALTER TABLE reservations ADD COLUMN placed_at TEXT;

-- Seats that came free while a guest waited for them.  Until kept_until they are for those who wait; after it the row means
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

-- ---- money ----

-- The most that a guest who cancels gets back, in percent: what applied when they last moved a paid reservation.  Moving to a
-- later day does not bring back what was lost by waiting.  NULL: it was never moved.
ALTER TABLE reservations ADD COLUMN refund_cap INTEGER CHECK (refund_cap BETWEEN 0 AND 100);
-- What the house keeps for people whom the guest took off later than the policy gives all back: it is of those, not of the
-- party.
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

-- How many people the deposit was paid for; NULL: as many as the party has.
ALTER TABLE reservations ADD COLUMN deposit_party INTEGER CHECK (deposit_party > 0);

-- The key of a booking or walk-in of the desk: one that is sent again because its answer was lost is the same one.  (A guest's
-- key is theirs; a walk-in may have neither name nor number.)
ALTER TABLE reservations ADD COLUMN desk_key TEXT CHECK (length(desk_key) BETWEEN 1 AND 80);

-- ---- the house ----

-- No reservation is shorter than five minutes: a sitting of one to four would refuse every booking.
INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'restaurant', restaurant_id, 'sitting_minutes', sitting_minutes, 5
  FROM restaurants WHERE sitting_minutes BETWEEN 1 AND 4
UNION ALL
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'restaurant', restaurant_id, 'sitting_large_minutes',
  sitting_large_minutes, 5
  FROM restaurants WHERE sitting_large_minutes BETWEEN 1 AND 4
UNION ALL
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'restaurant', restaurant_id, 'currency', currency, upper(currency)
  FROM restaurants WHERE currency <> upper(currency);
UPDATE restaurants SET sitting_minutes = 5 WHERE sitting_minutes BETWEEN 1 AND 4;
UPDATE restaurants SET sitting_large_minutes = 5 WHERE sitting_large_minutes BETWEEN 1 AND 4;
-- Browsers know a currency by three capital letters.
UPDATE restaurants SET currency = upper(currency) WHERE currency <> upper(currency);

-- What was sold stays sold.  When fewer people are let in than have been promised a place, their slot remembers how many those
-- were: no other party gets in, and the check knows that they were let in by the rules of their day.
ALTER TABLE restaurant_reservation_slots ADD COLUMN promised INTEGER CHECK (promised >= 0); -- people who start in it
ALTER TABLE restaurant_reservation_slots ADD COLUMN promised_present INTEGER -- people present when it begins
  CHECK (promised_present >= 0);
UPDATE restaurant_reservation_slots SET promised_present = q.people
  FROM (SELECT t.slot_id AS id, CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END AS seats,
               (SELECT ifnull(sum(v.party_size), 0) FROM restaurant_reservation_slots s
                 JOIN reservations v ON v.slot_id = s.slot_id
                   AND v.is_active = 1 WHERE s.restaurant_id = t.restaurant_id
                     AND s.slot_date BETWEEN date(t.slot_date, '-1 day')
                   AND t.slot_date AND s.starts_at <= t.starts_at AND v.ends_at > t.starts_at) AS people
          FROM restaurants r JOIN restaurant_reservation_slots t USING (restaurant_id)
            WHERE t.slot_date >= date('now', '-1 day')
           AND (r.seats > 0 OR r.sitting_minutes > r.slot_minutes OR r.sitting_large_minutes > r.slot_minutes)) q
 WHERE slot_id = q.id AND q.people > q.seats;

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
-- (is_blocked of users is the whole box: a login that was removed, or a guest whom the owner blocks at the shell.)
ALTER TABLE users ADD COLUMN blocked_by INTEGER NOT NULL DEFAULT 0 CHECK (blocked_by >= 0);

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
    OR NOT (EXISTS (SELECT 1 FROM reservations v WHERE v.user_id = k.person) OR EXISTS (SELECT 1 FROM waitlist w
      WHERE w.user_id = k.person));
DROP TABLE upgrade_known;
UPDATE users SET blocked_by = b.restaurants FROM (SELECT user_id AS id, count(*) AS restaurants FROM restaurant_guests
  WHERE is_blocked = 1 GROUP BY 1) b
 WHERE user_id = b.id;
UPDATE users SET is_blocked = CASE user_type WHEN 'GUEST' THEN 0 ELSE is_blocked END, note = NULL
 WHERE note IS NOT NULL OR (user_type = 'GUEST' AND is_blocked = 1);

-- When a card proved its number: who never booked with it is forgotten like a guest who came last on that day.
ALTER TABLE cards ADD COLUMN proven_at TEXT;
UPDATE cards SET proven_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE proven_by IS NOT NULL;
UPDATE cards SET proven_at = p.at FROM (SELECT card_id, max(proven_at) AS at FROM proofs WHERE proven_at IS NOT NULL
  GROUP BY card_id) p
 WHERE p.card_id = cards.card_id AND cards.proven_by IS NOT NULL;
-- A code is over after minutes.  A day later its row forgets the number as well as the address (0: forgotten).
UPDATE proofs SET phone_key = 0 WHERE address IS NULL;
-- The address in the one spelling that is counted, of codes by mail; forgotten with it.
ALTER TABLE proofs ADD COLUMN mailbox TEXT;

-- ---- messages ----

-- Codes go before offers, and offers before the rest.
ALTER TABLE outbox ADD COLUMN urgency INTEGER AS (CASE event WHEN 'code' THEN 0 WHEN 'offer' THEN 1 ELSE 2 END) VIRTUAL;
ALTER TABLE outbox ADD COLUMN tried_at TEXT;              -- when it was last sent, refused or put off
ALTER TABLE outbox ADD COLUMN recipient INTEGER;          -- a keyed hash of where it went; forgotten after a day
-- What the guest has read: date, time, party; '-': that it is cancelled; '?': a message of an earlier version.
ALTER TABLE outbox ADD COLUMN told TEXT CHECK (length(told) <= 40);
UPDATE outbox SET told = '?' WHERE status = 'SENT' AND reservation_id IS NOT NULL;
-- The version is the reservation's alone.  What else a row is about has columns of its own.
ALTER TABLE outbox ADD COLUMN planned_for TEXT NOT NULL DEFAULT ''; -- start of the party (reminder), end of the hold (lapsing)
ALTER TABLE outbox ADD COLUMN first_reservation INTEGER;  -- of 'owner-new': the first that it tells of
ALTER TABLE outbox ADD COLUMN last_reservation INTEGER;   -- of 'owner-digest': the last that it tells of
DROP INDEX IF EXISTS outbox_once; -- as it was, it would refuse some of these; the page has another
UPDATE outbox SET version = 0, planned_for = CASE WHEN version > 0 THEN strftime('%Y-%m-%dT%H:%M:%SZ', version, 'unixepoch')
  ELSE 'early:' || outbox_id END WHERE event IN ('remind-day', 'remind-soon', 'lapsing');
UPDATE outbox SET version = 0, first_reservation = version WHERE event = 'owner-new';
UPDATE outbox SET version = 0, last_reservation = version WHERE event = 'owner-digest';

-- ---- what nothing uses ----

-- Made for webhooks of a payment provider, and never written to.
DROP TABLE payment_events;
