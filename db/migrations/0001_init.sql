-- 0001_init - the whole book.
--
-- The owner may open this file with the sqlite3 shell, so the book defends itself: whatever writes
-- to it, jari or a person, the rules below hold.  Instants are UTC text like 2026-01-20T02:00:00Z;
-- the date and time of a slot are the restaurant's own, 2026-01-20 and 11:00.
-- ('+0 days' sends a value through the calendar: date('2026-02-30') alone is '2026-02-30'.)
--
-- What RAISE says begins with a word of core/err.h, so that jari can answer with the right
-- sentence: a trigger that says SLOT_FULL: ... reaches the guest as 409 SLOT_FULL.

-- A restaurant and its policies.  The numeric policies are described once more, with range and
-- default, in core/settings.c; a test compares the two.
CREATE TABLE restaurants (
  restaurant_id            INTEGER PRIMARY KEY,
  name                     TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  name_en                  TEXT             CHECK (length(name_en) BETWEEN 1 AND 80),
  phone                    TEXT,
  address                  TEXT,
  address_en               TEXT,
  timezone                 TEXT    NOT NULL DEFAULT 'Asia/Seoul',
  -- Minutes east of UTC today.  SQLite knows no time zones; jari keeps this so that the views
  -- know which day it is at the restaurant.
  utc_offset_minutes       INTEGER NOT NULL DEFAULT 540 CHECK (utc_offset_minutes BETWEEN -900 AND 900),
  currency                 TEXT    NOT NULL DEFAULT 'KRW' CHECK (length(currency) = 3),
  reservation_limit        INTEGER NOT NULL DEFAULT 20    CHECK (reservation_limit BETWEEN 0 AND 10000),
  slot_minutes             INTEGER NOT NULL DEFAULT 60    CHECK (slot_minutes BETWEEN 5 AND 720),
  hold_seconds             INTEGER NOT NULL DEFAULT 420   CHECK (hold_seconds BETWEEN 1 AND 86400),
  party_min                INTEGER NOT NULL DEFAULT 1     CHECK (party_min BETWEEN 1 AND 1000),
  party_max                INTEGER NOT NULL DEFAULT 12    CHECK (party_max BETWEEN 1 AND 1000),
  lead_minutes             INTEGER NOT NULL DEFAULT 30    CHECK (lead_minutes BETWEEN 0 AND 525600),
  window_days              INTEGER NOT NULL DEFAULT 60    CHECK (window_days BETWEEN 0 AND 730),
  deposit_per_person       INTEGER NOT NULL DEFAULT 5000  CHECK (deposit_per_person BETWEEN 0 AND 10000000),
  deposit_large_from       INTEGER NOT NULL DEFAULT 7     CHECK (deposit_large_from BETWEEN 1 AND 1000),
  deposit_large_per_person INTEGER NOT NULL DEFAULT 10000 CHECK (deposit_large_per_person BETWEEN 0 AND 10000000),
  refund_day_before_pct    INTEGER NOT NULL DEFAULT 100   CHECK (refund_day_before_pct BETWEEN 0 AND 100),
  refund_same_day_pct      INTEGER NOT NULL DEFAULT 50    CHECK (refund_same_day_pct BETWEEN 0 AND 100),
  refund_cutoff_minutes    INTEGER NOT NULL DEFAULT 120   CHECK (refund_cutoff_minutes BETWEEN 0 AND 10080),
  refund_late_pct          INTEGER NOT NULL DEFAULT 20    CHECK (refund_late_pct BETWEEN 0 AND 100),
  refund_large_from        INTEGER NOT NULL DEFAULT 8     CHECK (refund_large_from BETWEEN 1 AND 1000),
  refund_late_large_pct    INTEGER NOT NULL DEFAULT 10    CHECK (refund_late_large_pct BETWEEN 0 AND 100),
  rate_limit_per_sec       INTEGER NOT NULL DEFAULT 0     CHECK (rate_limit_per_sec BETWEEN 0 AND 100000), -- 0 is off
  wait_ms                  INTEGER NOT NULL DEFAULT 2000  CHECK (wait_ms BETWEEN 0 AND 20000),
  user_lock_ms             INTEGER NOT NULL DEFAULT 5000  CHECK (user_lock_ms BETWEEN 0 AND 600000),
  paused_until             TEXT CHECK (paused_until IS strftime('%Y-%m-%dT%H:%M:%SZ', paused_until, '+0 days')),
  created_at               TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                           CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  updated_at               TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                           CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at, '+0 days')),
  CHECK (party_min <= party_max)
) STRICT;

-- Weekly hours; several rows a day are lunch and dinner.  Past midnight belongs to the next day:
-- write Friday 18:00-24:00 and Saturday 00:00-02:00.
CREATE TABLE opening_hours (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  weekday       INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),       -- 1 is Monday
  opens         TEXT NOT NULL CHECK (opens  IS strftime('%H:%M', opens, '+0 days')),
  closes        TEXT NOT NULL CHECK (closes = '24:00' OR closes IS strftime('%H:%M', closes, '+0 days')),
  label         TEXT NOT NULL DEFAULT '' CHECK (label IN ('', 'lunch', 'dinner', 'breakfast')),
  PRIMARY KEY (restaurant_id, weekday, opens),
  CHECK (opens < closes)
) STRICT, WITHOUT ROWID;

-- A day that differs from its week.  Any row for a day replaces the weekly hours of that day;
-- a row without hours says: closed.
CREATE TABLE special_days (
  special_day_id INTEGER PRIMARY KEY,
  restaurant_id  INTEGER NOT NULL REFERENCES restaurants,
  day            TEXT NOT NULL CHECK (day IS date(day, '+0 days')),
  opens          TEXT CHECK (opens IS strftime('%H:%M', opens, '+0 days')),
  closes         TEXT CHECK (closes = '24:00' OR closes IS strftime('%H:%M', closes, '+0 days')),
  label          TEXT NOT NULL DEFAULT '' CHECK (label IN ('', 'lunch', 'dinner', 'breakfast')),
  note           TEXT CHECK (length(note) <= 80),
  CHECK ((opens IS NULL) = (closes IS NULL)),
  CHECK (opens < closes)
) STRICT;
CREATE UNIQUE INDEX special_days_once ON special_days (restaurant_id, day, ifnull(opens, ''));

-- Optional.  A restaurant with tables seats each party at the smallest free table that fits.
CREATE TABLE dining_tables (
  table_id      INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 20),
  seats_min     INTEGER NOT NULL DEFAULT 1 CHECK (seats_min >= 1),
  seats_max     INTEGER NOT NULL CHECK (seats_max BETWEEN seats_min AND 1000),
  is_deleted    INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
  UNIQUE (restaurant_id, name)
) STRICT;

CREATE TABLE menus (
  menu_id       INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  name_en       TEXT             CHECK (length(name_en) BETWEEN 1 AND 80),
  description   TEXT             CHECK (length(description) <= 200),
  price         INTEGER NOT NULL CHECK (price BETWEEN 0 AND 10000000),
  position      INTEGER NOT NULL DEFAULT 0,
  is_deleted    INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1))
) STRICT;
CREATE INDEX menus_of_restaurant ON menus (restaurant_id, position) WHERE is_deleted = 0;

-- Everybody with a name.  A guest has no password and one row for each time he introduced himself;
-- an account, the staff and the owner log in with e-mail and password.
CREATE TABLE users (
  user_id       INTEGER PRIMARY KEY,
  user_type     TEXT    NOT NULL CHECK (user_type IN ('GUEST', 'ACCOUNT', 'STAFF', 'OWNER')),
  restaurant_id INTEGER REFERENCES restaurants,          -- staff of one restaurant only; NULL is all
  name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  phone         TEXT             CHECK (length(phone) BETWEEN 3 AND 20),
  email         TEXT             CHECK (length(email) BETWEEN 3 AND 254),
  password_hash TEXT,
  ticket        INTEGER UNIQUE,                          -- a guest's place in the line when he came
  token_version INTEGER NOT NULL DEFAULT 1,              -- raised by a new password: old logins end
  language      TEXT NOT NULL DEFAULT 'ko' CHECK (language IN ('ko', 'en')),
  is_blocked    INTEGER NOT NULL DEFAULT 0 CHECK (is_blocked IN (0, 1)),
  note          TEXT CHECK (length(note) <= 400),        -- the desk's own: allergies, habits
  created_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  erased_at     TEXT CHECK (erased_at IS strftime('%Y-%m-%dT%H:%M:%SZ', erased_at, '+0 days')),
  CHECK (user_type = 'GUEST' OR email IS NOT NULL OR erased_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX users_login ON users (lower(email)) WHERE user_type <> 'GUEST' AND email IS NOT NULL;
CREATE INDEX users_phone ON users (phone) WHERE phone IS NOT NULL;

-- A slot is created by its first booking.  How many seats are taken is never stored, always summed.
CREATE TABLE restaurant_reservation_slots (
  slot_id       INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  slot_date     TEXT    NOT NULL CHECK (slot_date IS date(slot_date, '+0 days')),
  slot_time     TEXT    NOT NULL CHECK (slot_time IS strftime('%H:%M', slot_time, '+0 days')),
  max_capacity  INTEGER NOT NULL CHECK (max_capacity >= 0),
  created_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  updated_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at, '+0 days')),
  UNIQUE (restaurant_id, slot_date, slot_time)
) STRICT;

-- (No lists of words with IN here: SQLite builds a little table for each of them with every row it writes.)
CREATE TABLE reservations (
  reservation_id   INTEGER PRIMARY KEY CHECK (reservation_id < 9007199254740992), -- the next has one more
  reservation_code TEXT    NOT NULL UNIQUE CHECK (length(reservation_code) BETWEEN 1 AND 40),
  slot_id          INTEGER NOT NULL REFERENCES restaurant_reservation_slots,
  user_id          INTEGER NOT NULL REFERENCES users,
  party_size       INTEGER NOT NULL CHECK (party_size BETWEEN 1 AND 1000),
  reservation_type TEXT    NOT NULL CHECK (reservation_type = 'RESERVATION_DEPOSIT' OR reservation_type = 'PREORDER_PREPAY'),
  status           TEXT    NOT NULL CHECK (status = 'TEMPORARY' OR status = 'CONFIRMED' OR status = 'PREPAY_CONFIRM' OR
                   status = 'REFUND_PENDING' OR status = 'EXPIRED' OR status = 'COMPLETED' OR status = 'REFUNDED' OR
                   status = 'NO_SHOW' OR status = 'CANCELED'),
  request_message  TEXT    CHECK (length(request_message) <= 50),
  deposit_amount   INTEGER NOT NULL DEFAULT 0 CHECK (deposit_amount >= 0),
  prepay_amount    INTEGER NOT NULL DEFAULT 0 CHECK (prepay_amount >= 0),
  total_amount     INTEGER NOT NULL DEFAULT 0 CHECK (total_amount >= 0),
  currency         TEXT    NOT NULL DEFAULT 'KRW' CHECK (length(currency) = 3),
  refund_policy    TEXT    NOT NULL DEFAULT '',          -- the rules of the day it was made, core/money.h
  hold_expires_at  TEXT    CHECK (hold_expires_at IS strftime('%Y-%m-%dT%H:%M:%SZ', hold_expires_at, '+0 days')),
  visit_status     TEXT    NOT NULL DEFAULT 'PENDING' CHECK (visit_status = 'PENDING' OR visit_status = 'ARRIVED' OR
                   visit_status = 'SEATED' OR visit_status = 'LEFT'),
  table_id         INTEGER REFERENCES dining_tables,
  source           TEXT    NOT NULL DEFAULT 'WEB' CHECK (source = 'WEB' OR source = 'DESK' OR source = 'WALK_IN' OR
                   source = 'WAITLIST' OR source = 'IMPORT'),
  ticket           INTEGER UNIQUE,                       -- its place in the line
  idempotency_key  TEXT    CHECK (length(idempotency_key) BETWEEN 1 AND 80),
  version          INTEGER NOT NULL DEFAULT 1,           -- raised by jari with every change
  changed_by       TEXT    NOT NULL DEFAULT 'shell',     -- who made the last change, for the audit
  changed_ticket   INTEGER,                              -- and by which ticket
  created_at       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                   CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  updated_at       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                   CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at, '+0 days')),
  -- 1 while the seats are taken, else NULL: never 0, so that the unique indexes below let a guest
  -- cancel and book again as often as he likes.
  is_active        INTEGER GENERATED ALWAYS AS (CASE status WHEN 'TEMPORARY' THEN 1 WHEN 'CONFIRMED' THEN 1
                   WHEN 'PREPAY_CONFIRM' THEN 1 WHEN 'REFUND_PENDING' THEN 1 END) VIRTUAL,
  CHECK (status <> 'TEMPORARY' OR hold_expires_at IS NOT NULL),
  CHECK (total_amount = deposit_amount + prepay_amount)
) STRICT;
CREATE UNIQUE INDEX reservations_one_active  ON reservations (user_id, slot_id) WHERE is_active = 1;
CREATE UNIQUE INDEX reservations_one_a_table ON reservations (slot_id, table_id) WHERE is_active = 1 AND table_id IS NOT NULL;
CREATE UNIQUE INDEX reservations_one_a_key   ON reservations (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
-- Covers the sum of a slot's active parties, the question asked most often.  It is asked by status, not
-- by is_active: SQLite 3.40 reads the whole row for a generated column, whatever an index holds.
CREATE INDEX reservations_slot  ON reservations (slot_id, status, party_size);
CREATE INDEX reservations_due   ON reservations (hold_expires_at) WHERE status = 'TEMPORARY';
CREATE INDEX reservations_user  ON reservations (user_id);

-- What was ordered ahead, at the name and price of that moment.
CREATE TABLE reservation_menu_items (
  reservation_id INTEGER NOT NULL REFERENCES reservations,
  menu_id        INTEGER NOT NULL REFERENCES menus,
  menu_name      TEXT    NOT NULL,
  unit_price     INTEGER NOT NULL CHECK (unit_price >= 0),
  quantity       INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
  line_amount    INTEGER NOT NULL CHECK (line_amount = unit_price * quantity),
  PRIMARY KEY (reservation_id, menu_id)
) STRICT, WITHOUT ROWID;

-- Money.  Once paid, every won is accounted for: kept, given back, or due back.
CREATE TABLE payments (
  payment_id          INTEGER PRIMARY KEY,
  reservation_id      INTEGER NOT NULL REFERENCES reservations,
  provider            TEXT    NOT NULL CHECK (provider IN ('desk', 'portone')),
  provider_payment_id TEXT,
  amount              INTEGER NOT NULL CHECK (amount >= 0),
  currency            TEXT    NOT NULL DEFAULT 'KRW' CHECK (length(currency) = 3),
  status              TEXT    NOT NULL CHECK (status IN ('READY', 'PAID', 'FAILED', 'REFUND_DUE', 'REFUNDED')),
  kept_amount         INTEGER NOT NULL DEFAULT 0 CHECK (kept_amount >= 0),
  refunded_amount     INTEGER NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
  due_back_amount     INTEGER NOT NULL DEFAULT 0 CHECK (due_back_amount >= 0),
  paid_at             TEXT CHECK (paid_at IS strftime('%Y-%m-%dT%H:%M:%SZ', paid_at, '+0 days')),
  refunded_at         TEXT CHECK (refunded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', refunded_at, '+0 days')),
  note                TEXT CHECK (length(note) <= 200),
  created_at          TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                      CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  CHECK (status IN ('READY', 'FAILED') OR amount = kept_amount + refunded_amount + due_back_amount),
  CHECK (status IN ('READY', 'FAILED') OR paid_at IS NOT NULL),
  CHECK ((status = 'REFUND_DUE') = (due_back_amount > 0))
) STRICT;
CREATE UNIQUE INDEX payments_once ON payments (provider, provider_payment_id) WHERE provider_payment_id IS NOT NULL;
CREATE INDEX payments_reservation ON payments (reservation_id);
CREATE INDEX payments_due_back ON payments (due_back_amount) WHERE status = 'REFUND_DUE';

-- Webhook events already handled: any event may come twice, late or out of order.
CREATE TABLE payment_events (
  provider    TEXT NOT NULL,
  event_id    TEXT NOT NULL,
  kind        TEXT NOT NULL,
  payment_id  INTEGER REFERENCES payments,
  received_at TEXT NOT NULL CHECK (received_at IS strftime('%Y-%m-%dT%H:%M:%SZ', received_at, '+0 days')),
  PRIMARY KEY (provider, event_id)
) STRICT, WITHOUT ROWID;
-- An insert into a table with triggers looks for children of the new row.  Without this index a
-- payment would read every event; without waitlist_reservation and outbox_reservation below a booking
-- would read the whole waitlist and the whole outbox.
CREATE INDEX payment_events_of ON payment_events (payment_id) WHERE payment_id IS NOT NULL;

CREATE TABLE reservation_cancellations (
  cancellation_id INTEGER PRIMARY KEY,
  reservation_id  INTEGER NOT NULL REFERENCES reservations,
  canceled_by     TEXT    NOT NULL CHECK (canceled_by IN ('GUEST', 'RESTAURANT', 'SYSTEM')),
  reason          TEXT    CHECK (length(reason) <= 200),
  refund_amount   INTEGER NOT NULL DEFAULT 0 CHECK (refund_amount >= 0),
  created_at      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                  CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days'))
) STRICT;
CREATE INDEX reservation_cancellations_of ON reservation_cancellations (reservation_id);

-- Guests who want a slot that is full, served in the order of waitlist_id.
CREATE TABLE waitlist (
  waitlist_id      INTEGER PRIMARY KEY AUTOINCREMENT,
  restaurant_id    INTEGER NOT NULL REFERENCES restaurants,
  slot_date        TEXT    NOT NULL CHECK (slot_date IS date(slot_date, '+0 days')),
  slot_time        TEXT    NOT NULL CHECK (slot_time IS strftime('%H:%M', slot_time, '+0 days')),
  user_id          INTEGER NOT NULL REFERENCES users,
  party_size       INTEGER NOT NULL CHECK (party_size BETWEEN 1 AND 1000),
  status           TEXT    NOT NULL DEFAULT 'WAITING'
                   CHECK (status IN ('WAITING', 'OFFERED', 'BOOKED', 'LEFT', 'OFFER_EXPIRED', 'CLOSED')),
  reservation_id   INTEGER REFERENCES reservations,      -- the hold that was offered
  offer_expires_at TEXT CHECK (offer_expires_at IS strftime('%Y-%m-%dT%H:%M:%SZ', offer_expires_at, '+0 days')),
  created_at       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                   CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  updated_at       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                   CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at, '+0 days')),
  is_waiting       INTEGER GENERATED ALWAYS AS (CASE WHEN status IN ('WAITING', 'OFFERED') THEN 1 END) VIRTUAL
) STRICT;
CREATE UNIQUE INDEX waitlist_once ON waitlist (user_id, restaurant_id, slot_date, slot_time) WHERE is_waiting = 1;
CREATE INDEX waitlist_slot ON waitlist (restaurant_id, slot_date, slot_time, waitlist_id) WHERE is_waiting = 1;
CREATE INDEX waitlist_reservation ON waitlist (reservation_id) WHERE reservation_id IS NOT NULL;

-- Mail and SMS to send.  A booking never waits for a mail server.
CREATE TABLE outbox (
  outbox_id       INTEGER PRIMARY KEY AUTOINCREMENT,
  channel         TEXT NOT NULL CHECK (channel IN ('MAIL', 'SMS')),
  user_id         INTEGER NOT NULL REFERENCES users,
  reservation_id  INTEGER REFERENCES reservations,
  template        TEXT NOT NULL,
  status          TEXT NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'SENT', 'FAILED', 'SKIPPED')),
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL CHECK (next_attempt_at IS strftime('%Y-%m-%dT%H:%M:%SZ', next_attempt_at, '+0 days')),
  last_error      TEXT,
  dedupe_key      TEXT UNIQUE,
  created_at      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                  CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  sent_at         TEXT CHECK (sent_at IS strftime('%Y-%m-%dT%H:%M:%SZ', sent_at, '+0 days'))
) STRICT;
CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE status = 'QUEUED';
CREATE INDEX outbox_reservation ON outbox (reservation_id) WHERE reservation_id IS NOT NULL;

-- Who changed what, from what to what.  Only ever added to; no personal data.
CREATE TABLE audit (
  audit_id   INTEGER PRIMARY KEY,
  at         TEXT    NOT NULL,
  actor      TEXT    NOT NULL,                           -- user:12, keeper, import, shell …
  entity     TEXT    NOT NULL,                           -- reservation, slot, user …
  entity_id  INTEGER NOT NULL,
  change     TEXT    NOT NULL,                           -- created, status, party_size …
  from_value TEXT,
  to_value   TEXT,
  reason     TEXT,
  ticket     INTEGER                                     -- of the line, where the change came by one
) STRICT;
CREATE INDEX audit_entity ON audit (entity, entity_id);

-- What has been done to this file.
CREATE TABLE migrations (
  version    INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT;

-- --------------------------------------------------------------------------------------------
-- Seats.  Nobody, by no way, sells a seat twice.  The sum is strict: a hold counts until it is
-- EXPIRED, which jari does first in every transaction that books.

CREATE TRIGGER reservations_fit_insert AFTER INSERT ON reservations WHEN NEW.is_active = 1
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'TEMPORARY') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'CONFIRMED') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'PREPAY_CONFIRM') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'REFUND_PENDING') >
    (SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id);
END;

CREATE TRIGGER reservations_fit_update AFTER UPDATE OF status, slot_id, party_size ON reservations
WHEN NEW.is_active = 1 AND
     (OLD.is_active IS NULL OR NEW.slot_id <> OLD.slot_id OR NEW.party_size > OLD.party_size)
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'TEMPORARY') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'CONFIRMED') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'PREPAY_CONFIRM') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'REFUND_PENDING') >
    (SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id);
END;

CREATE TRIGGER slots_keep_their_people AFTER UPDATE OF max_capacity ON restaurant_reservation_slots
WHEN NEW.max_capacity < OLD.max_capacity
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'TEMPORARY') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'CONFIRMED') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'PREPAY_CONFIRM') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'REFUND_PENDING') > NEW.max_capacity;
END;

-- A table seats one party at a time, and only one that fits and is of the same house.
CREATE TRIGGER reservations_table_insert AFTER INSERT ON reservations
WHEN NEW.is_active = 1 AND NEW.table_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is too small or belongs to another restaurant') WHERE NOT EXISTS
    (SELECT 1 FROM dining_tables t JOIN restaurant_reservation_slots s USING (restaurant_id)
      WHERE t.table_id = NEW.table_id AND s.slot_id = NEW.slot_id AND NEW.party_size <= t.seats_max);
END;
CREATE TRIGGER reservations_table_update AFTER UPDATE OF table_id, party_size, slot_id, status ON reservations
WHEN NEW.is_active = 1 AND NEW.table_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is too small or belongs to another restaurant') WHERE NOT EXISTS
    (SELECT 1 FROM dining_tables t JOIN restaurant_reservation_slots s USING (restaurant_id)
      WHERE t.table_id = NEW.table_id AND s.slot_id = NEW.slot_id AND NEW.party_size <= t.seats_max);
END;

-- Life.  The same list is core/life.c; a test compares them.
CREATE TRIGGER reservations_life BEFORE UPDATE OF status ON reservations
WHEN NEW.status <> OLD.status AND OLD.status || '>' || NEW.status NOT IN (
  'TEMPORARY>CONFIRMED', 'TEMPORARY>PREPAY_CONFIRM', 'TEMPORARY>EXPIRED', 'TEMPORARY>CANCELED',
  'CONFIRMED>COMPLETED', 'CONFIRMED>NO_SHOW', 'CONFIRMED>CANCELED', 'CONFIRMED>REFUND_PENDING',
  'PREPAY_CONFIRM>COMPLETED', 'PREPAY_CONFIRM>NO_SHOW', 'PREPAY_CONFIRM>CANCELED', 'PREPAY_CONFIRM>REFUND_PENDING',
  'REFUND_PENDING>REFUNDED', 'REFUND_PENDING>CANCELED',
  'EXPIRED>CONFIRMED', 'EXPIRED>PREPAY_CONFIRM')
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a reservation cannot go from its status to that one');
END;

-- Audit.  jari raises `version` with every change and says who in changed_by; a change that does
-- not was made at the shell.
CREATE TRIGGER reservations_audit_insert AFTER INSERT ON reservations
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (NEW.created_at, NEW.changed_by, 'reservation', NEW.reservation_id, 'created', NULL, NEW.status);
END;
CREATE TRIGGER reservations_audit_status AFTER UPDATE OF status ON reservations WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, ticket)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END,
          CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END,
          'reservation', NEW.reservation_id, 'status', OLD.status, NEW.status,
          CASE WHEN NEW.version = OLD.version THEN NULL ELSE NEW.changed_ticket END);
END;
CREATE TRIGGER reservations_audit_change AFTER UPDATE OF party_size, slot_id, table_id, visit_status, user_id, total_amount
ON reservations
WHEN (NEW.party_size, NEW.slot_id, NEW.table_id, NEW.visit_status, NEW.user_id, NEW.total_amount)
  IS NOT (OLD.party_size, OLD.slot_id, OLD.table_id, OLD.visit_status, OLD.user_id, OLD.total_amount)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END,
          CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END,
          'reservation', NEW.reservation_id, 'details',
          printf('party %d, slot %d, table %s, %s, user %d, total %d', OLD.party_size, OLD.slot_id,
                 ifnull(OLD.table_id, '-'), OLD.visit_status, OLD.user_id, OLD.total_amount),
          printf('party %d, slot %d, table %s, %s, user %d, total %d', NEW.party_size, NEW.slot_id,
                 ifnull(NEW.table_id, '-'), NEW.visit_status, NEW.user_id, NEW.total_amount));
END;
CREATE TRIGGER slots_audit AFTER UPDATE OF max_capacity ON restaurant_reservation_slots
WHEN NEW.max_capacity <> OLD.max_capacity
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'jari or shell', 'slot', NEW.slot_id, 'max_capacity',
          OLD.max_capacity, NEW.max_capacity);
END;

-- Nothing is deleted.
CREATE TRIGGER reservations_stay BEFORE DELETE ON reservations BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER payments_stay     BEFORE DELETE ON payments     BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER audit_stays       BEFORE DELETE ON audit        BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER audit_is_ink      BEFORE UPDATE ON audit        BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
-- Nor replaced: INSERT OR REPLACE deletes the old row without asking the triggers above.
CREATE TRIGGER reservations_no_replace BEFORE INSERT ON reservations
WHEN EXISTS (SELECT 1 FROM reservations WHERE reservation_id = NEW.reservation_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER payments_no_replace BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE payment_id = NEW.payment_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE audit_id = NEW.audit_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;

-- --------------------------------------------------------------------------------------------
-- Views for the owner at the shell.  A hold past its time is not counted as taken.

CREATE VIEW v_slots AS
SELECT r.name AS restaurant, s.slot_date AS date, s.slot_time AS time, s.max_capacity AS capacity,
       ifnull(sum(v.party_size), 0) AS taken,
       s.max_capacity - ifnull(sum(v.party_size), 0) AS free,
       count(v.reservation_id) AS parties
  FROM restaurant_reservation_slots s
  JOIN restaurants r USING (restaurant_id)
  LEFT JOIN reservations v ON v.slot_id = s.slot_id AND v.is_active = 1
   AND NOT (v.status = 'TEMPORARY' AND v.hold_expires_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
 GROUP BY s.slot_id
 ORDER BY s.slot_date, s.slot_time, r.restaurant_id;

CREATE VIEW v_today AS
SELECT s.slot_time AS time, u.name AS guest, v.party_size AS party, v.status,
       CASE WHEN v.status = 'TEMPORARY' THEN
         max(0, (strftime('%s', v.hold_expires_at) - strftime('%s', 'now') + 59) / 60) || ' min' ELSE '' END AS hold_left,
       ifnull(t.name, '') AS "table", ifnull(u.phone, '') AS phone, v.total_amount AS amount,
       ifnull(v.request_message, '') AS request, v.reservation_code AS code, r.name AS restaurant
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN restaurants r USING (restaurant_id)
  JOIN users u ON u.user_id = v.user_id
  LEFT JOIN dining_tables t ON t.table_id = v.table_id
 WHERE s.slot_date = date('now', r.utc_offset_minutes || ' minutes')
   AND v.status NOT IN ('EXPIRED', 'CANCELED', 'REFUNDED')
 ORDER BY s.slot_time, v.reservation_id;

CREATE VIEW v_guests AS
SELECT u.name AS guest, ifnull(u.phone, '') AS phone, ifnull(u.email, '') AS email,
       count(v.reservation_id) AS reservations,
       count(*) FILTER (WHERE v.status = 'COMPLETED') AS visits,
       count(*) FILTER (WHERE v.status = 'NO_SHOW') AS no_shows,
       count(*) FILTER (WHERE v.status IN ('CANCELED', 'REFUNDED')) AS canceled,
       max(s.slot_date) AS last_date, ifnull(max(u.note), '') AS note
  FROM users u
  JOIN reservations v ON v.user_id = u.user_id
  JOIN restaurant_reservation_slots s USING (slot_id)
 WHERE u.erased_at IS NULL
 GROUP BY ifnull(u.phone, 'user ' || u.user_id), u.name
 ORDER BY last_date DESC, guest;

CREATE VIEW v_no_shows AS
SELECT s.slot_date AS date, s.slot_time AS time, u.name AS guest, ifnull(u.phone, '') AS phone,
       v.party_size AS party, v.total_amount AS amount, v.reservation_code AS code
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN users u ON u.user_id = v.user_id
 WHERE v.status = 'NO_SHOW'
 ORDER BY s.slot_date DESC, s.slot_time DESC;

CREATE VIEW v_money AS
SELECT date(p.paid_at, r.utc_offset_minutes || ' minutes') AS date, count(*) AS payments,
       sum(p.amount) AS money_in, sum(p.kept_amount) AS kept,
       sum(p.refunded_amount) AS returned, sum(p.due_back_amount) AS due_back, p.currency
  FROM payments p
  JOIN reservations v USING (reservation_id)
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN restaurants r USING (restaurant_id)
 WHERE p.paid_at IS NOT NULL
 GROUP BY 1, p.currency
 ORDER BY 1 DESC;
