-- schema.sql - the whole book, on one page.
--
-- A new book is made from this page.  An older one is brought here by db/migrations, which change tables and rows only;
-- indexes, triggers and views are made anew from this page by every upgrade, and `jari check` compares a book with it.
--
-- The owner may open the book with the sqlite3 shell, so it defends itself: whatever writes to it, jari or a person, the rules
-- below hold.  Reading order: tables with their indexes, views that only triggers use, triggers by what they are for, and the
-- views for people (v_...).
--
-- Instants are UTC text like 2026-01-20T02:00:00Z; the date and time of a slot are the restaurant's own, 2026-01-20 and 11:00.
-- ('+0 days' sends a value through the calendar: date('2026-02-30') alone is '2026-02-30'.)  A column that came later stands
-- where ALTER TABLE put it, at the end: so a table of an old book and one of a new book are the same.

-- ==== the restaurant =================================================================================================

-- A restaurant and its policies.  Name, range, default and meaning of each number stand once more in core/settings.h; a test
-- compares the two.
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
  deposit_per_person       INTEGER NOT NULL DEFAULT 5000  CHECK (deposit_per_person BETWEEN 0 AND 1000000000),
  deposit_large_from       INTEGER NOT NULL DEFAULT 7     CHECK (deposit_large_from BETWEEN 1 AND 1000),
  deposit_large_per_person INTEGER NOT NULL DEFAULT 10000 CHECK (deposit_large_per_person BETWEEN 0 AND 1000000000),
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
  -- People: the country of numbers that are given without one (82 is Korea), and limits for one number; 0 is off.
  calling_code             INTEGER NOT NULL DEFAULT 82 CHECK (calling_code BETWEEN 1 AND 999),
  holds_per_guest          INTEGER NOT NULL DEFAULT 2 CHECK (holds_per_guest BETWEEN 0 AND 1000),
  upcoming_per_guest       INTEGER NOT NULL DEFAULT 4 CHECK (upcoming_per_guest BETWEEN 0 AND 1000),
  -- How a deposit can be paid: a bank account, a sentence.  Guests with a hold see it.
  payment_text             TEXT CHECK (length(payment_text) BETWEEN 1 AND 500),
  -- How many may be present (0: as many as may start), and how long a party stays (0: a slot, large parties as long as others).
  seats                    INTEGER NOT NULL DEFAULT 0 CHECK (seats BETWEEN 0 AND 10000),
  sitting_minutes          INTEGER NOT NULL DEFAULT 0 CHECK (sitting_minutes BETWEEN 0 AND 1440),
  sitting_large_from       INTEGER NOT NULL DEFAULT 7 CHECK (sitting_large_from BETWEEN 1 AND 1000),
  sitting_large_minutes    INTEGER NOT NULL DEFAULT 0 CHECK (sitting_large_minutes BETWEEN 0 AND 1440),
  -- Guests are forgotten this many months after they last came; 0: never.
  retention_months         INTEGER NOT NULL DEFAULT 0 CHECK (retention_months BETWEEN 0 AND 240),
  -- Messages.
  mail_guests              INTEGER NOT NULL DEFAULT 1 CHECK (mail_guests BETWEEN 0 AND 1),
  sms_guests               INTEGER NOT NULL DEFAULT 0 CHECK (sms_guests BETWEEN 0 AND 1),
  -- 0: the owner is told nothing; 1: each booking; 2: once an hour, what came in.
  tell_owner               INTEGER NOT NULL DEFAULT 1 CHECK (tell_owner BETWEEN 0 AND 2),
  day_sheet_hour           INTEGER NOT NULL DEFAULT 8 CHECK (day_sheet_hour BETWEEN 0 AND 23),
  remind_day_hours         INTEGER NOT NULL DEFAULT 24 CHECK (remind_day_hours BETWEEN 0 AND 168),
  remind_minutes           INTEGER NOT NULL DEFAULT 60 CHECK (remind_minutes BETWEEN 0 AND 1440),
  quiet_from               INTEGER NOT NULL DEFAULT 21 CHECK (quiet_from BETWEEN 0 AND 23),
  quiet_to                 INTEGER NOT NULL DEFAULT 8 CHECK (quiet_to BETWEEN 0 AND 23),
  prove_contact            INTEGER NOT NULL DEFAULT 0 CHECK (prove_contact BETWEEN 0 AND 1),
  prove_seconds            INTEGER NOT NULL DEFAULT 300 CHECK (prove_seconds BETWEEN 30 AND 3600),
  -- The waitlist.
  waitlist_per_guest       INTEGER NOT NULL DEFAULT 3 CHECK (waitlist_per_guest BETWEEN 0 AND 100),
  waitlist_offer_minutes   INTEGER NOT NULL DEFAULT 15 CHECK (waitlist_offer_minutes BETWEEN 1 AND 1440),
  waitlist_skip            INTEGER NOT NULL DEFAULT 0 CHECK (waitlist_skip BETWEEN 0 AND 1),
  -- Where messages to the owner go, and what the restaurant itself says on top of those to guests.
  notify_email             TEXT CHECK (length(notify_email) BETWEEN 3 AND 254),
  message_text             TEXT CHECK (length(message_text) BETWEEN 1 AND 300),
  message_text_en          TEXT CHECK (length(message_text_en) BETWEEN 1 AND 300),
  waitlist_keep_minutes    INTEGER NOT NULL DEFAULT 30 CHECK (waitlist_keep_minutes BETWEEN 0 AND 1440),
  -- Which country, and which language the house speaks first.
  country                  TEXT CHECK (country GLOB '[A-Z][A-Z]'),
  language                 TEXT NOT NULL DEFAULT 'ko' CHECK (language = 'ko' OR language = 'en'),
  -- 1: a service has times or sittings of its own, so those present are counted.  Triggers keep it.
  service_sittings         INTEGER NOT NULL DEFAULT 0 CHECK (service_sittings = 0 OR service_sittings = 1),
  -- A new day can be booked from this minute of the day on, window_days before.
  opens_at_minute          INTEGER NOT NULL DEFAULT 0 CHECK (opens_at_minute BETWEEN 0 AND 1439),
  first_weekday            INTEGER NOT NULL DEFAULT 7 CHECK (first_weekday BETWEEN 1 AND 7), -- of a calendar; 1 is Monday
  -- Minutes between two parties at one table.
  buffer_minutes           INTEGER NOT NULL DEFAULT 0 CHECK (buffer_minutes BETWEEN 0 AND 240),
  -- This many seats are not for guests online until this many hours before the slot.
  staff_seats              INTEGER NOT NULL DEFAULT 0 CHECK (staff_seats BETWEEN 0 AND 10000),
  staff_seats_hours        INTEGER NOT NULL DEFAULT 0 CHECK (staff_seats_hours BETWEEN 0 AND 720),
  -- Who is asked for a deposit: parties of this size on (0: none for their size), guests with this many no-shows (0: none).
  deposit_from             INTEGER NOT NULL DEFAULT 1 CHECK (deposit_from BETWEEN 0 AND 1000),
  deposit_no_shows         INTEGER NOT NULL DEFAULT 0 CHECK (deposit_no_shows BETWEEN 0 AND 100),
  -- A call at the door that is not followed ends by itself after so many minutes; 0: only staff end it.
  door_call_minutes        INTEGER NOT NULL DEFAULT 10 CHECK (door_call_minutes BETWEEN 0 AND 120),
  CHECK (party_min <= party_max)
) STRICT;

-- The week: a row is a service, lunch or dinner.  Times after midnight go on counting: 26:00 is two in the morning after, and
-- belongs to this evening.  Guests may book times up to last_seating; without one, as long as a slot ends by closing time.
CREATE TABLE opening_hours (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  weekday       INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),       -- 1 is Monday
  opens         TEXT NOT NULL CHECK (opens  IS strftime('%H:%M', opens, '+0 days')),
  closes        TEXT NOT NULL CHECK (closes GLOB '[0-3][0-9]:[0-5][0-9]' AND closes <= '30:00'),
  label         TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 40),
  last_seating  TEXT CHECK (last_seating GLOB '[0-3][0-9]:[0-5][0-9]' AND last_seating BETWEEN opens AND closes),
  -- Where they differ from the house's; NULL: they do not.
  slot_minutes             INTEGER CHECK (slot_minutes BETWEEN 5 AND 720),
  sitting_minutes          INTEGER CHECK (sitting_minutes BETWEEN 5 AND 1440),
  sitting_large_minutes    INTEGER CHECK (sitting_large_minutes BETWEEN 5 AND 1440),
  reservation_limit        INTEGER CHECK (reservation_limit BETWEEN 0 AND 10000),
  party_min                INTEGER CHECK (party_min BETWEEN 1 AND 1000),
  party_max                INTEGER CHECK (party_max BETWEEN 1 AND 1000),
  lead_minutes             INTEGER CHECK (lead_minutes BETWEEN 0 AND 525600),
  deposit_per_person       INTEGER CHECK (deposit_per_person BETWEEN 0 AND 1000000000),
  deposit_large_per_person INTEGER CHECK (deposit_large_per_person BETWEEN 0 AND 1000000000),
  -- As the audit says it; api_history.c reads these words again.  A text that a person wrote comes last.
  words TEXT GENERATED ALWAYS AS (
    printf('%d %s-%s', weekday, opens, closes) || ifnull(' slot_minutes=' || slot_minutes, '')
    || ifnull(' sitting_minutes=' || sitting_minutes, '') || ifnull(' sitting_large_minutes=' || sitting_large_minutes, '')
    || ifnull(' reservation_limit=' || reservation_limit, '') || ifnull(' party_min=' || party_min, '')
    || ifnull(' party_max=' || party_max, '') || ifnull(' lead_minutes=' || lead_minutes, '')
    || ifnull(' deposit_per_person=' || deposit_per_person, '')
    || ifnull(' deposit_large_per_person=' || deposit_large_per_person, '')
    || ifnull(' last=' || last_seating, '') || ifnull(' label=' || nullif(label, ''), '')) VIRTUAL,
  PRIMARY KEY (restaurant_id, weekday, opens),
  CHECK (opens < closes)
) STRICT, WITHOUT ROWID;

-- A day that differs from its week.  Any row for a day replaces the services of that day;
-- a row without hours says: closed, or as_week.  Guests read the note.
CREATE TABLE special_days (
  special_day_id INTEGER PRIMARY KEY,
  restaurant_id  INTEGER NOT NULL REFERENCES restaurants,
  day            TEXT NOT NULL CHECK (day IS date(day, '+0 days')),
  opens          TEXT CHECK (opens IS strftime('%H:%M', opens, '+0 days')),
  closes         TEXT CHECK (closes GLOB '[0-3][0-9]:[0-5][0-9]' AND closes <= '30:00'),
  label          TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 40),
  note           TEXT CHECK (length(note) <= 80),
  last_seating   TEXT CHECK (last_seating GLOB '[0-3][0-9]:[0-5][0-9]' AND last_seating BETWEEN opens AND closes),
  -- 1: the services of its week, with this note and deposit.
  as_week        INTEGER NOT NULL DEFAULT 0 CHECK (as_week = 0 OR (as_week = 1 AND opens IS NULL)),
  -- As in opening_hours.  With as_week only the deposits count.
  slot_minutes             INTEGER CHECK (slot_minutes BETWEEN 5 AND 720),
  sitting_minutes          INTEGER CHECK (sitting_minutes BETWEEN 5 AND 1440),
  sitting_large_minutes    INTEGER CHECK (sitting_large_minutes BETWEEN 5 AND 1440),
  reservation_limit        INTEGER CHECK (reservation_limit BETWEEN 0 AND 10000),
  party_min                INTEGER CHECK (party_min BETWEEN 1 AND 1000),
  party_max                INTEGER CHECK (party_max BETWEEN 1 AND 1000),
  lead_minutes             INTEGER CHECK (lead_minutes BETWEEN 0 AND 525600),
  deposit_per_person       INTEGER CHECK (deposit_per_person BETWEEN 0 AND 1000000000),
  deposit_large_per_person INTEGER CHECK (deposit_large_per_person BETWEEN 0 AND 1000000000),
  -- As the audit says it.
  words TEXT GENERATED ALWAYS AS (
    day || CASE WHEN opens IS NOT NULL THEN printf(' %s-%s', opens, closes)
    WHEN as_week = 1 THEN ' as usual' ELSE ' closed' END || ifnull(' slot_minutes=' || slot_minutes, '')
    || ifnull(' sitting_minutes=' || sitting_minutes, '') || ifnull(' sitting_large_minutes=' || sitting_large_minutes, '')
    || ifnull(' reservation_limit=' || reservation_limit, '') || ifnull(' party_min=' || party_min, '')
    || ifnull(' party_max=' || party_max, '') || ifnull(' lead_minutes=' || lead_minutes, '')
    || ifnull(' deposit_per_person=' || deposit_per_person, '')
    || ifnull(' deposit_large_per_person=' || deposit_large_per_person, '')
    || ifnull(' last=' || last_seating, '') || ifnull(' label=' || nullif(label, ''), '')
    || ifnull(' note=' || note, '')) VIRTUAL,
  CHECK ((opens IS NULL) = (closes IS NULL)),
  CHECK (opens < closes)
) STRICT;
CREATE UNIQUE INDEX special_days_once ON special_days (restaurant_id, day, ifnull(opens, ''));
-- For _service_sittings, which every row that is written asks.
CREATE INDEX special_days_sittings ON special_days (restaurant_id)
  WHERE slot_minutes > 0 OR sitting_minutes > 0 OR sitting_large_minutes > 0;

-- The moment from which some dates can be booked, whatever the window says; of several the earliest counts.
CREATE TABLE openings (
  opening_id    INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  first_date    TEXT NOT NULL CHECK (first_date IS date(first_date, '+0 days')),
  last_date     TEXT NOT NULL CHECK (last_date IS date(last_date, '+0 days')),
  opens_at      TEXT NOT NULL CHECK (opens_at IS strftime('%Y-%m-%dT%H:%M:%SZ', opens_at, '+0 days')),
  CHECK (first_date <= last_date)
) STRICT;
CREATE INDEX openings_of ON openings (restaurant_id, last_date);

-- How an opening went: what the shared memory counted, written down by the keeper when it was over.
CREATE TABLE opening_results (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  opens_at      TEXT    NOT NULL,
  watching      INTEGER NOT NULL CHECK (watching >= 0),   -- devices that looked in the minute before
  early         INTEGER NOT NULL CHECK (early >= 0),      -- requests before the moment
  arrivals      TEXT    NOT NULL,                         -- requests of each second from it on, as a JSON list
  booked        INTEGER NOT NULL CHECK (booked >= 0),
  refused       INTEGER NOT NULL CHECK (refused >= 0),
  sold_out_ms   INTEGER,                                  -- after the moment; NULL: it was not
  slowest_ms    INTEGER NOT NULL CHECK (slowest_ms >= 0),
  out_of_order  INTEGER NOT NULL CHECK (out_of_order >= 0),
  written_at    TEXT    NOT NULL,
  PRIMARY KEY (restaurant_id, opens_at)
) STRICT, WITHOUT ROWID;

-- Optional.  A restaurant with tables seats each party at the smallest free table that fits.
CREATE TABLE dining_tables (
  table_id      INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 20),
  seats_min     INTEGER NOT NULL DEFAULT 1 CHECK (seats_min >= 1),
  seats_max     INTEGER NOT NULL CHECK (seats_max BETWEEN seats_min AND 1000),
  is_deleted    INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
  -- Where it stands on the floor plan, in hundredths of its width and height.
  x             INTEGER CHECK (x BETWEEN 0 AND 100),
  y             INTEGER CHECK (y BETWEEN 0 AND 100),
  -- Who gets it: everybody, parties that staff book, walk-ins alone.
  open_to       TEXT NOT NULL DEFAULT 'ONLINE' CHECK (open_to = 'ONLINE' OR open_to = 'STAFF' OR open_to = 'WALK_IN'),
  -- As the audit says it.
  words TEXT GENERATED ALWAYS AS (
    printf('%s, %d to %d', name, seats_min, seats_max)
    || CASE open_to WHEN 'ONLINE' THEN '' ELSE ', ' || open_to END || ifnull(', at ' || x || ' ' || y, '')
    || CASE is_deleted WHEN 1 THEN ', gone' ELSE '' END) VIRTUAL,
  UNIQUE (restaurant_id, name)
) STRICT;

-- Tables that may be pushed together, and how many then fit.
CREATE TABLE table_sets (
  set_id        INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  seats_min     INTEGER NOT NULL DEFAULT 1 CHECK (seats_min >= 1),
  seats_max     INTEGER NOT NULL CHECK (seats_max BETWEEN seats_min AND 1000),
  is_deleted    INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1))
) STRICT;
CREATE INDEX table_sets_of ON table_sets (restaurant_id);
CREATE TABLE table_set_members (
  set_id   INTEGER NOT NULL REFERENCES table_sets,
  table_id INTEGER NOT NULL REFERENCES dining_tables,
  PRIMARY KEY (set_id, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX table_set_members_table ON table_set_members (table_id);

-- Nothing new for the house, or for some tables, from one local time to another; once, or each week from then on.
CREATE TABLE blocks (
  block_id      INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  from_at       TEXT    NOT NULL CHECK (from_at IS strftime('%Y-%m-%dT%H:%M', from_at, '+0 days')),
  to_at         TEXT    NOT NULL CHECK (to_at IS strftime('%Y-%m-%dT%H:%M', to_at, '+0 days')),
  weekly        INTEGER NOT NULL DEFAULT 0 CHECK (weekly = 0 OR weekly = 1),
  online        INTEGER NOT NULL DEFAULT 1 CHECK (online = 0 OR online = 1), -- 1: staff may still book
  reason        TEXT    CHECK (length(reason) BETWEEN 1 AND 80),
  made_at       TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  lifted_at     TEXT    CHECK (lifted_at IS strftime('%Y-%m-%dT%H:%M:%SZ', lifted_at, '+0 days')),
  CHECK (from_at < to_at)
) STRICT;
CREATE INDEX blocks_live ON blocks (restaurant_id, to_at) WHERE lifted_at IS NULL;
CREATE INDEX blocks_weekly ON blocks (restaurant_id) WHERE lifted_at IS NULL AND weekly = 1;
-- Its tables; none: the whole house.
CREATE TABLE block_tables (
  block_id INTEGER NOT NULL REFERENCES blocks,
  table_id INTEGER NOT NULL REFERENCES dining_tables,
  PRIMARY KEY (block_id, table_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE menus (
  menu_id       INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  name_en       TEXT             CHECK (length(name_en) BETWEEN 1 AND 80),
  description   TEXT             CHECK (length(description) <= 200),
  price         INTEGER NOT NULL CHECK (price BETWEEN 0 AND 1000000000),
  position      INTEGER NOT NULL DEFAULT 0,
  is_deleted    INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
  description_en TEXT CHECK (length(description_en) <= 200),
  sold_out       INTEGER NOT NULL DEFAULT 0 CHECK (sold_out = 0 OR sold_out = 1),
  -- As the audit says it.
  words TEXT GENERATED ALWAYS AS (
    printf('%s, %d%s%s', name, price, CASE sold_out WHEN 1 THEN ', sold out' ELSE '' END,
    CASE is_deleted WHEN 1 THEN ', off the menu' ELSE '' END)) VIRTUAL
) STRICT;
CREATE INDEX menus_of_restaurant ON menus (restaurant_id, position) WHERE is_deleted = 0;

-- What staff tell each other about a day, who wrote it last, and when; '': it was taken away.
CREATE TABLE day_notes (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  day           TEXT    NOT NULL CHECK (day IS date(day, '+0 days')),
  note          TEXT    NOT NULL CHECK (length(note) <= 400),
  version       INTEGER NOT NULL DEFAULT 1,              -- raised with every change
  written_by    TEXT    NOT NULL,
  written_at    TEXT    NOT NULL CHECK (written_at IS strftime('%Y-%m-%dT%H:%M:%SZ', written_at, '+0 days')),
  PRIMARY KEY (restaurant_id, day)
) STRICT, WITHOUT ROWID;

-- How mail leaves the box: one row, or none while it is not set up.  The password is sealed with the box's key.
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

-- ==== people =========================================================================================================

-- Everybody with a name.  A guest has no password, and a telephone number is one guest; an account, the staff and the owner log
-- in with e-mail and password.  (is_blocked is the whole box: a login that was removed, or a guest whom the owner blocks at the
-- shell. note is of earlier versions; restaurant_guests has it now.)
CREATE TABLE users (
  user_id       INTEGER PRIMARY KEY,
  user_type     TEXT    NOT NULL CHECK (user_type IN ('GUEST', 'ACCOUNT', 'STAFF', 'OWNER')),
  restaurant_id INTEGER REFERENCES restaurants,          -- staff of one restaurant only; NULL is all
  name          TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  phone         TEXT             CHECK (length(phone) BETWEEN 3 AND 20),
  email         TEXT             CHECK (length(email) BETWEEN 3 AND 254),
  password_hash TEXT,
  ticket        INTEGER UNIQUE,                          -- of books before 0003; nothing is written here (docs/decisions.md)
  token_version INTEGER NOT NULL DEFAULT 1,              -- raised by a new password: old logins end
  language      TEXT NOT NULL DEFAULT 'ko' CHECK (language IN ('ko', 'en')),
  is_blocked    INTEGER NOT NULL DEFAULT 0 CHECK (is_blocked IN (0, 1)),
  note          TEXT CHECK (length(note) <= 400),        -- the desk's own: allergies, habits
  created_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  erased_at     TEXT CHECK (erased_at IS strftime('%Y-%m-%dT%H:%M:%SZ', erased_at, '+0 days')),
  -- The number as digits with its country, 821012345678: the same for every spelling.
  phone_key      INTEGER CHECK (phone_key > 0),
  -- The same number as that user, who owns it: the same guest, from before numbers were one person, or another login.
  phone_of       INTEGER REFERENCES users DEFERRABLE INITIALLY DEFERRED,
  -- 1: printed by jari, good until password_until and only for choosing another.
  password_once  INTEGER NOT NULL DEFAULT 0 CHECK (password_once = 0 OR password_once = 1),
  password_until TEXT CHECK (password_until IS strftime('%Y-%m-%dT%H:%M:%SZ', password_until, '+0 days')),
  -- How many restaurants take no bookings from them (restaurant_guests), so that a booking looks there only for those few.
  blocked_by     INTEGER NOT NULL DEFAULT 0 CHECK (blocked_by >= 0),
  -- Of staff: 1 is a manager.
  is_manager     INTEGER NOT NULL DEFAULT 0 CHECK (is_manager = 0 OR is_manager = 1),
  CHECK (user_type = 'GUEST' OR email IS NOT NULL OR erased_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX users_login ON users (lower(email)) WHERE user_type <> 'GUEST' AND email IS NOT NULL;
CREATE INDEX users_phone_of ON users (phone_of) WHERE phone_of IS NOT NULL;
CREATE UNIQUE INDEX users_phone ON users (phone_key) WHERE phone_of IS NULL AND phone_key IS NOT NULL;

-- What one restaurant knows about a guest of its own: its note, and whether it takes bookings from them.
CREATE TABLE restaurant_guests (
  user_id       INTEGER NOT NULL REFERENCES users,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  is_blocked    INTEGER NOT NULL DEFAULT 0 CHECK (is_blocked = 0 OR is_blocked = 1),
  note          TEXT CHECK (length(note) <= 400),          -- the desk's own: allergies, habits
  updated_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  -- What staff have corrected: from then on the house calls them so, and writes there; NULL: as they said it themselves.
  name          TEXT CHECK (length(name) BETWEEN 1 AND 80),
  email         TEXT CHECK (length(email) BETWEEN 3 AND 254),
  tags          TEXT CHECK (length(tags) BETWEEN 1 AND 167), -- core/guesttags.h: VIP,window seat
  version       INTEGER NOT NULL DEFAULT 1, -- raised by jari with every change
  PRIMARY KEY (user_id, restaurant_id)
) STRICT, WITHOUT ROWID;
-- Those whom a list of guests is asked for by tag, or as blocked.
CREATE INDEX restaurant_guests_marked ON restaurant_guests (restaurant_id, user_id) WHERE tags IS NOT NULL OR is_blocked = 1;

-- Staff said that two guests of their house are one person, and what was moved to the other one.  (No REFERENCES to users:
-- SQLite would look for children of every new guest.  Forgetting either of them deletes the row.)
CREATE TABLE guest_merges (
  merge_id      INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  from_user     INTEGER NOT NULL,
  into_user     INTEGER NOT NULL,
  actor         TEXT    NOT NULL,
  at            TEXT    NOT NULL,
  moved         TEXT    NOT NULL,      -- as JSON: the numbers of reservations and of waits
  before        TEXT    NOT NULL,      -- as JSON: what the house knew of each, and of both together
  undone_at     TEXT
) STRICT;
CREATE INDEX guest_merges_into ON guest_merges (into_user);
CREATE INDEX guest_merges_from ON guest_merges (from_user);

-- What has become of a card (a device) or a login beyond the reservations made with it.
CREATE TABLE cards (
  card_id  INTEGER PRIMARY KEY,
  user_id  INTEGER REFERENCES users,
  ended_at TEXT CHECK (ended_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ended_at, '+0 days')),
  -- What it has shown since: that its number (SMS) or its address (MAIL) is theirs.
  phone_key INTEGER,
  proven_by TEXT CHECK (proven_by IN ('SMS', 'MAIL')),
  email     TEXT, -- the one that was proven
  -- A login of the house: since when, and on what.
  made_at   TEXT,
  device    TEXT CHECK (length(device) <= 80),
  -- When it proved its number: who never booked with it is forgotten like a guest who came last on that day.
  proven_at TEXT
) STRICT;
CREATE INDEX cards_user ON cards (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX cards_phone ON cards (phone_key) WHERE phone_key IS NOT NULL;

-- A code that was sent to prove a number or an address.  The code itself stands nowhere: it follows from the row's number and
-- the box's key.  A day later its row forgets address and number (0: forgotten).
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
  created_at    TEXT NOT NULL,
  -- The address in the one spelling that is counted, of codes by mail; forgotten with it.
  mailbox       TEXT
) STRICT;
CREATE INDEX proofs_phone ON proofs (phone_key, created_at);
CREATE INDEX proofs_address ON proofs (created_at) WHERE address IS NOT NULL;
CREATE INDEX proofs_mailbox ON proofs (mailbox, created_at) WHERE mailbox IS NOT NULL;

-- ==== reservations ===================================================================================================

-- A slot is created by its first booking.  How many seats are taken is never stored, always summed.
CREATE TABLE restaurant_reservation_slots (
  slot_id       INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  slot_date     TEXT    NOT NULL CHECK (slot_date IS date(slot_date, '+0 days')),
  slot_time     TEXT    NOT NULL CHECK (slot_time GLOB '[0-2][0-9]:[0-5][0-9]'),
  max_capacity  INTEGER NOT NULL CHECK (max_capacity >= 0),
  created_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  updated_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%SZ', updated_at, '+0 days')),
  -- The instant of slot_date and slot_time at the restaurant.
  starts_at        TEXT CHECK (starts_at IS strftime('%Y-%m-%dT%H:%M:%SZ', starts_at, '+0 days')),
  -- What was sold stays sold: how many had been promised a place when fewer were let in.
  promised         INTEGER CHECK (promised >= 0), -- who start in it
  promised_present INTEGER CHECK (promised_present >= 0), -- who are there when it begins
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
  request_message  TEXT    CHECK (length(request_message) <= 300),
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
  -- Of its slot, and of the guest as they were given for this one.
  restaurant_id    INTEGER REFERENCES restaurants,
  starts_at        TEXT,
  guest_name       TEXT CHECK (length(guest_name) BETWEEN 1 AND 80),
  guest_email      TEXT CHECK (length(guest_email) BETWEEN 3 AND 254),
  card_id          INTEGER, -- the device that made it; NULL: a login, the desk
  -- Frozen when it was made.  ends_at is starts_at and as many minutes, or when they left.
  sitting_minutes  INTEGER CHECK (sitting_minutes BETWEEN 5 AND 1440),
  ends_at          TEXT CHECK (ends_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ends_at, '+0 days')),
  note             TEXT CHECK (length(note) <= 200), -- the desk's own, never shown to the guest
  arrived_at       TEXT,
  seated_at        TEXT,
  left_at          TEXT,
  unproven         INTEGER CHECK (unproven = 1), -- a hold that waits for its guest to prove who they are; NULL: it does not
  coming_at        TEXT, -- the guest was asked and said that they come
  placed_at        TEXT, -- since when they have the place or people they moved to; NULL: since the booking
  -- The most that a guest who cancels gets back, in percent: what applied when they last moved a paid reservation.
  refund_cap       INTEGER CHECK (refund_cap BETWEEN 0 AND 100), -- NULL: it was never moved
  -- What the house keeps for people whom the guest took off later than the policy gives all back: of those, not of the party.
  forfeited_amount INTEGER NOT NULL DEFAULT 0 CHECK (forfeited_amount >= 0),
  -- A change that costs more waits for its money.  Meanwhile a row of its own holds what is needed beyond what the reservation
  -- has: the people that are added at the same time, or the whole party at another.  It ends EXPIRED, whatever becomes of it.
  -- (No REFERENCES: SQLite would look for children of every new reservation.  The check knows the rule.)
  change_of        INTEGER, -- the reservation that it will change; NULL: it is one itself
  change_party     INTEGER CHECK (change_party BETWEEN 1 AND 1000), -- what its party is to be
  change_done      INTEGER CHECK (change_done = 1), -- the money came, and it was changed
  change_version   INTEGER, -- of its reservation when it was asked for; NULL: it was withdrawn
  -- 1: in the same slot as its reservation.  There the person has two active rows, in every other slot one.
  change_beside    INTEGER NOT NULL DEFAULT 0 CHECK (change_beside IN (0, 1)),
  deposit_party    INTEGER CHECK (deposit_party > 0), -- how many the deposit was paid for; NULL: the party
  -- The key of a booking or walk-in of the desk: one that is sent again because its answer was lost is the same one.  (A
  -- guest's key is theirs; a walk-in may have neither name nor number.)
  desk_key         TEXT CHECK (length(desk_key) BETWEEN 1 AND 80),
  -- allergies and occasions, words of core/tags.h: nuts,birthday
  tags             TEXT CHECK (length(tags) BETWEEN 1 AND 200),
  -- What its guest says on the day: so much later, and that they are at the door.  NULL: nothing.
  late_minutes     INTEGER CHECK (late_minutes BETWEEN 1 AND 120),
  here_at          TEXT,
  -- Why the owner or a manager let them in beyond the seats; NULL: they have seats as every party.
  overbook_reason  TEXT CHECK (length(overbook_reason) BETWEEN 1 AND 80),
  -- What the guest agreed to instead of a deposit: the most that a card may be charged.  NULL: nothing of the kind.
  guarantee_amount INTEGER CHECK (guarantee_amount > 0),
  CHECK (status <> 'TEMPORARY' OR hold_expires_at IS NOT NULL),
  CHECK (total_amount = deposit_amount + prepay_amount)
) STRICT;
CREATE UNIQUE INDEX reservations_one_a_key   ON reservations (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
-- Covers the sum of a slot's active parties, the question asked most often.  It is asked by status, not
-- by is_active: SQLite 3.40 reads the whole row for a generated column, whatever an index holds.
CREATE INDEX reservations_slot  ON reservations (slot_id, status, party_size);
CREATE INDEX reservations_due   ON reservations (hold_expires_at) WHERE status = 'TEMPORARY';
-- Which were made with this card?
CREATE INDEX reservations_card ON reservations (card_id) WHERE card_id IS NOT NULL;
-- A person in a slot, and a person's history: an entry for every reservation there ever was, so it is short.  is_active is 1 or
-- NULL, and NULLs never collide.  What is still to come needs the time as well, but only of those that are active.
CREATE UNIQUE INDEX reservations_person ON reservations (user_id, slot_id, is_active, change_beside);
CREATE INDEX reservations_standing ON reservations (user_id, starts_at) WHERE is_active = 1;
-- A code is found however it is typed.  Ours are written in one way (4KXR-7MTF) and the unique index finds them; this one
-- has those of earlier versions and of imports, without blanks and hyphens, in capitals.  New reservations are not in it.
CREATE INDEX reservations_odd_codes ON reservations (upper(replace(replace(reservation_code, '-', ''), ' ', '')))
WHERE reservation_code NOT GLOB '[3-Y][3-Y][3-Y][3-Y]-[3-Y][3-Y][3-Y][3-Y]';
-- The changes that were asked for of a reservation; one at a time is active.
CREATE UNIQUE INDEX reservations_changes ON reservations (change_of, is_active) WHERE change_of IS NOT NULL;
CREATE UNIQUE INDEX reservations_desk_key ON reservations (restaurant_id, desk_key) WHERE desk_key IS NOT NULL;

-- Which tables an active reservation has, and from when to when.  reservations.table_id is the first of them.
CREATE TABLE reservation_tables (
  reservation_id INTEGER NOT NULL REFERENCES reservations,
  table_id       INTEGER NOT NULL REFERENCES dining_tables,
  starts_at      TEXT NOT NULL,
  ends_at        TEXT NOT NULL,
  shared         INTEGER NOT NULL DEFAULT 0 CHECK (shared = 0 OR shared = 1), -- they sit there beside others, on purpose
  PRIMARY KEY (reservation_id, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reservation_tables_when ON reservation_tables (table_id, starts_at, ends_at);

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

CREATE TABLE reservation_cancellations (
  cancellation_id INTEGER PRIMARY KEY,
  reservation_id  INTEGER NOT NULL REFERENCES reservations,
  canceled_by     TEXT    NOT NULL CHECK (canceled_by IN ('GUEST', 'RESTAURANT', 'SYSTEM')),
  reason          TEXT    CHECK (length(reason) <= 200),
  refund_amount   INTEGER NOT NULL DEFAULT 0 CHECK (refund_amount >= 0),
  created_at      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
                  CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  undone_at       TEXT -- a cancellation that was taken back
) STRICT;
CREATE INDEX reservation_cancellations_of ON reservation_cancellations (reservation_id);

-- Every act of the desk, with what the reservation was before, so that it can be undone.
CREATE TABLE desk_acts (
  act_id         INTEGER PRIMARY KEY,
  reservation_id INTEGER NOT NULL REFERENCES reservations,
  act            TEXT    NOT NULL CHECK (length(act) BETWEEN 1 AND 20),
  actor          TEXT    NOT NULL,
  at             TEXT    NOT NULL,
  before         TEXT    NOT NULL,      -- as JSON
  version_after  INTEGER,               -- of the reservation; an act can be undone while nothing has come after it
  undone_at      TEXT,
  pair_id        INTEGER                -- the act on another reservation that was one with it: two parties swapped tables
) STRICT;
CREATE INDEX desk_acts_of ON desk_acts (reservation_id, act_id);

-- ==== the waitlist ===================================================================================================

-- Guests who want a slot that is full, served in the order of waitlist_id.
-- (An insert into a table with triggers looks for children of the new row: without waitlist_reservation and waitlist_user a
-- booking and a new guest would read the whole waitlist.)
CREATE TABLE waitlist (
  waitlist_id      INTEGER PRIMARY KEY AUTOINCREMENT,
  restaurant_id    INTEGER NOT NULL REFERENCES restaurants,
  slot_date        TEXT    NOT NULL CHECK (slot_date IS date(slot_date, '+0 days')),
  slot_time        TEXT    NOT NULL CHECK (slot_time GLOB '[0-2][0-9]:[0-5][0-9]'),
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
  is_waiting       INTEGER GENERATED ALWAYS AS (CASE WHEN status IN ('WAITING', 'OFFERED') THEN 1 END) VIRTUAL,
  starts_at        TEXT, -- of the slot
  guest_name       TEXT CHECK (length(guest_name) BETWEEN 1 AND 80),
  guest_email      TEXT CHECK (length(guest_email) BETWEEN 3 AND 254),
  card_id          INTEGER, -- the device that joined; NULL: a login, the desk
  ticket           INTEGER, -- its place in the line
  changed_by       TEXT NOT NULL DEFAULT 'shell',
  -- Waiters whose number or address is proven, or whom the desk put on the list.  The others keep nothing back.
  proven           INTEGER NOT NULL DEFAULT 0 CHECK (proven BETWEEN 0 AND 1),
  -- Of an offer: when its seats are everybody's if it is not taken.  An offer after an offer has the same.
  kept_until       TEXT CHECK (kept_until IS strftime('%Y-%m-%dT%H:%M:%SZ', kept_until, '+0 days')),
  version          INTEGER NOT NULL DEFAULT 1 -- raised by jari with every change
) STRICT;
CREATE UNIQUE INDEX waitlist_once ON waitlist (user_id, restaurant_id, slot_date, slot_time) WHERE is_waiting = 1;
CREATE INDEX waitlist_slot ON waitlist (restaurant_id, slot_date, slot_time, waitlist_id) WHERE is_waiting = 1;
CREATE INDEX waitlist_reservation ON waitlist (reservation_id) WHERE reservation_id IS NOT NULL;
CREATE INDEX waitlist_user ON waitlist (user_id);
CREATE INDEX waitlist_card ON waitlist (card_id) WHERE card_id IS NOT NULL;
CREATE INDEX waitlist_offered ON waitlist (user_id, slot_date, slot_time) WHERE reservation_id IS NOT NULL;
CREATE INDEX waitlist_starts ON waitlist (restaurant_id, starts_at) WHERE is_waiting = 1;
CREATE INDEX waitlist_sizes ON waitlist (restaurant_id, slot_date, slot_time, party_size)
  WHERE is_waiting = 1 AND status = 'WAITING';
CREATE INDEX waitlist_proven ON waitlist (restaurant_id, starts_at, party_size) WHERE is_waiting = 1 AND status = 'WAITING'
  AND proven = 1;

-- Seats that came free while a guest waited for them.  Until kept_until they are for those who wait; after it the row means
-- nothing, and the keeper takes it away.
CREATE TABLE kept_seats (
  kept_id       INTEGER PRIMARY KEY AUTOINCREMENT,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  slot_date     TEXT    NOT NULL CHECK (slot_date IS date(slot_date, '+0 days')),
  slot_time     TEXT    NOT NULL CHECK (slot_time GLOB '[0-2][0-9]:[0-5][0-9]'),
  party_size    INTEGER NOT NULL CHECK (party_size BETWEEN 1 AND 10000),
  starts_at     TEXT    NOT NULL,
  ends_at       TEXT    NOT NULL CHECK (ends_at > starts_at),
  tables        TEXT,                                     -- their ids: 3,4
  kept_until    TEXT    NOT NULL CHECK (kept_until IS strftime('%Y-%m-%dT%H:%M:%SZ', kept_until, '+0 days')),
  made_at       TEXT    NOT NULL,
  by_staff      INTEGER NOT NULL DEFAULT 0 CHECK (by_staff = 0 OR by_staff = 1) -- it sat on what is kept from guests online
) STRICT;
CREATE INDEX kept_seats_live ON kept_seats (restaurant_id, kept_until);
-- When an offer of such a stay was last given up after the deadline of its seats: from then on they are left to everybody for a
-- while.  One row for all offers of a stay, so that saying no a thousand times leaves one.
CREATE TABLE left_seats (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  starts_at     TEXT    NOT NULL,
  ends_at       TEXT    NOT NULL CHECK (ends_at > starts_at),
  left_at       TEXT    NOT NULL,
  PRIMARY KEY (restaurant_id, starts_at, ends_at)
) STRICT, WITHOUT ROWID;

-- ==== the door list ==================================================================================================

-- Who walks in and does not fit yet waits in the order of door_id, for one evening.  A name and a number are for calling them:
-- both go when the evening is over.  (Who is seated has a reservation, as every walk-in.)
CREATE TABLE door_parties (
  door_id        INTEGER PRIMARY KEY AUTOINCREMENT,
  restaurant_id  INTEGER NOT NULL REFERENCES restaurants,
  evening        TEXT    NOT NULL CHECK (evening IS date(evening, '+0 days')),
  party_size     INTEGER NOT NULL CHECK (party_size BETWEEN 1 AND 1000),
  guest_name     TEXT CHECK (length(guest_name) BETWEEN 1 AND 80),
  phone          TEXT,
  phone_key      INTEGER,
  language       TEXT    NOT NULL DEFAULT 'ko' CHECK (language = 'ko' OR language = 'en'),
  status         TEXT    NOT NULL DEFAULT 'WAITING'
                 CHECK (status IN ('WAITING', 'CALLED', 'SEATED', 'LEFT', 'NO_SHOW', 'CLOSED')), -- CLOSED: the evening ended
  joined_at      TEXT    NOT NULL CHECK (joined_at IS strftime('%Y-%m-%dT%H:%M:%SZ', joined_at, '+0 days')),
  quoted_low     INTEGER CHECK (quoted_low BETWEEN 0 AND 1440), -- minutes they were told; NULL: nothing could be said
  quoted_high    INTEGER CHECK (quoted_high BETWEEN quoted_low AND 1440),
  called_at      TEXT CHECK (called_at IS strftime('%Y-%m-%dT%H:%M:%SZ', called_at, '+0 days')),
  ended_at       TEXT CHECK (ended_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ended_at, '+0 days')),
  -- Who came before and still waited when these were called or seated: it was out of turn.
  passed         INTEGER NOT NULL DEFAULT 0 CHECK (passed >= 0),
  reservation_id INTEGER REFERENCES reservations,                -- as which they sat down
  desk_key       TEXT CHECK (length(desk_key) BETWEEN 1 AND 80), -- a request that is sent again is the same one
  updated_at     TEXT    NOT NULL,
  changed_by     TEXT    NOT NULL DEFAULT 'shell',
  version        INTEGER NOT NULL DEFAULT 1, -- raised by jari with every change
  is_waiting     INTEGER GENERATED ALWAYS AS (CASE WHEN status IN ('WAITING', 'CALLED') THEN 1 END) VIRTUAL,
  CHECK (status <> 'CALLED' OR called_at IS NOT NULL),
  CHECK ((ended_at IS NULL) = (status IN ('WAITING', 'CALLED'))),
  CHECK (status <> 'SEATED' OR reservation_id IS NOT NULL)
) STRICT;
CREATE INDEX door_parties_waiting ON door_parties (restaurant_id, door_id) WHERE is_waiting = 1;
CREATE INDEX door_parties_evening ON door_parties (restaurant_id, evening);
CREATE INDEX door_parties_reservation ON door_parties (reservation_id) WHERE reservation_id IS NOT NULL;
CREATE INDEX door_parties_named ON door_parties (joined_at) WHERE guest_name IS NOT NULL OR phone IS NOT NULL;
CREATE UNIQUE INDEX door_parties_key ON door_parties (restaurant_id, desk_key) WHERE desk_key IS NOT NULL;

-- ==== money ==========================================================================================================

-- Once paid, every won is accounted for: kept, given back, or due back.
CREATE TABLE payments (
  payment_id          INTEGER PRIMARY KEY,
  reservation_id      INTEGER NOT NULL REFERENCES reservations,
  provider            TEXT    NOT NULL CHECK (provider IN ('desk', 'portone', 'toss', 'stripe')),
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
  restaurant_id       INTEGER REFERENCES restaurants,
  version             INTEGER NOT NULL DEFAULT 1, -- raised by jari with every change
  changed_by          TEXT NOT NULL DEFAULT 'shell',
  intent_id           INTEGER REFERENCES intents, -- that this money came by; NULL: the desk took it
  CHECK (status IN ('READY', 'FAILED') OR amount = kept_amount + refunded_amount + due_back_amount),
  CHECK (status IN ('READY', 'FAILED') OR paid_at IS NOT NULL),
  CHECK ((status = 'REFUND_DUE') = (due_back_amount > 0))
) STRICT;
CREATE UNIQUE INDEX payments_once ON payments (provider, provider_payment_id) WHERE provider_payment_id IS NOT NULL;
CREATE INDEX payments_reservation ON payments (reservation_id);
CREATE INDEX payments_due_back ON payments (due_back_amount) WHERE status = 'REFUND_DUE';
CREATE UNIQUE INDEX payments_intent ON payments (intent_id) WHERE intent_id IS NOT NULL;

-- Who takes payments online: one row for a house that has said so.  Secrets are sealed with the box's key; the other keys are
-- public, the guest's browser shows them to the provider.
CREATE TABLE payment_settings (
  restaurant_id    INTEGER PRIMARY KEY REFERENCES restaurants,
  provider         TEXT NOT NULL DEFAULT 'desk' CHECK (provider IN ('desk', 'portone', 'toss', 'stripe')),
  test             INTEGER NOT NULL DEFAULT 0 CHECK (test = 0 OR test = 1), -- no money moves
  store_id         TEXT CHECK (length(store_id) BETWEEN 1 AND 200),
  channel_key      TEXT CHECK (length(channel_key) BETWEEN 1 AND 200),
  client_key       TEXT CHECK (length(client_key) BETWEEN 1 AND 200),
  secret           TEXT,
  webhook_secret   TEXT,
  -- A card instead of a deposit: so much a head at most, charged by a person only, until so many hours after the slot.
  guarantee        INTEGER NOT NULL DEFAULT 0 CHECK (guarantee = 0 OR guarantee = 1),
  guarantee_amount INTEGER NOT NULL DEFAULT 0 CHECK (guarantee_amount BETWEEN 0 AND 1000000000),
  guarantee_hours  INTEGER NOT NULL DEFAULT 48 CHECK (guarantee_hours BETWEEN 1 AND 720),
  guarantee_terms  TEXT CHECK (length(guarantee_terms) BETWEEN 1 AND 500),
  phone_hold_hours INTEGER NOT NULL DEFAULT 24 CHECK (phone_hold_hours BETWEEN 1 AND 24), -- a link to pay by is good so long
  stretch_seconds  INTEGER NOT NULL DEFAULT 120 CHECK (stretch_seconds BETWEEN 60 AND 600), -- once, while it is being paid
  updated_at       TEXT NOT NULL
) STRICT;

-- The keys of a provider that was the one before: what was paid there can go back from there only.
CREATE TABLE payment_keys (
  restaurant_id  INTEGER NOT NULL REFERENCES restaurants,
  provider       TEXT    NOT NULL CHECK (provider IN ('portone', 'toss', 'stripe')),
  test           INTEGER NOT NULL CHECK (test = 0 OR test = 1),
  store_id       TEXT,
  channel_key    TEXT,
  client_key     TEXT,
  secret         TEXT    NOT NULL,
  webhook_secret TEXT,
  PRIMARY KEY (restaurant_id, provider)
) STRICT, WITHOUT ROWID;

-- A payment before it is money (core/intent.h): written before the provider hears of it.  The cashier does what stands in
-- `todo` when its time has come, and says by a ticket what the provider answered.  The money itself is a row of payments from
-- PAID on, and the intent follows that row; only a trial of the owner's has no reservation, and no such row.
-- (reservation_id has no REFERENCES: SQLite would look for children of every new reservation.  The check knows the rule.)
CREATE TABLE intents (
  intent_id      INTEGER PRIMARY KEY,
  restaurant_id  INTEGER NOT NULL REFERENCES restaurants,
  reservation_id INTEGER, -- or the change that waits for its money
  -- DEPOSIT: what is due.  CARD: a card is kept, and charged only by a CHARGE, which a person asks for.  TRY: a trial.
  purpose        TEXT    NOT NULL CHECK (purpose IN ('DEPOSIT', 'CARD', 'CHARGE', 'TRY')),
  try            INTEGER NOT NULL CHECK (try >= 1),
  pay_key        TEXT    NOT NULL UNIQUE CHECK (length(pay_key) BETWEEN 20 AND 64), -- what the provider knows it by
  state          TEXT    NOT NULL DEFAULT 'READY'
                 CHECK (state IN ('READY', 'AUTHORISED', 'PAID', 'REFUND_DUE', 'REFUNDED', 'VOIDED', 'FAILED')),
  provider       TEXT    NOT NULL CHECK (provider IN ('portone', 'toss', 'stripe')),
  test           INTEGER NOT NULL DEFAULT 0 CHECK (test = 0 OR test = 1),
  currency       TEXT    NOT NULL CHECK (length(currency) = 3),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  returned       INTEGER NOT NULL DEFAULT 0 CHECK (returned >= 0), -- of a trial; else its payment says it
  language       TEXT    NOT NULL DEFAULT 'ko' CHECK (language = 'ko' OR language = 'en'),
  site           TEXT, -- https://host, as the guest's browser knows it: where the provider sends them back to
  provider_ref   TEXT,
  session_ref    TEXT,
  session_url    TEXT,
  token          TEXT, -- what the guest brought back, sealed; forgotten when it is used
  card_ref       TEXT, -- sealed; forgotten when the card may no longer be charged
  card_label     TEXT,
  card_of        INTEGER REFERENCES intents, -- of a CHARGE: whose card
  terms          TEXT, -- of a CARD: as the guest read them
  charge_until   TEXT CHECK (charge_until IS strftime('%Y-%m-%dT%H:%M:%SZ', charge_until, '+0 days')),
  todo           TEXT CHECK (todo IN ('BEGIN', 'CHARGE', 'LOOK', 'VOID', 'FORGET_CARD')),
  todo_at        TEXT,
  started_at     TEXT, -- the cashier has begun with it and has not said how it went: in doubt it looks first
  attempts       INTEGER NOT NULL DEFAULT 0,
  looks          INTEGER NOT NULL DEFAULT 0, -- how often nothing had happened yet
  back_at        TEXT, -- when the guest came back
  stretched_at   TEXT, -- when the hold was made longer for it
  words          TEXT CHECK (length(words) <= 200), -- what the provider said last against it
  created_at     TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  ends_at        TEXT CHECK (ends_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ends_at, '+0 days')), -- the hold, as it was then
  changed_at     TEXT NOT NULL CHECK (changed_at IS strftime('%Y-%m-%dT%H:%M:%SZ', changed_at, '+0 days')),
  changed_by     TEXT NOT NULL DEFAULT 'shell',
  version        INTEGER NOT NULL DEFAULT 1, -- raised by jari with every change
  CHECK ((purpose = 'TRY') = (reservation_id IS NULL)),
  CHECK ((purpose = 'CHARGE') = (card_of IS NOT NULL)),
  CHECK (todo IS NULL OR todo_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX intents_try ON intents (reservation_id, purpose, try) WHERE reservation_id IS NOT NULL;
-- One of them may still become money.
CREATE UNIQUE INDEX intents_live ON intents (reservation_id, purpose)
  WHERE reservation_id IS NOT NULL AND (state = 'READY' OR state = 'AUTHORISED');
CREATE INDEX intents_house ON intents (restaurant_id, intent_id);
CREATE INDEX intents_trials ON intents (restaurant_id, intent_id) WHERE purpose = 'TRY';
CREATE INDEX intents_todo ON intents (todo_at, intent_id) WHERE todo IS NOT NULL;
CREATE UNIQUE INDEX intents_ref ON intents (provider, provider_ref) WHERE provider_ref IS NOT NULL; -- one payment pays once
CREATE INDEX intents_session ON intents (session_ref) WHERE session_ref IS NOT NULL;
CREATE INDEX intents_card ON intents (card_of) WHERE card_of IS NOT NULL;

-- What goes back by the way it came.  A row for each time that something was due back; triggers keep the sum of those that are
-- open the same as what their payment has due back.
CREATE TABLE refunds (
  refund_id  INTEGER PRIMARY KEY,
  intent_id  INTEGER NOT NULL REFERENCES intents,
  payment_id INTEGER REFERENCES payments, -- NULL: of a trial
  amount     INTEGER NOT NULL CHECK (amount > 0),
  refund_key TEXT    NOT NULL UNIQUE, -- the same however often it is sent; another one after it was refused
  -- FAILED: the provider will not, and a person decides.  BY_HAND: it went back in another way.  WITHDRAWN: it is kept.
  state      TEXT    NOT NULL DEFAULT 'QUEUED' CHECK (state IN ('QUEUED', 'DONE', 'FAILED', 'BY_HAND', 'WITHDRAWN')),
  attempts   INTEGER NOT NULL DEFAULT 0,
  next_at    TEXT    NOT NULL DEFAULT '', -- '': at once
  started_at TEXT, -- the cashier has begun with it and has not said how it went
  words      TEXT CHECK (length(words) <= 200),
  asked_by   TEXT NOT NULL,
  created_at TEXT NOT NULL,
  done_at    TEXT
) STRICT;
CREATE INDEX refunds_intent ON refunds (intent_id);
CREATE INDEX refunds_payment ON refunds (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX refunds_next ON refunds (next_at, refund_id) WHERE state = 'QUEUED';
CREATE INDEX refunds_failed ON refunds (refund_id) WHERE state = 'FAILED';

-- What providers sent, so that nothing is heard twice.  It makes the cashier look, and nothing else; a month later it goes.
CREATE TABLE payment_events (
  provider   TEXT NOT NULL CHECK (provider IN ('portone', 'toss', 'stripe')),
  event_id   TEXT NOT NULL CHECK (length(event_id) BETWEEN 1 AND 100),
  type       TEXT NOT NULL,
  reference  TEXT NOT NULL, -- the payment that it names
  arrived_at TEXT NOT NULL,
  PRIMARY KEY (provider, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_events_arrived ON payment_events (arrived_at);
CREATE INDEX payment_events_reference ON payment_events (provider, reference);

-- ==== messages =======================================================================================================

-- What is to be sent.  A row is written in the transaction of what it tells, and says nothing personal: who it goes to and what
-- it says is looked up when it is sent.  However often a crash repeats it, an event has one row for each channel.
CREATE TABLE outbox (
  outbox_id       INTEGER PRIMARY KEY,
  restaurant_id   INTEGER NOT NULL REFERENCES restaurants,
  channel         TEXT NOT NULL CHECK (channel = 'MAIL' OR channel = 'SMS'),
  event           TEXT NOT NULL,                          -- db/outbox.h lists them
  reservation_id  INTEGER REFERENCES reservations,
  version         INTEGER NOT NULL DEFAULT 0,             -- of the reservation when it happened
  proof_id        INTEGER,                                -- the code that is sent
  dedupe_key      TEXT,                                   -- of what is no reservation's: day-sheet:1:2026-01-20
  status          TEXT NOT NULL DEFAULT 'QUEUED' CHECK (status = 'QUEUED' OR status = 'SENT' OR status = 'FAILED'
    OR status = 'SKIPPED'),
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  last_answer     TEXT CHECK (length(last_answer) <= 200),
  created_at      TEXT NOT NULL,
  sent_at         TEXT,
  tried_at        TEXT, -- when it was last sent, refused or put off
  recipient       INTEGER, -- a keyed hash of where it went; forgotten after a day
  -- What the guest has read: date, time, party; '-' if it is off; '?': by an earlier version.
  told            TEXT CHECK (length(told) <= 40),
  -- The version is the reservation's alone.  What else a row is about:
  planned_for     TEXT NOT NULL DEFAULT '', -- of a reminder: when the party begins; of 'lapsing': when the hold ends
  first_reservation INTEGER, -- of 'owner-new': the first that it tells of
  last_reservation INTEGER,  -- of 'owner-digest': the last that it tells of
  door_id         INTEGER, -- of 'table-ready': whose table it is
  -- Codes go before offers and tables that are ready, and these before the rest.
  urgency INTEGER AS (CASE event WHEN 'code' THEN 0 WHEN 'offer' THEN 1 WHEN 'table-ready' THEN 1
  ELSE 2 END) VIRTUAL
) STRICT;
CREATE UNIQUE INDEX outbox_once ON outbox (reservation_id, event, channel, version, planned_for)
  WHERE reservation_id IS NOT NULL;
CREATE UNIQUE INDEX outbox_key ON outbox (dedupe_key) WHERE dedupe_key IS NOT NULL;
CREATE INDEX outbox_failed ON outbox (created_at) WHERE status = 'FAILED';
CREATE INDEX outbox_proof ON outbox (proof_id) WHERE proof_id IS NOT NULL;
CREATE INDEX outbox_next ON outbox (channel, urgency, restaurant_id, next_attempt_at) WHERE status = 'QUEUED';
CREATE INDEX outbox_door ON outbox (door_id) WHERE door_id IS NOT NULL;
CREATE INDEX outbox_recipient ON outbox (recipient, sent_at) WHERE recipient IS NOT NULL;
CREATE INDEX outbox_stuck ON outbox (restaurant_id, tried_at) WHERE status = 'QUEUED' AND attempts > 1;

-- ==== the book itself ================================================================================================

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
  ticket     INTEGER,                                    -- of the line, where the change came by one
  -- In the history of which restaurant it stands, 0: of every one of the box; NULL: in that of its reservation alone.
  restaurant_id INTEGER
) STRICT;
CREATE INDEX audit_house ON audit (restaurant_id) WHERE restaurant_id IS NOT NULL;
CREATE INDEX audit_entity ON audit (entity, entity_id);
-- What a ticket did, unless it made a reservation: that one carries its number itself.
CREATE INDEX audit_ticket ON audit (ticket) WHERE ticket IS NOT NULL AND (entity <> 'reservation' OR change <> 'created');

-- The actor of a change to hours, settings, tables, menu or slots, while jari writes it; empty at the shell.  slot_id: the slot
-- that is changed by hand, while others only follow a rule.
CREATE TABLE writing (one INTEGER PRIMARY KEY CHECK (one = 1), actor TEXT NOT NULL, slot_id INTEGER) STRICT;

-- What has been done to this file.
CREATE TABLE migrations (
  version    INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at TEXT NOT NULL,
  -- Of this script and all before it, as the program had them; NULL: it ran before books remembered.
  hash       TEXT,
  -- Of every table, index, trigger and view as they were when jari last proved them.  Only in the newest row.
  shape      TEXT,
  program    TEXT -- the jari that ran it
) STRICT;

-- Which box the book is on: each takeover by a spare is a row.  A box whose book has fewer of them has been replaced.
CREATE TABLE takeovers (
  epoch             INTEGER PRIMARY KEY CHECK (epoch >= 1),
  taken_at          TEXT NOT NULL CHECK (taken_at IS strftime('%Y-%m-%dT%H:%M:%SZ', taken_at, '+0 days')),
  copy_of           TEXT NOT NULL CHECK (copy_of IS strftime('%Y-%m-%dT%H:%M:%SZ', copy_of, '+0 days')),
  last_reservation  INTEGER NOT NULL,
  -- The box of before may have given the numbers up to this one to guests, whose links are still out there.
  first_reservation INTEGER NOT NULL CHECK (first_reservation > last_reservation)
) STRICT;

-- Backups that came back: between the two numbers are reservations that may have been made since, and are not here.
CREATE TABLE restores (
  restored_at       TEXT NOT NULL CHECK (restored_at IS strftime('%Y-%m-%dT%H:%M:%SZ', restored_at, '+0 days')),
  last_reservation  INTEGER NOT NULL,
  first_reservation INTEGER NOT NULL CHECK (first_reservation > last_reservation)
) STRICT;

-- ==== views that triggers and statements use =========================================================================

-- Numbers of reservations that may have been given away and are not in this book.
CREATE VIEW _lost_numbers AS
SELECT last_reservation, first_reservation FROM takeovers UNION ALL SELECT last_reservation, first_reservation FROM restores;

-- The key of every number; core/text.c does the same, and a test compares them.
CREATE VIEW _phone_keys AS
WITH home AS (SELECT CAST(ifnull((SELECT calling_code FROM restaurants ORDER BY restaurant_id LIMIT 1), 82) AS TEXT) AS code),
     bare AS (SELECT user_id, phone LIKE '+%' AS abroad, replace(replace(replace(replace(replace(replace(replace(phone,
              '+', ''), '-', ''), ' ', ''), '.', ''), '(', ''), ')', ''), '/', '') AS digits
                FROM users WHERE phone IS NOT NULL AND erased_at IS NULL),
     full AS (SELECT user_id, CASE WHEN abroad THEN ltrim(digits, '0') WHEN digits LIKE '00%' THEN ltrim(digits, '0')
              WHEN digits LIKE '0%' THEN code || ltrim(digits, '0') WHEN digits LIKE code || '%'
                AND length(digits) >= 11 THEN digits
              ELSE code || digits END AS number, code FROM bare, home
               WHERE digits NOT GLOB '*[^0-9]*' AND length(digits) BETWEEN 7 AND 15)
SELECT user_id, nullif(CAST(CASE WHEN number LIKE code || '%' THEN code || ltrim(substr(number, length(code) + 1), '0')
  ELSE number END
       AS INTEGER), 0) AS phone_key FROM full;

-- How long a party of which size stays: two rows for each restaurant, ordinary and large parties.
CREATE VIEW _sittings AS
SELECT restaurant_id, 1 AS party_from, sitting_large_from - 1 AS party_to, CASE sitting_minutes WHEN 0 THEN slot_minutes
  ELSE sitting_minutes END AS minutes
  FROM restaurants
UNION ALL
SELECT restaurant_id, sitting_large_from, 1000, CASE WHEN sitting_large_minutes > 0 THEN sitting_large_minutes
       WHEN sitting_minutes > 0 THEN sitting_minutes ELSE slot_minutes END FROM restaurants;

-- The houses of which a service has times or sittings of its own.
CREATE VIEW _service_sittings AS
SELECT restaurant_id FROM opening_hours WHERE slot_minutes > 0 OR sitting_minutes > 0 OR sitting_large_minutes > 0
UNION ALL SELECT restaurant_id FROM special_days WHERE slot_minutes > 0 OR sitting_minutes > 0 OR sitting_large_minutes > 0;

-- Which evening it is: after midnight that of the day before, while one of its services lasts.
CREATE VIEW _evenings AS
WITH clocks AS (SELECT restaurant_id, datetime('now', utc_offset_minutes || ' minutes') AS at FROM restaurants),
     nights AS (SELECT restaurant_id, at, date(at, '-1 day') AS day, printf('%02d:%s', strftime('%H', at) + 24,
                strftime('%M', at)) AS time FROM clocks)
SELECT restaurant_id, CASE WHEN EXISTS (SELECT 1 FROM special_days d WHERE d.restaurant_id = n.restaurant_id AND d.day = n.day
         AND d.closes > n.time)
       OR (EXISTS (SELECT 1 FROM opening_hours h WHERE h.restaurant_id = n.restaurant_id AND h.closes > n.time
           AND h.weekday = (strftime('%w', n.day) + 6) % 7 + 1)
         AND NOT EXISTS (SELECT 1 FROM special_days d WHERE d.restaurant_id = n.restaurant_id AND d.day = n.day
           AND d.as_week = 0))
       THEN day ELSE date(at) END AS day
  FROM nights n;

-- The service of each slot: of its special day, or of its week.  A slot outside of the hours has none.
CREATE VIEW _slot_services AS
SELECT s.slot_id, h.party_min, h.party_max, h.reservation_limit
  FROM restaurant_reservation_slots s JOIN opening_hours h ON h.restaurant_id = s.restaurant_id
   AND h.weekday = (strftime('%w', s.slot_date) + 6) % 7 + 1 AND h.opens <= s.slot_time AND s.slot_time < h.closes
 WHERE NOT EXISTS (SELECT 1 FROM special_days d WHERE d.restaurant_id = s.restaurant_id AND d.day = s.slot_date
   AND d.as_week = 0)
UNION ALL
SELECT s.slot_id, d.party_min, d.party_max, d.reservation_limit
  FROM restaurant_reservation_slots s JOIN special_days d ON d.restaurant_id = s.restaurant_id AND d.day = s.slot_date
   AND d.opens <= s.slot_time AND s.slot_time < d.closes;

-- Digits behind the point, of the currencies that do not have two (core/currency.h; a test compares).
CREATE VIEW _digits (currency, digits) AS VALUES
  ('BIF', 0), ('CLP', 0), ('DJF', 0), ('GNF', 0), ('ISK', 0), ('JPY', 0), ('KMF', 0),
  ('KRW', 0), ('PYG', 0), ('RWF', 0), ('UGX', 0), ('UYI', 0), ('VND', 0), ('VUV', 0), ('XAF', 0), ('XOF', 0), ('XPF', 0),
  ('BHD', 3), ('IQD', 3), ('JOD', 3), ('KWD', 3), ('LYD', 3), ('OMR', 3), ('TND', 3);
-- What a reservation costs, as a person reads it: 19.50.  Amounts are kept in the smallest unit of their currency.
CREATE VIEW _amounts AS
SELECT v.reservation_id, CASE d.digits WHEN 0 THEN v.total_amount WHEN 3 THEN printf('%.3f', v.total_amount / 1000.0)
       ELSE printf('%.2f', v.total_amount / 100.0) END AS amount
  FROM reservations v LEFT JOIN _digits d ON d.currency = v.currency;

-- A payment in one line, for the audit; in the smallest unit.
CREATE VIEW _payment_words AS
SELECT payment_id, printf('%s, reservation %d, %d in, %d kept, %d returned, %d due back', status, reservation_id,
       amount, kept_amount, refunded_amount, due_back_amount) AS words FROM payments;

-- What a person is told of a payment.  Never that it failed, as long as that is not known; BEGIN: the provider's page is
-- not there yet.
CREATE VIEW _intents_told AS
SELECT i.intent_id, CASE i.state
  WHEN 'READY' THEN CASE WHEN i.back_at IS NOT NULL THEN 'CHECKING'
    WHEN i.provider = 'stripe' AND i.session_url IS NULL THEN 'BEGIN' ELSE 'READY' END
  WHEN 'AUTHORISED' THEN CASE WHEN i.purpose = 'CARD' THEN 'PAID' WHEN i.todo = 'VOID' THEN 'NOTHING_CHARGED'
    ELSE 'CHECKING' END
  WHEN 'REFUND_DUE' THEN 'REFUND_ON_ITS_WAY'
  WHEN 'FAILED' THEN CASE WHEN i.back_at IS NOT NULL AND i.todo = 'LOOK' THEN 'CHECKING'
    WHEN EXISTS (SELECT 1 FROM reservations v WHERE v.reservation_id = i.reservation_id AND v.status = 'TEMPORARY')
      THEN 'DECLINED' ELSE 'NOTHING_CHARGED' END
  WHEN 'VOIDED' THEN CASE WHEN i.back_at IS NOT NULL AND i.todo = 'LOOK' THEN 'CHECKING' ELSE 'NOTHING_CHARGED' END
  ELSE i.state END AS told FROM intents i;
CREATE VIEW _payments_told AS
SELECT i.intent_id, i.reservation_id,
  printf('{"paymentId":"%s","purpose":"%s","provider":"%s","state":"%s","amount":%lld,"refundAmount":%lld,"words":"%s"',
    i.pay_key, i.purpose, i.provider, t.told, i.amount, ifnull(p.refunded_amount + p.due_back_amount, 0),
    replace(replace(substr(ifnull(i.words, ''), 1, 100), char(92), ''), char(34), char(39)))
  || iif(i.test = 1, ',"test":true', '')
  || CASE WHEN i.card_ref IS NULL THEN '' ELSE printf(',"chargeUntil":"%s","chargeMost":%lld', i.charge_until, i.amount
    - (SELECT ifnull(sum(o.amount), 0) FROM intents o WHERE o.card_of = i.intent_id AND o.card_of IS NOT NULL
       AND o.state <> 'FAILED' AND o.state <> 'VOIDED')) END || '}' AS object
  FROM intents i JOIN _intents_told t USING (intent_id) LEFT JOIN payments p ON p.intent_id = i.intent_id
   AND p.intent_id IS NOT NULL WHERE i.purpose = 'DEPOSIT' OR i.purpose = 'CARD';

-- Whose guest is at a provider, or was.
CREATE VIEW _paying AS SELECT reservation_id FROM intents WHERE reservation_id IS NOT NULL
  AND (state = 'READY' OR state = 'AUTHORISED');

-- The name of a table: of one that is gone the last that it had.  (Its row gives the name free, and has its number.)
CREATE VIEW _table_names AS
SELECT d.table_id, d.restaurant_id, CASE WHEN d.is_deleted = 1 AND d.name = printf('-%d', d.table_id) THEN ifnull((SELECT
       substr(a.from_value, 1, instr(a.from_value, printf(', %d to %d', d.seats_min, d.seats_max)) - 1) FROM audit a
         WHERE a.entity = 'table' AND a.entity_id = d.table_id AND a.from_value NOT LIKE printf('-%d, %%', d.table_id)
         ORDER BY a.audit_id DESC LIMIT 1), d.name) ELSE d.name END AS name
  FROM dining_tables d;

-- SQLite runs a program for each trigger of an insert, with memory for all of it, even if only to find that its WHEN is
-- false.  So what every reservation needs is one trigger, and what few of them need hangs on these views, which are written to
-- only when they do.  A view between the two asks: INSERT ... SELECT ... WHERE into a view would make a temporary table for
-- each reservation.
CREATE VIEW _reservations_to_place AS SELECT reservation_id, slot_id, user_id, party_size, is_active, table_id,
  restaurant_id, guest_name, starts_at, sitting_minutes, ends_at FROM reservations WHERE 0;
CREATE VIEW _reservations_new AS SELECT * FROM _reservations_to_place;
CREATE VIEW _reservations_by_shell AS SELECT reservation_id, reservation_code, ticket, user_id, slot_id, status, idempotency_key
  FROM reservations WHERE 0;

-- ==== triggers: keep =================================================================================================

-- Nothing vanishes.  What RAISE says begins with a word of core/err.h, so that jari can answer with the right sentence: a
-- trigger that says SLOT_FULL: ... reaches the guest as 409 SLOT_FULL.
--
-- (Of several triggers for one event SQLite runs the last first: the order of this page is part of it.)

-- No row is deleted.
CREATE TRIGGER restaurants_stay BEFORE DELETE ON restaurants
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER users_stay BEFORE DELETE ON users
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER cards_stay BEFORE DELETE ON cards
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER slots_stay BEFORE DELETE ON restaurant_reservation_slots
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER reservations_stay BEFORE DELETE ON reservations
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER items_stay BEFORE DELETE ON reservation_menu_items
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER cancellations_stay BEFORE DELETE ON reservation_cancellations
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER desk_acts_stay BEFORE DELETE ON desk_acts
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER waitlist_stays BEFORE DELETE ON waitlist
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER door_parties_stay BEFORE DELETE ON door_parties
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER blocks_stay BEFORE DELETE ON blocks
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER payments_stay BEFORE DELETE ON payments
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER intents_stay BEFORE DELETE ON intents
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER refunds_stay BEFORE DELETE ON refunds
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER outbox_stays BEFORE DELETE ON outbox
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;

-- What was ordered, and the audit, are ink.
CREATE TRIGGER items_are_ink BEFORE UPDATE ON reservation_menu_items
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: what was ordered is not rewritten'); END;
CREATE TRIGGER audit_is_ink BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;

-- No row is replaced.  INSERT OR REPLACE and UPDATE OR REPLACE delete rows without asking the triggers above, by whichever
-- unique index they collide with.  So every table that keeps its rows asks before each insert, and before each change of what
-- is unique.
CREATE TRIGGER restaurants_no_replace BEFORE INSERT ON restaurants
WHEN EXISTS (SELECT 1 FROM restaurants WHERE restaurant_id = NEW.restaurant_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER tables_no_replace BEFORE INSERT ON dining_tables
WHEN EXISTS (SELECT 1 FROM dining_tables WHERE table_id = NEW.table_id OR (restaurant_id = NEW.restaurant_id
  AND name = NEW.name))
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: there is a table of this name already'); END;
CREATE TRIGGER blocks_no_replace BEFORE INSERT ON blocks
WHEN EXISTS (SELECT 1 FROM blocks WHERE block_id = NEW.block_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER menus_no_replace BEFORE INSERT ON menus WHEN EXISTS (SELECT 1 FROM menus WHERE menu_id = NEW.menu_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER users_no_replace BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM users WHERE user_id = NEW.user_id) OR
     (NEW.ticket IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE ticket = NEW.ticket)) OR
     (NEW.phone_key IS NOT NULL AND NEW.phone_of IS NULL AND EXISTS (SELECT 1 FROM users WHERE phone_key = NEW.phone_key
       AND phone_of IS NULL
       AND phone_key IS NOT NULL)) OR
     (NEW.user_type <> 'GUEST' AND NEW.email IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE lower(email) = lower(NEW.email)
       AND user_type <> 'GUEST' AND email IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'DUPLICATE: another user has this number, address or place already'); END;
CREATE TRIGGER users_no_replace_update BEFORE UPDATE OF user_id, user_type, ticket, phone_key, phone_of, email ON users
BEGIN
  SELECT RAISE(ABORT, 'NEVER_DELETED: a user keeps their number') WHERE NEW.user_id <> OLD.user_id;
  SELECT RAISE(ABORT, 'DUPLICATE: another user has this number, address or place already') WHERE
     (NEW.ticket IS NOT OLD.ticket AND EXISTS (SELECT 1 FROM users WHERE ticket = NEW.ticket)) OR
     (NEW.phone_key IS NOT NULL AND NEW.phone_of IS NULL AND EXISTS (SELECT 1 FROM users WHERE phone_key = NEW.phone_key
       AND phone_of IS NULL
       AND phone_key IS NOT NULL AND user_id <> OLD.user_id)) OR
     (NEW.user_type <> 'GUEST' AND NEW.email IS NOT NULL AND EXISTS (SELECT 1 FROM users WHERE lower(email) = lower(NEW.email)
       AND user_type <> 'GUEST' AND email IS NOT NULL AND user_id <> OLD.user_id));
END;
CREATE TRIGGER slots_no_replace BEFORE INSERT ON restaurant_reservation_slots
BEGIN
  SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row') WHERE EXISTS
    (SELECT 1 FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id);
  -- INSERT OR IGNORE is how one makes sure at the shell that a slot is there.
  SELECT RAISE(IGNORE) WHERE EXISTS (SELECT 1 FROM restaurant_reservation_slots WHERE restaurant_id = NEW.restaurant_id
    AND slot_date = NEW.slot_date AND slot_time = NEW.slot_time);
END;
CREATE TRIGGER items_no_replace BEFORE INSERT ON reservation_menu_items
WHEN EXISTS (SELECT 1 FROM reservation_menu_items WHERE reservation_id = NEW.reservation_id AND menu_id = NEW.menu_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER cancellations_no_replace BEFORE INSERT ON reservation_cancellations
WHEN EXISTS (SELECT 1 FROM reservation_cancellations WHERE cancellation_id = NEW.cancellation_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER desk_acts_no_replace BEFORE INSERT ON desk_acts WHEN EXISTS (SELECT 1 FROM desk_acts WHERE act_id = NEW.act_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER waitlist_no_replace BEFORE INSERT ON waitlist
WHEN EXISTS (SELECT 1 FROM waitlist WHERE waitlist_id = NEW.waitlist_id) OR EXISTS (SELECT 1 FROM waitlist
     WHERE user_id = NEW.user_id AND restaurant_id = NEW.restaurant_id AND slot_date = NEW.slot_date
       AND slot_time = NEW.slot_time AND is_waiting = 1)
BEGIN SELECT RAISE(ABORT, 'ALREADY_WAITING: this person waits for this slot already'); END;
CREATE TRIGGER door_parties_no_replace BEFORE INSERT ON door_parties
WHEN EXISTS (SELECT 1 FROM door_parties WHERE door_id = NEW.door_id) OR (NEW.desk_key IS NOT NULL AND EXISTS
     (SELECT 1 FROM door_parties WHERE restaurant_id = NEW.restaurant_id AND desk_key = NEW.desk_key AND desk_key IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER payments_no_replace BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE payment_id = NEW.payment_id) OR (NEW.provider_payment_id IS NOT NULL AND
     EXISTS (SELECT 1 FROM payments WHERE provider = NEW.provider AND provider_payment_id = NEW.provider_payment_id
       AND provider_payment_id IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER intents_no_replace BEFORE INSERT ON intents
WHEN EXISTS (SELECT 1 FROM intents WHERE intent_id = NEW.intent_id OR pay_key = NEW.pay_key) OR EXISTS (SELECT 1 FROM intents
     WHERE reservation_id = NEW.reservation_id AND reservation_id IS NOT NULL AND purpose = NEW.purpose
       AND (try = NEW.try OR state = 'READY' OR state = 'AUTHORISED'))
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER refunds_no_replace BEFORE INSERT ON refunds
WHEN EXISTS (SELECT 1 FROM refunds WHERE refund_id = NEW.refund_id OR refund_key = NEW.refund_key)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE audit_id = NEW.audit_id)
BEGIN SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row'); END;
-- jari itself never replaces, and the unique indexes tell it no; to ask for everything twice would cost it a twentieth of each
-- booking.  So this asks only the shell, which is what changed_by says unless told otherwise.
CREATE TRIGGER reservations_no_replace BEFORE INSERT ON reservations WHEN NEW.changed_by = 'shell'
BEGIN
  INSERT INTO _reservations_by_shell VALUES (NEW.reservation_id, NEW.reservation_code, NEW.ticket, NEW.user_id,
    NEW.slot_id, NEW.status, NEW.idempotency_key);
END;
CREATE TRIGGER reservations_replaced INSTEAD OF INSERT ON _reservations_by_shell
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
    WHEN (NEW.status = 'TEMPORARY' OR NEW.status = 'CONFIRMED' OR NEW.status = 'PREPAY_CONFIRM'
         OR NEW.status = 'REFUND_PENDING') AND EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id
           AND slot_id = NEW.slot_id AND is_active = 1)
      THEN RAISE(ABORT, 'DUPLICATE: this person has an active reservation in this slot')
  END;
END;
CREATE TRIGGER reservations_no_replace_update BEFORE UPDATE OF reservation_id, reservation_code, ticket, idempotency_key,
  user_id, slot_id, status
ON reservations
WHEN (NEW.reservation_id, NEW.reservation_code, NEW.ticket, NEW.idempotency_key, NEW.user_id, NEW.slot_id) IS NOT
     (OLD.reservation_id, OLD.reservation_code, OLD.ticket, OLD.idempotency_key, OLD.user_id, OLD.slot_id)
       OR OLD.is_active IS NULL
BEGIN
  SELECT CASE
    WHEN NEW.reservation_id <> OLD.reservation_id
      THEN RAISE(ABORT, 'NEVER_DELETED: a reservation keeps its number')
    WHEN NEW.reservation_code <> OLD.reservation_code AND EXISTS (SELECT 1 FROM reservations
      WHERE reservation_code = NEW.reservation_code)
      THEN RAISE(ABORT, 'CODE_TAKEN: another reservation has this code')
    WHEN NEW.ticket IS NOT OLD.ticket AND EXISTS (SELECT 1 FROM reservations WHERE ticket = NEW.ticket)
      THEN RAISE(ABORT, 'NEVER_DELETED: the book keeps every row')
    WHEN EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id AND idempotency_key = NEW.idempotency_key
         AND idempotency_key IS NOT NULL AND reservation_id <> OLD.reservation_id)
      THEN RAISE(ABORT, 'KEY_REUSED: this key was used for another reservation')
    WHEN (NEW.status = 'TEMPORARY' OR NEW.status = 'CONFIRMED' OR NEW.status = 'PREPAY_CONFIRM'
         OR NEW.status = 'REFUND_PENDING') AND EXISTS (SELECT 1 FROM reservations WHERE user_id = NEW.user_id AND is_active = 1
           AND slot_id = NEW.slot_id AND starts_at = (SELECT starts_at FROM restaurant_reservation_slots
             WHERE slot_id = NEW.slot_id) AND reservation_id <> OLD.reservation_id
           AND change_beside = NEW.change_beside)
      THEN RAISE(ABORT, 'DUPLICATE: this person has an active reservation in this slot')
  END;
END;

-- ==== triggers: audit ================================================================================================

-- Everything that changes is written down, with who changed it.  "Is it jari that writes, or the shell?" is asked in two ways.
-- Rows that one booking changes (reservations, waitlist, payments) say it themselves: jari raises version with every UPDATE and
-- names the actor in changed_by with every INSERT; where the version is the same, or changed_by its default, the shell writes.
-- Everything else (settings, hours, tables, menu, slots, mail server) has no such columns and asks the table `writing`, where
-- the actor stands while jari changes it.  (A row there for each booking would be one more page in every commit.)

-- (Of the settings that are numbers only the mark stands here: the program puts a row for each in its place, from
-- core/settings.h.)
CREATE TRIGGER restaurants_audit AFTER UPDATE ON restaurants
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant', NEW.restaurant_id,
    setting, was, now, NEW.restaurant_id FROM (
    SELECT 'name' AS setting, OLD.name AS was, NEW.name AS now UNION ALL VALUES
    ('name_en', OLD.name_en, NEW.name_en),
    ('phone', OLD.phone, NEW.phone),
    ('address', OLD.address, NEW.address),
    ('address_en', OLD.address_en, NEW.address_en),
    ('timezone', OLD.timezone, NEW.timezone),
    ('currency', OLD.currency, NEW.currency),
    ('country', OLD.country, NEW.country),
    ('language', OLD.language, NEW.language),
    ('paused_until', OLD.paused_until, NEW.paused_until),
    ('payment_text', OLD.payment_text, NEW.payment_text),
    ('notify_email', OLD.notify_email, NEW.notify_email),
    ('message_text', OLD.message_text, NEW.message_text),
    /* and one for each of core/settings.h */
    ('message_text_en', OLD.message_text_en, NEW.message_text_en))
   WHERE was IS NOT now;
END;
CREATE TRIGGER hours_audit_insert AFTER INSERT ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'hours', NEW.words, NEW.restaurant_id);
END;
CREATE TRIGGER hours_audit_delete AFTER DELETE ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    OLD.restaurant_id, 'hours', OLD.words, OLD.restaurant_id);
END;
CREATE TRIGGER hours_audit_update AFTER UPDATE ON opening_hours
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'hours', OLD.words, NEW.words, NEW.restaurant_id);
END;
CREATE TRIGGER openings_audit_insert AFTER INSERT ON openings
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'opening', printf('%s-%s %s', NEW.first_date, NEW.last_date, NEW.opens_at), NEW.restaurant_id);
END;
CREATE TRIGGER openings_audit_delete AFTER DELETE ON openings
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    OLD.restaurant_id, 'opening', printf('%s-%s %s', OLD.first_date, OLD.last_date, OLD.opens_at), OLD.restaurant_id);
END;
CREATE TRIGGER openings_audit_update AFTER UPDATE ON openings
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'opening', printf('%s-%s %s', OLD.first_date, OLD.last_date, OLD.opens_at),
    printf('%s-%s %s', NEW.first_date, NEW.last_date, NEW.opens_at), NEW.restaurant_id);
END;
CREATE TRIGGER special_days_audit_insert AFTER INSERT ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'special_day', NEW.words, NEW.restaurant_id);
END;
CREATE TRIGGER special_days_audit_delete AFTER DELETE ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    OLD.restaurant_id, 'special_day', OLD.words, OLD.restaurant_id);
END;
CREATE TRIGGER special_days_audit_update AFTER UPDATE ON special_days
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'restaurant',
    NEW.restaurant_id, 'special_day', OLD.words, NEW.words, NEW.restaurant_id);
END;
CREATE TRIGGER tables_audit_insert AFTER INSERT ON dining_tables
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'table',
    NEW.table_id, 'created', NEW.words, NEW.restaurant_id);
END;
CREATE TRIGGER tables_audit AFTER UPDATE ON dining_tables
WHEN (NEW.name, NEW.seats_min, NEW.seats_max, NEW.open_to, NEW.x, NEW.y, NEW.is_deleted) IS NOT
     (OLD.name, OLD.seats_min, OLD.seats_max, OLD.open_to, OLD.x, OLD.y, OLD.is_deleted)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'table',
    NEW.table_id, 'changed', OLD.words, NEW.words, NEW.restaurant_id);
END;
-- (Its tables are in table_set_members, from which no row goes.)
CREATE TRIGGER table_sets_audit_insert AFTER INSERT ON table_sets
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'join',
    NEW.set_id, 'created',
    printf('%d to %d%s', NEW.seats_min, NEW.seats_max, CASE NEW.is_deleted WHEN 1 THEN ', gone' ELSE '' END),
    NEW.restaurant_id);
END;
CREATE TRIGGER table_sets_audit AFTER UPDATE ON table_sets
WHEN (NEW.seats_min, NEW.seats_max, NEW.is_deleted) IS NOT
     (OLD.seats_min, OLD.seats_max, OLD.is_deleted)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'join',
    NEW.set_id, 'changed',
    printf('%d to %d%s', OLD.seats_min, OLD.seats_max, CASE OLD.is_deleted WHEN 1 THEN ', gone' ELSE '' END),
    printf('%d to %d%s', NEW.seats_min, NEW.seats_max, CASE NEW.is_deleted WHEN 1 THEN ', gone' ELSE '' END),
    NEW.restaurant_id);
END;
-- (Its tables and its reason stay with the block: a reason may name a guest.)
CREATE TRIGGER blocks_audit_insert AFTER INSERT ON blocks
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'block', NEW.block_id, 'made',
    printf('%s to %s%s%s', NEW.from_at, NEW.to_at, CASE NEW.weekly WHEN 1 THEN ', weekly' ELSE '' END,
      CASE NEW.online WHEN 1 THEN ', online' ELSE '' END), NEW.restaurant_id);
END;
CREATE TRIGGER blocks_audit_update AFTER UPDATE ON blocks
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'block', NEW.block_id,
    CASE WHEN NEW.lifted_at IS NOT NULL AND OLD.lifted_at IS NULL THEN 'lifted' ELSE 'changed' END,
    printf('%s to %s', OLD.from_at, OLD.to_at), printf('%s to %s', NEW.from_at, NEW.to_at), NEW.restaurant_id);
END;
-- (Which dish stands before which is not written down.)
CREATE TRIGGER menus_audit_insert AFTER INSERT ON menus
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'menu',
    NEW.menu_id, 'created', NEW.words, NEW.restaurant_id);
END;
CREATE TRIGGER menus_audit AFTER UPDATE ON menus
WHEN (NEW.name, NEW.name_en, NEW.description, NEW.description_en, NEW.price, NEW.sold_out, NEW.is_deleted) IS NOT
     (OLD.name, OLD.name_en, OLD.description, OLD.description_en, OLD.price, OLD.sold_out, OLD.is_deleted)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'menu',
    NEW.menu_id, 'changed', OLD.words, NEW.words, NEW.restaurant_id);
END;
-- (Of a password only that there is another.)
CREATE TRIGGER mail_server_audit_insert AFTER INSERT ON mail_server
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (NEW.updated_at, ifnull((SELECT actor FROM writing), 'shell'), 'mail', 1, 'changed',
    printf('%s %s:%d %s', NEW.way, ifnull(NEW.host, '-'), NEW.port, NEW.security), 0);
END;
CREATE TRIGGER mail_server_audit_update AFTER UPDATE ON mail_server
WHEN (NEW.way, NEW.host, NEW.port, NEW.security, NEW.login, NEW.password, NEW.sender, NEW.site) IS NOT
     (OLD.way, OLD.host, OLD.port, OLD.security, OLD.login, OLD.password, OLD.sender, OLD.site)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (NEW.updated_at, ifnull((SELECT actor FROM writing), 'shell'), 'mail', 1, 'changed',
    printf('%s %s:%d %s', OLD.way, ifnull(OLD.host, '-'), OLD.port, OLD.security), printf('%s %s:%d %s', NEW.way,
      ifnull(NEW.host, '-'), NEW.port, NEW.security)
      || CASE WHEN NEW.password IS OLD.password THEN '' ELSE ', another password' END, 0);
END;
CREATE TRIGGER day_notes_audit_insert AFTER INSERT ON day_notes
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (NEW.written_at, NEW.written_by, 'restaurant', NEW.restaurant_id, 'day_note', NEW.day, NEW.restaurant_id);
END;
CREATE TRIGGER day_notes_audit_update AFTER UPDATE OF note ON day_notes WHEN NEW.note <> OLD.note
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.written_at END,
    CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.written_by END, 'restaurant', NEW.restaurant_id, 'day_note',
    NEW.day, NEW.restaurant_id);
END;
CREATE TRIGGER slots_audit AFTER UPDATE OF max_capacity ON restaurant_reservation_slots
WHEN NEW.max_capacity <> OLD.max_capacity
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ifnull((SELECT actor FROM writing), 'shell'), 'slot', NEW.slot_id,
          'max_capacity', OLD.max_capacity, NEW.max_capacity,
          CASE WHEN ifnull((SELECT ifnull(slot_id, 0) FROM writing), NEW.slot_id) = NEW.slot_id THEN NEW.restaurant_id END);
END;
-- (That a reservation was made is written by reservations_insert, below.)
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
-- What was written stays out of the audit, which cannot be erased.
CREATE TRIGGER reservations_audit_note AFTER UPDATE OF note, guest_name ON reservations
WHEN (NEW.note, NEW.guest_name) IS NOT (OLD.note, OLD.guest_name) AND OLD.guest_name IS NOT NULL
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, ticket)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END,
          CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END, 'reservation', NEW.reservation_id, 'note',
          NULL, CASE WHEN NEW.note IS OLD.note THEN 'another name' ELSE 'another note' END,
          CASE WHEN NEW.version = OLD.version THEN NULL ELSE NEW.changed_ticket END);
END;
CREATE TRIGGER waitlist_audit_insert AFTER INSERT ON waitlist
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, ticket)
  VALUES (NEW.created_at, NEW.changed_by, 'waitlist', NEW.waitlist_id, 'created', NEW.status, NEW.ticket);
END;
CREATE TRIGGER waitlist_audit_status AFTER UPDATE OF status ON waitlist WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END,
          CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END, 'waitlist', NEW.waitlist_id, 'status',
          OLD.status, NEW.status);
END;
CREATE TRIGGER door_parties_audit_insert AFTER INSERT ON door_parties
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value)
  VALUES (NEW.joined_at, NEW.changed_by, 'door', NEW.door_id, 'created', NEW.status);
END;
CREATE TRIGGER door_parties_audit_status AFTER UPDATE OF status ON door_parties WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END,
          CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END, 'door', NEW.door_id, 'status',
          OLD.status, NEW.status);
END;
CREATE TRIGGER payments_audit_insert AFTER INSERT ON payments
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value)
  SELECT NEW.created_at, NEW.changed_by, 'payment', NEW.payment_id, 'created', words FROM _payment_words
    WHERE payment_id = NEW.payment_id;
END;
CREATE TRIGGER payments_audit_change AFTER UPDATE OF reservation_id, status, amount, kept_amount, refunded_amount,
  due_back_amount ON payments
WHEN (NEW.reservation_id, NEW.status, NEW.amount, NEW.kept_amount, NEW.refunded_amount, NEW.due_back_amount) IS NOT
     (OLD.reservation_id, OLD.status, OLD.amount, OLD.kept_amount, OLD.refunded_amount, OLD.due_back_amount)
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), CASE WHEN NEW.version = OLD.version THEN 'shell'
         ELSE NEW.changed_by END, 'payment', NEW.payment_id, 'changed',
           printf('%s, reservation %d, %d in, %d kept, %d returned, %d due back', OLD.status, OLD.reservation_id,
         OLD.amount, OLD.kept_amount, OLD.refunded_amount, OLD.due_back_amount), words,
         CASE WHEN NEW.refunded_amount > OLD.refunded_amount THEN NEW.restaurant_id END
    FROM _payment_words WHERE payment_id = NEW.payment_id;
END;
-- (Of keys only that there are others.)
CREATE TRIGGER payment_settings_audit_insert AFTER INSERT ON payment_settings
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value, restaurant_id)
  VALUES (NEW.updated_at, ifnull((SELECT actor FROM writing), 'shell'), 'restaurant', NEW.restaurant_id, 'payments',
    NEW.provider || CASE NEW.test WHEN 1 THEN ', test' ELSE '' END, NEW.restaurant_id);
END;
CREATE TRIGGER payment_settings_keep AFTER UPDATE OF provider ON payment_settings WHEN NEW.provider <> OLD.provider
BEGIN
  DELETE FROM payment_keys WHERE restaurant_id = NEW.restaurant_id AND provider IN (NEW.provider, OLD.provider);
  INSERT INTO payment_keys (restaurant_id, provider, test, store_id, channel_key, client_key, secret, webhook_secret)
  SELECT OLD.restaurant_id, OLD.provider, OLD.test, OLD.store_id, OLD.channel_key, OLD.client_key, OLD.secret,
    OLD.webhook_secret WHERE OLD.provider <> 'desk' AND OLD.secret IS NOT NULL;
END;
CREATE TRIGGER payment_settings_audit_update AFTER UPDATE ON payment_settings
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
  VALUES (NEW.updated_at, ifnull((SELECT actor FROM writing), 'shell'), 'restaurant', NEW.restaurant_id, 'payments',
    OLD.provider || CASE OLD.test WHEN 1 THEN ', test' ELSE '' END, NEW.provider
    || CASE NEW.test WHEN 1 THEN ', test' ELSE '' END || CASE WHEN (NEW.store_id, NEW.channel_key, NEW.client_key, NEW.secret,
      NEW.webhook_secret) IS (OLD.store_id, OLD.channel_key, OLD.client_key, OLD.secret, OLD.webhook_secret) THEN ''
    ELSE ', other keys' END, NEW.restaurant_id);
END;
CREATE TRIGGER intents_audit_insert AFTER INSERT ON intents
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, to_value)
  VALUES (NEW.created_at, NEW.changed_by, 'intent', NEW.intent_id, 'created',
    printf('%s %s of reservation %s, %d %s', NEW.state, NEW.purpose, ifnull(NEW.reservation_id, '-'), NEW.amount,
      NEW.currency));
END;
CREATE TRIGGER intents_audit_state AFTER UPDATE OF state ON intents WHEN NEW.state <> OLD.state
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.changed_at END,
    CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END, 'intent', NEW.intent_id, 'state', OLD.state,
    NEW.state);
END;
CREATE TRIGGER refunds_audit_state AFTER UPDATE OF state ON refunds WHEN NEW.state <> OLD.state
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
  VALUES (ifnull(NEW.done_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), NEW.asked_by, 'refund', NEW.refund_id, 'state',
    OLD.state, NEW.state);
END;

-- ==== triggers: rules ================================================================================================

-- Settings that no restaurant can have: no reservation is shorter than five minutes, and browsers know a currency by three
-- capitals.
CREATE TRIGGER restaurants_sound_insert BEFORE INSERT ON restaurants
BEGIN
  SELECT RAISE(ABORT, 'OUT_OF_RANGE: a sitting has at least five minutes, or 0') WHERE NEW.sitting_minutes BETWEEN 1 AND 4
      OR NEW.sitting_large_minutes BETWEEN 1 AND 4;
  SELECT RAISE(ABORT, 'BAD_CURRENCY: a currency has three capital letters, like KRW')
    WHERE NEW.currency NOT GLOB '[A-Z][A-Z][A-Z]';
END;
CREATE TRIGGER restaurants_sound_update BEFORE UPDATE OF sitting_minutes, sitting_large_minutes, currency ON restaurants
BEGIN
  SELECT RAISE(ABORT, 'OUT_OF_RANGE: a sitting has at least five minutes, or 0') WHERE NEW.sitting_minutes BETWEEN 1 AND 4
      OR NEW.sitting_large_minutes BETWEEN 1 AND 4;
  SELECT RAISE(ABORT, 'BAD_CURRENCY: a currency has three capital letters, like KRW')
   WHERE NEW.currency <> OLD.currency AND NEW.currency NOT GLOB '[A-Z][A-Z][A-Z]';
END;
-- Amounts in the old currency would be added to amounts in the new one.  jari asks by its own clock; this is for the shell.
CREATE TRIGGER restaurants_currency BEFORE UPDATE OF currency ON restaurants
WHEN NEW.currency <> OLD.currency AND NOT EXISTS (SELECT 1 FROM writing)
BEGIN
  SELECT RAISE(ABORT, 'CURRENCY_IN_USE: reservations to come have money paid or due, or money is due back')
   WHERE EXISTS (SELECT 1 FROM restaurant_reservation_slots s JOIN reservations v USING (slot_id)
                  WHERE s.restaurant_id = NEW.restaurant_id AND s.slot_date >= date('now', '-2 days') AND v.is_active = 1
                    AND v.ends_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now') AND v.total_amount > 0)
      OR EXISTS (SELECT 1 FROM payments p JOIN reservations v USING (reservation_id)
                  WHERE p.status = 'REFUND_DUE' AND v.restaurant_id = NEW.restaurant_id);
END;
CREATE TRIGGER table_set_members_house BEFORE INSERT ON table_set_members
WHEN (SELECT restaurant_id FROM table_sets WHERE set_id = NEW.set_id) IS NOT
     (SELECT restaurant_id FROM dining_tables WHERE table_id = NEW.table_id)
BEGIN SELECT RAISE(ABORT, 'WRONG_TABLE: this table belongs to another restaurant'); END;

-- A slot keeps its date and time, and while it has reservations its instant.
CREATE TRIGGER slots_stay_put BEFORE UPDATE OF slot_id, restaurant_id, slot_date, slot_time, starts_at
  ON restaurant_reservation_slots
WHEN (NEW.slot_id, NEW.restaurant_id, NEW.slot_date, NEW.slot_time) IS NOT (OLD.slot_id, OLD.restaurant_id, OLD.slot_date,
     OLD.slot_time) OR (OLD.starts_at IS NOT NULL AND NEW.starts_at IS NOT OLD.starts_at AND (NEW.starts_at IS NULL OR
       EXISTS (SELECT 1 FROM reservations v WHERE v.slot_id = OLD.slot_id AND v.is_active = 1)))
BEGIN SELECT RAISE(ABORT, 'BAD_MOVE: a slot keeps its date and time; move the reservations instead'); END;
-- No seat is sold twice, by no way.  The sum is strict: a hold counts until it is EXPIRED, which jari does first in every
-- transaction that books.  (REFUND_PENDING and TEMPORARY are the last two states of the alphabet: one search finds both.)
CREATE TRIGGER slots_keep_their_people AFTER UPDATE OF max_capacity ON restaurant_reservation_slots
WHEN NEW.max_capacity < OLD.max_capacity
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND is_active = 1)
    > max(NEW.max_capacity, ifnull(NEW.promised, 0));
END;
-- What every new reservation needs: its audit row, its seats, and a look whether it needs more.
CREATE TRIGGER reservations_insert AFTER INSERT ON reservations
BEGIN
  INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, ticket)
  VALUES (NEW.created_at, NEW.changed_by, 'reservation', NEW.reservation_id, 'created', NULL, NEW.status, NEW.ticket);
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE NEW.is_active = 1 AND
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status >= 'REFUND_PENDING') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'CONFIRMED') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'PREPAY_CONFIRM') >
    (SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id) AND NEW.overbook_reason IS NULL;
  INSERT INTO _reservations_new VALUES (NEW.reservation_id, NEW.slot_id, NEW.user_id, NEW.party_size,
    NEW.is_active, NEW.table_id, NEW.restaurant_id, NEW.guest_name, NEW.starts_at, NEW.sitting_minutes, NEW.ends_at);
END;
CREATE TRIGGER reservations_fit_update AFTER UPDATE OF status, slot_id, party_size ON reservations
WHEN NEW.is_active = 1 AND NEW.overbook_reason IS NULL AND
     (OLD.is_active IS NULL OR NEW.slot_id <> OLD.slot_id OR NEW.party_size > OLD.party_size)
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: the active parties of this slot would exceed its max_capacity') WHERE
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status >= 'REFUND_PENDING') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'CONFIRMED') +
    (SELECT ifnull(sum(party_size), 0) FROM reservations WHERE slot_id = NEW.slot_id AND status = 'PREPAY_CONFIRM') >
    (SELECT max_capacity FROM restaurant_reservation_slots WHERE slot_id = NEW.slot_id);
END;
-- At the beginning of every slot within the sitting no more people are present than there are seats: presence rises only
-- where a party starts.  No party sits longer than a day, and a time after midnight may belong to the evening before: so it
-- is enough to look two days back and one ahead.
CREATE TRIGGER reservations_present_update AFTER UPDATE OF status, party_size, starts_at, ends_at ON reservations
WHEN NEW.is_active = 1 AND NEW.ends_at IS NOT NULL AND NEW.overbook_reason IS NULL AND
     (OLD.is_active IS NULL OR NEW.party_size > OLD.party_size OR NEW.starts_at IS NOT OLD.starts_at OR
      NEW.ends_at > ifnull(OLD.ends_at, '')) AND
     EXISTS (SELECT 1 FROM restaurants r WHERE r.restaurant_id = NEW.restaurant_id
       AND (r.seats > 0 OR r.service_sittings = 1 OR r.sitting_minutes > r.slot_minutes
         OR r.sitting_large_minutes > r.slot_minutes))
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: more people would be present than there are seats')
    FROM restaurants r JOIN restaurant_reservation_slots t ON t.restaurant_id = r.restaurant_id
   WHERE r.restaurant_id = NEW.restaurant_id AND t.starts_at >= NEW.starts_at AND t.starts_at < NEW.ends_at
     AND t.slot_date BETWEEN date(NEW.starts_at, '-2 days') AND date(NEW.ends_at, '+1 day')
     AND (SELECT sum(v.party_size) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id
           AND v.status IN ('TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM', 'REFUND_PENDING')
           WHERE s.restaurant_id = r.restaurant_id AND s.slot_date BETWEEN date(t.slot_date, '-2 days')
             AND date(t.slot_date, '+1 day')
             AND (s.starts_at <= t.starts_at OR (v.visit_status = 'SEATED' AND v.seated_at <= t.starts_at))
             AND v.ends_at > t.starts_at)
         > CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END;
END;

-- A table seats one party at a time, unless one of two sits there beside the other on purpose.
CREATE TRIGGER reservation_tables_free_insert BEFORE INSERT ON reservation_tables
BEGIN
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is taken at that time') WHERE EXISTS
    (SELECT 1 FROM reservation_tables o WHERE o.table_id = NEW.table_id AND o.reservation_id <> NEW.reservation_id
      AND o.starts_at < NEW.ends_at AND o.starts_at > strftime('%Y-%m-%dT%H:%M:%SZ', NEW.starts_at, '-1440 minutes')
      AND o.ends_at > NEW.starts_at AND o.shared = 0 AND NEW.shared = 0);
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table belongs to another restaurant') WHERE
    (SELECT restaurant_id FROM dining_tables WHERE table_id = NEW.table_id) IS NOT
    (SELECT s.restaurant_id FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id)
      WHERE v.reservation_id = NEW.reservation_id);
END;
CREATE TRIGGER reservation_tables_free_update BEFORE UPDATE ON reservation_tables
BEGIN
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is taken at that time') WHERE EXISTS
    (SELECT 1 FROM reservation_tables o WHERE o.table_id = NEW.table_id AND o.reservation_id <> NEW.reservation_id
      AND o.starts_at < NEW.ends_at AND o.starts_at > strftime('%Y-%m-%dT%H:%M:%SZ', NEW.starts_at, '-1440 minutes')
      AND o.ends_at > NEW.starts_at AND o.shared = 0 AND NEW.shared = 0);
END;

-- Nobody is seated where a party sits that has not left, however long its time is over; after half a day it is taken for gone.
-- (db/sitters.c asks first, and says who it is.)
CREATE TRIGGER reservations_sit_alone AFTER UPDATE OF visit_status ON reservations
WHEN NEW.visit_status = 'SEATED' AND OLD.visit_status <> 'SEATED' AND NEW.is_active = 1
BEGIN
  SELECT RAISE(ABORT, 'TABLE_TAKEN: a party still sits at this table') WHERE EXISTS
    (SELECT 1 FROM reservation_tables x CROSS JOIN reservation_tables o ON o.table_id = x.table_id
        AND o.reservation_id <> x.reservation_id AND o.shared = 0
        AND o.starts_at > strftime('%Y-%m-%dT%H:%M:%SZ', NEW.seated_at, '-36 hours')
        AND o.ends_at > strftime('%Y-%m-%dT%H:%M:%SZ', NEW.seated_at, '-12 hours')
      CROSS JOIN reservations v ON v.reservation_id = o.reservation_id
      WHERE x.reservation_id = NEW.reservation_id AND x.shared = 0 AND v.visit_status = 'SEATED'
        AND (v.status = 'CONFIRMED' OR v.status = 'PREPAY_CONFIRM'));
END;
-- A party is completed or a no-show only after its slot has begun; earlier, tomorrow's seats would be given away.  Who sat down
-- before their time may leave before it.
CREATE TRIGGER reservations_not_yet BEFORE UPDATE OF status ON reservations
WHEN NEW.status <> OLD.status AND (NEW.status = 'COMPLETED' OR NEW.status = 'NO_SHOW') AND
     NOT (NEW.status = 'COMPLETED' AND OLD.visit_status = 'SEATED') AND
     OLD.starts_at > CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END
BEGIN SELECT RAISE(ABORT, 'TOO_EARLY: its time has not come yet'); END;
-- Which status follows which; core/life.c has the same, and a test compares them.  The desk, which raises the version, may take
-- back what it said, if the seats are still there: the triggers that count them see to that.  So it may bring back a change
-- that waited for its money, and that ended with what the desk did; and a hold that ran out while its guest was paying is one
-- again before the card is charged.
CREATE TRIGGER reservations_life BEFORE UPDATE OF status ON reservations
WHEN NEW.status <> OLD.status AND OLD.status || '>' || NEW.status NOT IN (
  'TEMPORARY>CONFIRMED', 'TEMPORARY>PREPAY_CONFIRM', 'TEMPORARY>EXPIRED', 'TEMPORARY>CANCELED',
  'CONFIRMED>COMPLETED', 'CONFIRMED>NO_SHOW', 'CONFIRMED>CANCELED', 'CONFIRMED>REFUND_PENDING',
  'PREPAY_CONFIRM>COMPLETED', 'PREPAY_CONFIRM>NO_SHOW', 'PREPAY_CONFIRM>CANCELED', 'PREPAY_CONFIRM>REFUND_PENDING',
  'REFUND_PENDING>REFUNDED', 'REFUND_PENDING>CANCELED',
  'EXPIRED>CONFIRMED', 'EXPIRED>PREPAY_CONFIRM') AND NOT (NEW.version <> OLD.version AND OLD.status || '>' || NEW.status IN (
  'COMPLETED>CONFIRMED', 'COMPLETED>PREPAY_CONFIRM', 'NO_SHOW>CONFIRMED', 'NO_SHOW>PREPAY_CONFIRM', 'CONFIRMED>TEMPORARY',
  'CANCELED>TEMPORARY', 'CANCELED>CONFIRMED', 'CANCELED>PREPAY_CONFIRM',
  CASE WHEN (OLD.change_of IS NOT NULL AND OLD.change_done IS NULL) OR EXISTS (SELECT 1 FROM _paying
    WHERE reservation_id = OLD.reservation_id) THEN 'EXPIRED>TEMPORARY' ELSE 0 END))
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a reservation cannot go from its status to that one');
END;

-- Whose money it is and how much came in does not change, but that what came for a change can become its reservation's; and
-- money that came in is kept, given back or due back for ever.
CREATE TRIGGER payments_life BEFORE UPDATE ON payments
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a payment keeps its number, its reservation and its provider') WHERE
    (NEW.payment_id, NEW.provider, NEW.intent_id) IS NOT (OLD.payment_id, OLD.provider, OLD.intent_id) OR
    (NEW.reservation_id <> OLD.reservation_id AND NEW.reservation_id IS NOT
      (SELECT change_of FROM reservations WHERE reservation_id = OLD.reservation_id));
  SELECT RAISE(ABORT, 'BAD_MOVE: money that came in stays accounted for') WHERE OLD.status NOT IN ('READY', 'FAILED') AND
    (NEW.status IN ('READY', 'FAILED') OR (NEW.amount, NEW.currency, NEW.paid_at) IS NOT (OLD.amount, OLD.currency, OLD.paid_at)
      OR NEW.refunded_amount < OLD.refunded_amount);
  SELECT RAISE(ABORT, 'NEVER_DELETED: the book keeps every row')
    WHERE NEW.provider_payment_id IS NOT OLD.provider_payment_id AND EXISTS (SELECT 1 FROM payments
      WHERE provider = NEW.provider AND provider_payment_id = NEW.provider_payment_id);
END;

-- Which state of a payment follows which; core/intent.c has the same and says who, and a test compares them.  What the provider
-- was told does not change.
CREATE TRIGGER intents_life BEFORE UPDATE ON intents
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: an intent keeps its key, its reservation, its provider and its amount') WHERE
    (NEW.intent_id, NEW.restaurant_id, NEW.reservation_id, NEW.purpose, NEW.try, NEW.pay_key, NEW.provider, NEW.test,
     NEW.currency, NEW.amount, NEW.card_of, NEW.created_at) IS NOT
    (OLD.intent_id, OLD.restaurant_id, OLD.reservation_id, OLD.purpose, OLD.try, OLD.pay_key, OLD.provider, OLD.test,
     OLD.currency, OLD.amount, OLD.card_of, OLD.created_at);
  SELECT RAISE(ABORT, 'BAD_MOVE: an intent cannot go from its state to that one') WHERE NEW.state <> OLD.state AND
    OLD.state || '>' || NEW.state NOT IN (
    'READY>AUTHORISED', 'READY>PAID', 'READY>FAILED', 'AUTHORISED>PAID', 'AUTHORISED>VOIDED', 'AUTHORISED>FAILED',
    'VOIDED>PAID', 'FAILED>PAID', 'PAID>REFUND_DUE', 'PAID>REFUNDED', 'REFUND_DUE>PAID', 'REFUND_DUE>REFUNDED',
    'REFUNDED>REFUND_DUE');
  -- Of money there is a payment, and it says how much of it is where.
  SELECT RAISE(ABORT, 'BAD_MOVE: the state of a paid intent is that of its payment') WHERE NEW.state <> OLD.state AND
    NEW.state IN ('PAID', 'REFUND_DUE', 'REFUNDED') AND NEW.purpose <> 'TRY' AND
    NEW.state IS NOT (SELECT p.status FROM payments p WHERE p.intent_id = NEW.intent_id AND p.intent_id IS NOT NULL);
END;
CREATE TRIGGER refunds_life BEFORE UPDATE ON refunds
BEGIN
  SELECT RAISE(ABORT, 'BAD_MOVE: a refund keeps its number, its payment and its amount') WHERE
    (NEW.refund_id, NEW.intent_id, NEW.payment_id, NEW.amount) IS NOT
    (OLD.refund_id, OLD.intent_id, OLD.payment_id, OLD.amount);
  SELECT RAISE(ABORT, 'BAD_MOVE: this refund is over') WHERE NEW.state <> OLD.state
    AND OLD.state IN ('DONE', 'BY_HAND', 'WITHDRAWN');
  SELECT RAISE(ABORT, 'BAD_MOVE: it is on its way back') WHERE NEW.state IN ('BY_HAND', 'WITHDRAWN') AND NEW.state <> OLD.state
    AND OLD.state = 'QUEUED' AND OLD.attempts > 0;
END;

-- ==== triggers: fill in ==============================================================================================

-- What was written at the shell gets what jari would have given it.

-- A number gets its key.
CREATE TRIGGER users_phone_insert AFTER INSERT ON users WHEN NEW.phone IS NOT NULL AND NEW.phone_key IS NULL
BEGIN
  UPDATE users SET phone_key = (SELECT k.phone_key FROM _phone_keys k WHERE k.user_id = NEW.user_id)
    WHERE user_id = NEW.user_id;
END;
CREATE TRIGGER users_phone_update AFTER UPDATE OF phone, erased_at ON users
BEGIN
  UPDATE users SET phone_key = (SELECT k.phone_key FROM _phone_keys k WHERE k.user_id = NEW.user_id)
    WHERE user_id = NEW.user_id;
END;
-- Numbers without a country are of another one now.  One that would then be another user's stays as it is.
CREATE TRIGGER restaurants_calling_code AFTER UPDATE OF calling_code ON restaurants WHEN NEW.calling_code <> OLD.calling_code
BEGIN
  UPDATE OR IGNORE users SET phone_key = (SELECT k.phone_key FROM _phone_keys k WHERE k.user_id = users.user_id)
   WHERE phone IS NOT NULL AND phone NOT LIKE '+%';
END;
-- jari knows the rules of the zone; at the shell the offset of today has to do.
CREATE TRIGGER slots_start AFTER INSERT ON restaurant_reservation_slots WHEN NEW.starts_at IS NULL
BEGIN
  UPDATE restaurant_reservation_slots SET starts_at =
    (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', NEW.slot_date, substr(NEW.slot_time, 1, 2) || ' hours',
    substr(NEW.slot_time, 4) || ' minutes', -r.utc_offset_minutes || ' minutes')
      FROM restaurants r WHERE r.restaurant_id = NEW.restaurant_id)
      WHERE slot_id = NEW.slot_id;
END;
CREATE TRIGGER waitlist_place AFTER INSERT ON waitlist WHEN NEW.starts_at IS NULL OR NEW.guest_name IS NULL
BEGIN
  UPDATE waitlist SET guest_name = ifnull(NEW.guest_name, (SELECT u.name FROM users u WHERE u.user_id = NEW.user_id)),
    starts_at = ifnull(NEW.starts_at,
    (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', NEW.slot_date, substr(NEW.slot_time, 1, 2) || ' hours',
      substr(NEW.slot_time, 4) || ' minutes', -r.utc_offset_minutes || ' minutes')
      FROM restaurants r
      WHERE r.restaurant_id = NEW.restaurant_id)) WHERE waitlist_id = NEW.waitlist_id;
END;
CREATE TRIGGER payments_place AFTER INSERT ON payments WHEN NEW.restaurant_id IS NULL
BEGIN
  UPDATE payments SET restaurant_id = (SELECT v.restaurant_id FROM reservations v WHERE v.reservation_id = NEW.reservation_id)
   WHERE payment_id = NEW.payment_id;
END;
-- A reservation that lacks something, has a table, or comes to a house that counts who is present.
CREATE TRIGGER reservations_new_place INSTEAD OF INSERT ON _reservations_new
WHEN NEW.ends_at IS NULL OR NEW.starts_at IS NULL OR NEW.sitting_minutes IS NULL OR NEW.restaurant_id IS NULL
     OR NEW.guest_name IS NULL OR (NEW.is_active = 1 AND (NEW.table_id IS NOT NULL OR EXISTS (SELECT 1 FROM restaurants r
       WHERE r.restaurant_id = NEW.restaurant_id
       AND (r.seats > 0 OR r.service_sittings = 1 OR r.sitting_minutes > r.slot_minutes
         OR r.sitting_large_minutes > r.slot_minutes))))
BEGIN
  INSERT INTO _reservations_to_place VALUES (NEW.reservation_id, NEW.slot_id, NEW.user_id, NEW.party_size,
    NEW.is_active, NEW.table_id, NEW.restaurant_id, NEW.guest_name, NEW.starts_at, NEW.sitting_minutes, NEW.ends_at);
END;
-- What `jari import` brings was sold before: it keeps its people, however many are present at once.
CREATE TRIGGER reservations_place INSTEAD OF INSERT ON _reservations_to_place
BEGIN
  -- Inserted at the shell, which knows the slot: the rest is looked up.  The triggers for updates see to tables and people
  -- then.
  UPDATE reservations SET guest_name = ifnull(NEW.guest_name, (SELECT u.name FROM users u WHERE u.user_id = NEW.user_id)),
    (restaurant_id, starts_at, sitting_minutes, ends_at) =
      (SELECT r.restaurant_id, s.starts_at, p.minutes, ifnull(NEW.ends_at,
        strftime('%Y-%m-%dT%H:%M:%SZ', s.starts_at, p.minutes || ' minutes'))
         FROM restaurant_reservation_slots s JOIN restaurants r USING (restaurant_id)
           JOIN _sittings p ON p.restaurant_id = r.restaurant_id
          AND NEW.party_size BETWEEN p.party_from AND p.party_to
        WHERE s.slot_id = NEW.slot_id)
   WHERE reservation_id = NEW.reservation_id AND (NEW.ends_at IS NULL OR NEW.starts_at IS NULL OR NEW.sitting_minutes IS NULL OR
         NEW.restaurant_id IS NULL OR NEW.guest_name IS NULL);
  -- Its first table; the others of a set follow, in the same transaction.
  INSERT INTO reservation_tables (reservation_id, table_id, starts_at, ends_at)
  SELECT NEW.reservation_id, NEW.table_id, NEW.starts_at, NEW.ends_at
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.ends_at IS NOT NULL;
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is too small')
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.ends_at IS NOT NULL AND NEW.party_size > max(
    (SELECT seats_max FROM dining_tables WHERE table_id = NEW.table_id),
    ifnull((SELECT max(s.seats_max) FROM table_sets s JOIN table_set_members m USING (set_id)
             WHERE m.table_id = NEW.table_id AND s.is_deleted = 0), 0));
  SELECT RAISE(ABORT, 'SLOT_FULL: more people would be present than there are seats')
    FROM restaurants r JOIN restaurant_reservation_slots t ON t.restaurant_id = r.restaurant_id
   WHERE NEW.is_active = 1 AND NEW.ends_at IS NOT NULL AND r.restaurant_id = NEW.restaurant_id
     AND (SELECT changed_by <> 'import' AND overbook_reason IS NULL FROM reservations
           WHERE reservation_id = NEW.reservation_id)
     AND (r.seats > 0 OR r.service_sittings = 1 OR r.sitting_minutes > r.slot_minutes
       OR r.sitting_large_minutes > r.slot_minutes)
     AND t.starts_at >= NEW.starts_at AND t.starts_at < NEW.ends_at
     AND t.slot_date BETWEEN date(NEW.starts_at, '-2 days') AND date(NEW.ends_at, '+1 day')
     AND (SELECT sum(v.party_size) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id
           AND v.status IN ('TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM', 'REFUND_PENDING')
           WHERE s.restaurant_id = r.restaurant_id AND s.slot_date BETWEEN date(t.slot_date, '-2 days')
             AND date(t.slot_date, '+1 day')
             AND (s.starts_at <= t.starts_at OR (v.visit_status = 'SEATED' AND v.seated_at <= t.starts_at))
             AND v.ends_at > t.starts_at)
         > CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END;
END;
CREATE TRIGGER reservations_moved AFTER UPDATE OF slot_id ON reservations WHEN NEW.slot_id <> OLD.slot_id
  AND NEW.starts_at IS OLD.starts_at
BEGIN
  UPDATE reservations SET (restaurant_id, starts_at, ends_at) = (SELECT s.restaurant_id, s.starts_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', s.starts_at, NEW.sitting_minutes || ' minutes') FROM restaurant_reservation_slots s
      WHERE s.slot_id = NEW.slot_id)
   WHERE reservation_id = NEW.reservation_id;
END;

-- ==== triggers: follow ===============================================================================================

-- What changes with something else, by jari or by the shell.

-- A slot that has as many seats as the house gives every slot follows the house; one with a number of its own keeps it.  When
-- fewer people are let in than have been promised a place, their slot remembers how many those were: no other party gets in,
-- and the check knows that they were let in by the rules of their day.
CREATE TRIGGER restaurants_fewer AFTER UPDATE OF reservation_limit, seats, slot_minutes, sitting_minutes, sitting_large_minutes,
  service_sittings ON restaurants
WHEN (NEW.reservation_limit, NEW.seats, NEW.slot_minutes, NEW.sitting_minutes, NEW.sitting_large_minutes, NEW.service_sittings)
     IS NOT (OLD.reservation_limit, OLD.seats, OLD.slot_minutes, OLD.sitting_minutes, OLD.sitting_large_minutes,
     OLD.service_sittings)
BEGIN
  UPDATE restaurant_reservation_slots SET max_capacity = NEW.reservation_limit,
         promised = CASE WHEN q.people > NEW.reservation_limit THEN max(ifnull(promised, 0), q.people) ELSE promised END
    FROM (SELECT s.slot_id AS id, (SELECT ifnull(sum(v.party_size), 0) FROM reservations v WHERE v.slot_id = s.slot_id
      AND v.is_active = 1)
            AS people FROM restaurant_reservation_slots s WHERE s.restaurant_id = NEW.restaurant_id
              AND s.slot_date >= date('now', '-1 day')
             AND s.max_capacity = OLD.reservation_limit AND NOT EXISTS (SELECT 1 FROM _slot_services x
               WHERE x.slot_id = s.slot_id AND x.reservation_limit IS NOT NULL)) q
   WHERE slot_id = q.id AND NEW.reservation_limit <> OLD.reservation_limit;
  UPDATE restaurant_reservation_slots SET promised_present = q.people
    FROM (SELECT t.slot_id AS id, (SELECT ifnull(sum(v.party_size), 0) FROM restaurant_reservation_slots s JOIN reservations v
             ON v.slot_id = s.slot_id AND v.is_active = 1 WHERE s.restaurant_id = NEW.restaurant_id
             AND s.slot_date BETWEEN date(t.slot_date, '-2 days') AND date(t.slot_date, '+1 day') AND s.starts_at <= t.starts_at
               AND v.ends_at > t.starts_at)
            AS people FROM restaurant_reservation_slots t WHERE t.restaurant_id = NEW.restaurant_id
              AND t.slot_date >= date('now', '-1 day')) q
   WHERE slot_id = q.id AND (NEW.seats > 0 OR NEW.service_sittings = 1 OR NEW.sitting_minutes > NEW.slot_minutes
     OR NEW.sitting_large_minutes > NEW.slot_minutes)
     AND q.people > max(ifnull(promised_present, 0), CASE NEW.seats WHEN 0 THEN NEW.reservation_limit ELSE NEW.seats END);
END;
-- A service with times or sittings of its own: those present are counted.
CREATE TRIGGER hours_sittings_insert AFTER INSERT ON opening_hours
BEGIN
  UPDATE restaurants SET service_sittings = q.has FROM (SELECT EXISTS (SELECT 1 FROM _service_sittings
    WHERE restaurant_id = NEW.restaurant_id) AS has) q WHERE restaurant_id = NEW.restaurant_id AND service_sittings <> q.has;
END;
CREATE TRIGGER hours_sittings_update AFTER UPDATE ON opening_hours
BEGIN
  UPDATE restaurants SET service_sittings = q.has FROM (SELECT EXISTS (SELECT 1 FROM _service_sittings
    WHERE restaurant_id = NEW.restaurant_id) AS has) q WHERE restaurant_id = NEW.restaurant_id AND service_sittings <> q.has;
END;
CREATE TRIGGER hours_sittings_delete AFTER DELETE ON opening_hours
BEGIN
  UPDATE restaurants SET service_sittings = q.has FROM (SELECT EXISTS (SELECT 1 FROM _service_sittings
    WHERE restaurant_id = OLD.restaurant_id) AS has) q WHERE restaurant_id = OLD.restaurant_id AND service_sittings <> q.has;
END;
CREATE TRIGGER special_days_sittings_insert AFTER INSERT ON special_days
BEGIN
  UPDATE restaurants SET service_sittings = q.has FROM (SELECT EXISTS (SELECT 1 FROM _service_sittings
    WHERE restaurant_id = NEW.restaurant_id) AS has) q WHERE restaurant_id = NEW.restaurant_id AND service_sittings <> q.has;
END;
CREATE TRIGGER special_days_sittings_update AFTER UPDATE ON special_days
BEGIN
  UPDATE restaurants SET service_sittings = q.has FROM (SELECT EXISTS (SELECT 1 FROM _service_sittings
    WHERE restaurant_id = NEW.restaurant_id) AS has) q WHERE restaurant_id = NEW.restaurant_id AND service_sittings <> q.has;
END;
CREATE TRIGGER special_days_sittings_delete AFTER DELETE ON special_days
BEGIN
  UPDATE restaurants SET service_sittings = q.has FROM (SELECT EXISTS (SELECT 1 FROM _service_sittings
    WHERE restaurant_id = OLD.restaurant_id) AS has) q WHERE restaurant_id = OLD.restaurant_id AND service_sittings <> q.has;
END;
-- In another time zone 19:00 is another instant: an empty slot follows, and with it those who are no longer in it.
CREATE TRIGGER slots_moved AFTER UPDATE OF starts_at ON restaurant_reservation_slots
WHEN OLD.starts_at IS NOT NULL AND NEW.starts_at <> OLD.starts_at
BEGIN
  UPDATE reservations SET starts_at = NEW.starts_at, ends_at = strftime('%Y-%m-%dT%H:%M:%SZ', NEW.starts_at,
    (strftime('%s', ends_at) - strftime('%s', starts_at)) || ' seconds') WHERE slot_id = NEW.slot_id;
END;
-- Its tables follow the reservation: its first table, its times, and its end.  (After a move to another slot
-- reservations_moved comes first; its update fires this one again.)
CREATE TRIGGER reservations_table_update AFTER UPDATE OF table_id, party_size, status, starts_at, ends_at ON reservations
WHEN (NEW.table_id IS NOT NULL OR OLD.table_id IS NOT NULL) AND NEW.ends_at IS NOT NULL AND
     NOT (NEW.slot_id <> OLD.slot_id AND NEW.starts_at IS OLD.starts_at) AND
     (NEW.table_id, NEW.party_size, NEW.is_active, NEW.starts_at, NEW.ends_at) IS NOT
     (OLD.table_id, OLD.party_size, OLD.is_active, OLD.starts_at, OLD.ends_at)
BEGIN
  -- Another first table that is none of those it has, no table, or no longer active: those it had are free.
  DELETE FROM reservation_tables WHERE reservation_id = NEW.reservation_id AND (NEW.is_active IS NULL OR NEW.table_id IS NULL OR
    NOT EXISTS (SELECT 1 FROM reservation_tables o WHERE o.reservation_id = NEW.reservation_id AND o.table_id = NEW.table_id));
  INSERT INTO reservation_tables (reservation_id, table_id, starts_at, ends_at)
  SELECT NEW.reservation_id, NEW.table_id, NEW.starts_at, NEW.ends_at
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NOT EXISTS
     (SELECT 1 FROM reservation_tables o WHERE o.reservation_id = NEW.reservation_id AND o.table_id = NEW.table_id);
  UPDATE reservation_tables SET starts_at = NEW.starts_at, ends_at = NEW.ends_at
   WHERE reservation_id = NEW.reservation_id AND (starts_at, ends_at) IS NOT (NEW.starts_at, NEW.ends_at);
  SELECT RAISE(ABORT, 'WRONG_TABLE: these tables are too small') WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL
    AND NEW.overbook_reason IS NULL AND NEW.party_size > max(
    (SELECT sum(t.seats_max) FROM reservation_tables o JOIN dining_tables t USING (table_id)
    WHERE o.reservation_id = NEW.reservation_id), ifnull((SELECT max(s.seats_max) FROM table_sets s WHERE s.is_deleted = 0
             AND s.set_id IN (SELECT m.set_id FROM table_set_members m WHERE m.table_id = NEW.table_id) AND NOT EXISTS
             (SELECT 1 FROM table_set_members m WHERE m.set_id = s.set_id AND m.table_id NOT IN
               (SELECT o.table_id FROM reservation_tables o WHERE o.reservation_id = NEW.reservation_id))), 0));
END;
-- An offer is a hold: what becomes of the one becomes of the other.
CREATE TRIGGER reservations_offered AFTER UPDATE OF status ON reservations WHEN NEW.source = 'WAITLIST'
  AND NEW.status <> OLD.status
BEGIN
  UPDATE waitlist SET status = CASE NEW.status WHEN 'CONFIRMED' THEN 'BOOKED' WHEN 'EXPIRED' THEN 'OFFER_EXPIRED'
         ELSE 'LEFT' END, version = version + 1,
         changed_by = CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END,
         updated_at = CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END
   WHERE reservation_id = NEW.reservation_id AND reservation_id IS NOT NULL AND status = 'OFFERED' AND
         (NEW.status = 'CONFIRMED' OR NEW.status = 'EXPIRED' OR NEW.status = 'CANCELED');
END;
-- What was asked is over when the reservation is, or is another one meanwhile.
CREATE TRIGGER reservations_change_over AFTER UPDATE OF status, slot_id, party_size ON reservations
WHEN OLD.is_active = 1 AND OLD.status <> 'TEMPORARY' AND
     (NEW.is_active IS NULL OR NEW.slot_id <> OLD.slot_id OR NEW.party_size <> OLD.party_size)
BEGIN
  UPDATE reservations SET status = 'EXPIRED', version = version + 1, changed_ticket = NULL,
         changed_by = CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END,
         updated_at = CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END
   WHERE change_of = NEW.reservation_id AND change_of IS NOT NULL AND status = 'TEMPORARY';
END;
-- With a change that has ended the reservation owes something else: the desk must not take money for what it saw before.
CREATE TRIGGER reservations_change_ended AFTER UPDATE OF status ON reservations
WHEN OLD.change_of IS NOT NULL AND OLD.status = 'TEMPORARY' AND NEW.status <> 'TEMPORARY'
BEGIN
  UPDATE reservations SET version = version + 1,
         changed_by = CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END,
         updated_at = CASE WHEN NEW.version = OLD.version THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') ELSE NEW.updated_at END
   WHERE reservation_id = NEW.change_of;
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
-- A card is good for so many hours after the party was to come: with another time of theirs that is later, or sooner.
CREATE TRIGGER reservations_card_follows AFTER UPDATE OF starts_at ON reservations
WHEN NEW.starts_at <> OLD.starts_at AND NEW.guarantee_amount IS NOT NULL
BEGIN
  UPDATE intents SET (charge_until, todo_at) = (SELECT until, iif(todo = 'FORGET_CARD', until, todo_at)
      FROM (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', charge_until,
        (strftime('%s', NEW.starts_at) - strftime('%s', OLD.starts_at)) || ' seconds') AS until)),
      version = version + 1, changed_by = CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END
   WHERE reservation_id = NEW.reservation_id AND reservation_id IS NOT NULL AND purpose = 'CARD'
     AND charge_until IS NOT NULL AND (state = 'READY' OR (state = 'AUTHORISED' AND todo = 'FORGET_CARD'
     AND started_at IS NULL));
END;
-- What came by an intent: the intent is in the state of its payment ...
CREATE TRIGGER payments_intent_insert AFTER INSERT ON payments WHEN NEW.intent_id IS NOT NULL
BEGIN
  UPDATE intents SET state = NEW.status, version = version + 1, changed_by = NEW.changed_by, changed_at = NEW.created_at
   WHERE intent_id = NEW.intent_id AND state <> NEW.status;
END;
CREATE TRIGGER payments_intent_update AFTER UPDATE OF status ON payments
WHEN NEW.intent_id IS NOT NULL AND NEW.status <> OLD.status
BEGIN
  UPDATE intents SET state = NEW.status, version = version + 1,
         changed_by = CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END,
         changed_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE intent_id = NEW.intent_id;
END;
-- ... what is due back goes back to where it came from ...
CREATE TRIGGER payments_owed AFTER UPDATE OF due_back_amount ON payments
WHEN NEW.intent_id IS NOT NULL AND NEW.due_back_amount > OLD.due_back_amount
BEGIN
  INSERT INTO refunds (intent_id, payment_id, amount, refund_key, asked_by, created_at)
  SELECT NEW.intent_id, NEW.payment_id, NEW.due_back_amount - OLD.due_back_amount, printf('%s-r%d', i.pay_key,
         1 + (SELECT count(*) FROM refunds r WHERE r.intent_id = NEW.intent_id)),
         CASE WHEN NEW.version = OLD.version THEN 'shell' ELSE NEW.changed_by END, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    FROM intents i WHERE i.intent_id = NEW.intent_id;
END;
-- ... and does not, as long as nothing was sent, if it is kept after all ...
CREATE TRIGGER payments_kept_after_all AFTER UPDATE OF due_back_amount ON payments
WHEN NEW.intent_id IS NOT NULL AND NEW.due_back_amount < OLD.due_back_amount AND NEW.refunded_amount = OLD.refunded_amount
BEGIN
  UPDATE refunds SET state = 'WITHDRAWN' WHERE refund_id = (SELECT max(r.refund_id) FROM refunds r
    WHERE r.payment_id = NEW.payment_id AND r.payment_id IS NOT NULL AND r.state = 'QUEUED' AND r.attempts = 0
      AND r.amount = OLD.due_back_amount - NEW.due_back_amount);
  SELECT RAISE(ABORT, 'BAD_MOVE: it is on its way back') WHERE NEW.due_back_amount <> (SELECT ifnull(sum(r.amount), 0)
    FROM refunds r WHERE r.payment_id = NEW.payment_id AND r.payment_id IS NOT NULL
      AND (r.state = 'QUEUED' OR r.state = 'FAILED'));
END;
-- ... or if it was given back by hand.
CREATE TRIGGER payments_given_back AFTER UPDATE OF refunded_amount ON payments
WHEN NEW.intent_id IS NOT NULL AND NEW.due_back_amount < OLD.due_back_amount AND NEW.refunded_amount > OLD.refunded_amount
BEGIN
  UPDATE refunds SET state = 'BY_HAND', done_at = ifnull(NEW.refunded_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
   WHERE NEW.due_back_amount = 0 AND payment_id = NEW.payment_id AND payment_id IS NOT NULL
     AND (state = 'QUEUED' OR state = 'FAILED');
END;
-- How many restaurants block a guest.
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

-- ==== views for people ===============================================================================================

-- Wide (Korean) columns last, because the shell counts characters.  CROSS JOIN fixes the order: the slots of the day first,
-- then who is in them.  Left to itself SQLite begins with every reservation ever made.

-- Today's reservations (of the evening that it is) by time, with guest, party, hold left, table, request.
CREATE VIEW v_today AS
SELECT s.slot_time AS time, v.party_size AS party, v.status,
       CASE WHEN v.status = 'TEMPORARY' THEN
         max(0, (strftime('%s', v.hold_expires_at) - strftime('%s', 'now') + 59) / 60) || ' min' ELSE '' END AS hold_left,
       ifnull(u.phone, '') AS phone, (SELECT a.amount FROM _amounts a WHERE a.reservation_id = v.reservation_id) AS amount,
       v.reservation_code AS code, ifnull((SELECT group_concat(t.name, '+') FROM reservation_tables x
                JOIN dining_tables t USING (table_id)
                WHERE x.reservation_id = v.reservation_id), ifnull(d.name, '')) AS "table",
       ifnull(v.guest_name, u.name) AS guest, ifnull(v.request_message, '') AS request, r.name AS restaurant
  FROM restaurants r
  CROSS JOIN restaurant_reservation_slots s ON s.restaurant_id = r.restaurant_id
   AND s.slot_date = (SELECT e.day FROM _evenings e WHERE e.restaurant_id = r.restaurant_id)
  CROSS JOIN reservations v ON v.slot_id = s.slot_id
  JOIN users u ON u.user_id = v.user_id
  LEFT JOIN dining_tables d ON d.table_id = v.table_id
 WHERE v.status NOT IN ('EXPIRED', 'CANCELED', 'REFUNDED')
 ORDER BY s.slot_time, v.reservation_id;

-- Who comes when, from now on.
CREATE VIEW v_upcoming AS
SELECT s.slot_date AS date, s.slot_time AS time, v.party_size AS party, v.status, ifnull(u.phone, '') AS phone,
       (SELECT a.amount FROM _amounts a WHERE a.reservation_id = v.reservation_id) AS amount, v.reservation_code AS code,
       ifnull(v.guest_name, u.name) AS guest, ifnull(v.request_message, '') AS request, r.name AS restaurant
  FROM restaurants r
  -- The date of a restaurant is never more than one day behind that of UTC, and its night one more.
  CROSS JOIN restaurant_reservation_slots s ON s.restaurant_id = r.restaurant_id AND s.slot_date >= date('now', '-2 days')
  CROSS JOIN reservations v ON v.slot_id = s.slot_id
  JOIN users u ON u.user_id = v.user_id
 WHERE v.is_active = 1 AND v.starts_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
   AND NOT (v.status = 'TEMPORARY' AND v.hold_expires_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
 ORDER BY v.starts_at, v.reservation_id;

-- Who has not paid yet, and the minutes left.
CREATE VIEW v_holds AS
SELECT max(0, (strftime('%s', v.hold_expires_at) - strftime('%s', 'now') + 59) / 60) AS minutes_left,
       (SELECT a.amount FROM _amounts a WHERE a.reservation_id = v.reservation_id) AS amount, v.currency,
       s.slot_date AS date, s.slot_time AS time, v.party_size AS party, ifnull(u.phone, '') AS phone,
       v.reservation_code AS code, ifnull(v.guest_name, u.name) AS guest, r.name AS restaurant
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN restaurants r ON r.restaurant_id = s.restaurant_id
  JOIN users u ON u.user_id = v.user_id
 WHERE v.status = 'TEMPORARY' AND v.hold_expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
 ORDER BY v.hold_expires_at, v.reservation_id;

-- Every slot that was booked, with capacity, taken, free.
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

-- Who came how often, no-shows, notes.
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

-- Who did not come.
CREATE VIEW v_no_shows AS
SELECT s.slot_date AS date, s.slot_time AS time, v.party_size AS party, ifnull(u.phone, '') AS phone,
       (SELECT a.amount FROM _amounts a WHERE a.reservation_id = v.reservation_id) AS amount, v.reservation_code AS code,
       ifnull(v.guest_name, u.name) AS guest
  FROM reservations v
  JOIN restaurant_reservation_slots s USING (slot_id)
  JOIN users u ON u.user_id = v.user_id
 WHERE v.status = 'NO_SHOW'
 ORDER BY s.slot_date DESC, s.slot_time DESC;

-- By day and currency: money in, kept, returned, due back.
CREATE VIEW v_money AS
SELECT date, payments, printf('%.*f', digits, money_in / units) AS money_in, printf('%.*f', digits, kept / units) AS kept,
       printf('%.*f', digits, returned / units) AS returned, printf('%.*f', digits, due_back / units) AS due_back, currency
  FROM (SELECT date(p.paid_at, r.utc_offset_minutes || ' minutes') AS date, count(*) AS payments, p.currency,
         sum(p.amount) AS money_in, sum(p.kept_amount) AS kept, sum(p.refunded_amount) AS returned,
         sum(p.due_back_amount) AS due_back, ifnull(d.digits, 2) AS digits,
         CASE d.digits WHEN 0 THEN 1.0 WHEN 3 THEN 1000.0 ELSE 100.0 END AS units
    FROM payments p
    JOIN reservations v USING (reservation_id)
    JOIN restaurants r ON r.restaurant_id = v.restaurant_id
    LEFT JOIN _digits d ON d.currency = p.currency
   WHERE p.paid_at IS NOT NULL
   GROUP BY 1, p.currency)
 ORDER BY date DESC;

-- Who waits for which slot, by rank, and what was offered.
CREATE VIEW v_waitlist AS
SELECT w.slot_date AS date, w.slot_time AS time, row_number() OVER (PARTITION BY w.restaurant_id, w.slot_date, w.slot_time
       ORDER BY w.waitlist_id) AS rank, w.party_size AS party, w.status, ifnull(w.offer_expires_at, '') AS offer_until,
         ifnull(u.phone, '') AS phone, w.guest_name AS guest
  FROM waitlist w JOIN users u USING (user_id) WHERE w.is_waiting = 1 ORDER BY 1, 2, 3;

-- Who waits at the door, in order.
CREATE VIEW v_door AS
SELECT d.evening AS date, row_number() OVER (PARTITION BY d.restaurant_id ORDER BY d.door_id) AS rank, d.party_size AS party,
       d.status, d.joined_at, ifnull(d.quoted_low || '-' || d.quoted_high, '') AS quoted, ifnull(d.phone, '') AS phone,
       ifnull(d.guest_name, '') AS guest
  FROM door_parties d WHERE d.is_waiting = 1 ORDER BY 1, 2;

-- What was sent, and what the other side said.
CREATE VIEW v_messages AS
SELECT o.created_at AS at, o.event, o.channel, o.status, o.attempts, ifnull(v.reservation_code, '') AS code,
  ifnull(o.last_answer, '') AS answer
  FROM outbox o LEFT JOIN reservations v USING (reservation_id) ORDER BY o.outbox_id DESC;
