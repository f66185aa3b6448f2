-- 0011_rules - the opening, and the rules of a real house: services, nights, openings, blocks, tags, money in minor units.
--
-- Columns come first, then the CHECKs that allow more than before, then the rows.  The order matters: ALTER TABLE ADD COLUMN
-- writes at a place of the table's words that SQLite remembers from when it read them.

-- ---- the restaurant ----

-- Which country, and which language the house speaks first.
ALTER TABLE restaurants ADD COLUMN country TEXT CHECK (country GLOB '[A-Z][A-Z]');
ALTER TABLE restaurants ADD COLUMN language TEXT NOT NULL DEFAULT 'ko' CHECK (language = 'ko' OR language = 'en');
-- 1: a service has times or sittings of its own.  Triggers keep it.
ALTER TABLE restaurants ADD COLUMN service_sittings INTEGER NOT NULL DEFAULT 0
  CHECK (service_sittings = 0 OR service_sittings = 1);
ALTER TABLE restaurants ADD COLUMN opens_at_minute INTEGER NOT NULL DEFAULT 0 CHECK (opens_at_minute BETWEEN 0 AND 1439);
ALTER TABLE restaurants ADD COLUMN first_weekday INTEGER NOT NULL DEFAULT 7 CHECK (first_weekday BETWEEN 1 AND 7);
ALTER TABLE restaurants ADD COLUMN buffer_minutes INTEGER NOT NULL DEFAULT 0 CHECK (buffer_minutes BETWEEN 0 AND 240);
ALTER TABLE restaurants ADD COLUMN staff_seats INTEGER NOT NULL DEFAULT 0 CHECK (staff_seats BETWEEN 0 AND 10000);
ALTER TABLE restaurants ADD COLUMN staff_seats_hours INTEGER NOT NULL DEFAULT 0 CHECK (staff_seats_hours BETWEEN 0 AND 720);
ALTER TABLE restaurants ADD COLUMN deposit_from INTEGER NOT NULL DEFAULT 1 CHECK (deposit_from BETWEEN 0 AND 1000);
ALTER TABLE restaurants ADD COLUMN deposit_no_shows INTEGER NOT NULL DEFAULT 0 CHECK (deposit_no_shows BETWEEN 0 AND 100);
UPDATE restaurants SET language = 'en' WHERE calling_code <> 82;
-- What a house says twice, it says first in its own language: until now the second was English, whatever the house spoke.
INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, reason)
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'restaurant', r.restaurant_id, s.change, s.was, s.now, 'language'
  FROM restaurants r, (SELECT restaurant_id AS id, 'name' AS change, name AS was, name_en AS now FROM restaurants
    WHERE name_en IS NOT NULL UNION ALL
    SELECT restaurant_id, 'name_en', name_en, name FROM restaurants WHERE name_en IS NOT NULL UNION ALL
    SELECT restaurant_id, 'address', address, address_en FROM restaurants WHERE address_en IS NOT NULL UNION ALL
    SELECT restaurant_id, 'address_en', address_en, address FROM restaurants WHERE address_en IS NOT NULL UNION ALL
    SELECT restaurant_id, 'message_text', message_text, message_text_en FROM restaurants WHERE message_text_en IS NOT NULL
    UNION ALL SELECT restaurant_id, 'message_text_en', message_text_en, message_text FROM restaurants
    WHERE message_text_en IS NOT NULL) s
 WHERE s.id = r.restaurant_id AND r.language = 'en';
UPDATE restaurants SET name = name_en, name_en = name WHERE language = 'en' AND name_en IS NOT NULL;
UPDATE restaurants SET address = address_en, address_en = address WHERE language = 'en' AND address_en IS NOT NULL;
UPDATE restaurants SET message_text = message_text_en, message_text_en = message_text
 WHERE language = 'en' AND message_text_en IS NOT NULL;
UPDATE menus SET name = name_en, name_en = name WHERE name_en IS NOT NULL
   AND restaurant_id IN (SELECT restaurant_id FROM restaurants WHERE language = 'en');
UPDATE menus SET description = description_en, description_en = description WHERE description_en IS NOT NULL
   AND restaurant_id IN (SELECT restaurant_id FROM restaurants WHERE language = 'en');
UPDATE restaurants SET country = CASE calling_code WHEN 82 THEN 'KR' WHEN 49 THEN 'DE' WHEN 81 THEN 'JP' WHEN 43 THEN 'AT'
  WHEN 41 THEN 'CH' WHEN 44 THEN 'GB' WHEN 33 THEN 'FR' WHEN 39 THEN 'IT' WHEN 34 THEN 'ES' END;

-- A row of the week is a service: lunch, dinner, brunch.  It may pass midnight (26:00 is two in the morning after), have a last
-- seating, and numbers of its own where they differ from the house's.
CREATE TABLE upgrade_hours AS SELECT * FROM opening_hours;
DROP TABLE opening_hours;
CREATE TABLE opening_hours (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  weekday       INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  opens         TEXT NOT NULL CHECK (opens  IS strftime('%H:%M', opens, '+0 days')),
  closes        TEXT NOT NULL CHECK (closes GLOB '[0-3][0-9]:[0-5][0-9]' AND closes <= '30:00'),
  label         TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 40),
  last_seating  TEXT CHECK (last_seating GLOB '[0-3][0-9]:[0-5][0-9]' AND last_seating BETWEEN opens AND closes),
  slot_minutes             INTEGER CHECK (slot_minutes BETWEEN 5 AND 720),
  sitting_minutes          INTEGER CHECK (sitting_minutes BETWEEN 5 AND 1440),
  sitting_large_minutes    INTEGER CHECK (sitting_large_minutes BETWEEN 5 AND 1440),
  reservation_limit        INTEGER CHECK (reservation_limit BETWEEN 0 AND 10000),
  party_min                INTEGER CHECK (party_min BETWEEN 1 AND 1000),
  party_max                INTEGER CHECK (party_max BETWEEN 1 AND 1000),
  lead_minutes             INTEGER CHECK (lead_minutes BETWEEN 0 AND 525600),
  deposit_per_person       INTEGER CHECK (deposit_per_person BETWEEN 0 AND 1000000000),
  deposit_large_per_person INTEGER CHECK (deposit_large_per_person BETWEEN 0 AND 1000000000),
  PRIMARY KEY (restaurant_id, weekday, opens),
  CHECK (opens < closes)
) STRICT, WITHOUT ROWID;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes, label)
SELECT restaurant_id, weekday, opens, closes, label FROM upgrade_hours;
DROP TABLE upgrade_hours;

CREATE TABLE upgrade_days AS SELECT * FROM special_days;
DROP TABLE special_days;
CREATE TABLE special_days (
  special_day_id INTEGER PRIMARY KEY,
  restaurant_id  INTEGER NOT NULL REFERENCES restaurants,
  day            TEXT NOT NULL CHECK (day IS date(day, '+0 days')),
  opens          TEXT CHECK (opens IS strftime('%H:%M', opens, '+0 days')),
  closes         TEXT CHECK (closes GLOB '[0-3][0-9]:[0-5][0-9]' AND closes <= '30:00'),
  label          TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 40),
  note           TEXT CHECK (length(note) <= 80),
  last_seating   TEXT CHECK (last_seating GLOB '[0-3][0-9]:[0-5][0-9]' AND last_seating BETWEEN opens AND closes),
  as_week        INTEGER NOT NULL DEFAULT 0 CHECK (as_week = 0 OR (as_week = 1 AND opens IS NULL)),
  slot_minutes             INTEGER CHECK (slot_minutes BETWEEN 5 AND 720),
  sitting_minutes          INTEGER CHECK (sitting_minutes BETWEEN 5 AND 1440),
  sitting_large_minutes    INTEGER CHECK (sitting_large_minutes BETWEEN 5 AND 1440),
  reservation_limit        INTEGER CHECK (reservation_limit BETWEEN 0 AND 10000),
  party_min                INTEGER CHECK (party_min BETWEEN 1 AND 1000),
  party_max                INTEGER CHECK (party_max BETWEEN 1 AND 1000),
  lead_minutes             INTEGER CHECK (lead_minutes BETWEEN 0 AND 525600),
  deposit_per_person       INTEGER CHECK (deposit_per_person BETWEEN 0 AND 1000000000),
  deposit_large_per_person INTEGER CHECK (deposit_large_per_person BETWEEN 0 AND 1000000000),
  CHECK ((opens IS NULL) = (closes IS NULL)),
  CHECK (opens < closes)
) STRICT;
INSERT INTO special_days (special_day_id, restaurant_id, day, opens, closes, label, note)
SELECT special_day_id, restaurant_id, day, opens, closes, label, note FROM upgrade_days;
DROP TABLE upgrade_days;

-- The moment from which some dates can be booked, whatever the window says.
CREATE TABLE openings (
  opening_id    INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  first_date    TEXT NOT NULL CHECK (first_date IS date(first_date, '+0 days')),
  last_date     TEXT NOT NULL CHECK (last_date IS date(last_date, '+0 days')),
  opens_at      TEXT NOT NULL CHECK (opens_at IS strftime('%Y-%m-%dT%H:%M:%SZ', opens_at, '+0 days')),
  CHECK (first_date <= last_date)
) STRICT;

-- How an opening went: what the shared memory counted, written down when it was over.
CREATE TABLE opening_results (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  opens_at      TEXT    NOT NULL,
  watching      INTEGER NOT NULL CHECK (watching >= 0),
  early         INTEGER NOT NULL CHECK (early >= 0),
  arrivals      TEXT    NOT NULL,
  booked        INTEGER NOT NULL CHECK (booked >= 0),
  refused       INTEGER NOT NULL CHECK (refused >= 0),
  sold_out_ms   INTEGER,
  slowest_ms    INTEGER NOT NULL CHECK (slowest_ms >= 0),
  out_of_order  INTEGER NOT NULL CHECK (out_of_order >= 0),
  written_at    TEXT    NOT NULL,
  PRIMARY KEY (restaurant_id, opens_at)
) STRICT, WITHOUT ROWID;

-- ---- tables ----

ALTER TABLE dining_tables ADD COLUMN open_to TEXT NOT NULL DEFAULT 'ONLINE'
  CHECK (open_to = 'ONLINE' OR open_to = 'STAFF' OR open_to = 'WALK_IN');

-- Nothing new for the house, or for some tables, from one local time to another; once, or each week.
CREATE TABLE blocks (
  block_id      INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  from_at       TEXT    NOT NULL CHECK (from_at IS strftime('%Y-%m-%dT%H:%M', from_at, '+0 days')),
  to_at         TEXT    NOT NULL CHECK (to_at IS strftime('%Y-%m-%dT%H:%M', to_at, '+0 days')),
  weekly        INTEGER NOT NULL DEFAULT 0 CHECK (weekly = 0 OR weekly = 1),
  online        INTEGER NOT NULL DEFAULT 1 CHECK (online = 0 OR online = 1),
  reason        TEXT    CHECK (length(reason) BETWEEN 1 AND 80),
  made_at       TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  lifted_at     TEXT    CHECK (lifted_at IS strftime('%Y-%m-%dT%H:%M:%SZ', lifted_at, '+0 days')),
  CHECK (from_at < to_at)
) STRICT;
CREATE TABLE block_tables (
  block_id INTEGER NOT NULL REFERENCES blocks,
  table_id INTEGER NOT NULL REFERENCES dining_tables,
  PRIMARY KEY (block_id, table_id)
) STRICT, WITHOUT ROWID;

-- ---- reservations ----

ALTER TABLE reservations ADD COLUMN tags TEXT CHECK (length(tags) BETWEEN 1 AND 200);
-- As reservations and payments have it: where it has not risen the shell has written.
ALTER TABLE waitlist ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

-- ---- what was too narrow ----

-- A name of 80 letters, a request of 300, a time after midnight, a price with cents.  SQLite has no statement that changes a
-- CHECK; every row that passed the old one passes the new one, so the words alone are replaced.
PRAGMA writable_schema=ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (length(name) BETWEEN 1 AND 40)', 'CHECK (length(name) BETWEEN 1 AND 80)')
 WHERE type = 'table' AND name = 'users';
UPDATE sqlite_schema SET sql = replace(replace(sql, 'CHECK (length(request_message) <= 50)',
  'CHECK (length(request_message) <= 300)'),
  'CHECK (length(guest_name) BETWEEN 1 AND 40)', 'CHECK (length(guest_name) BETWEEN 1 AND 80)')
 WHERE type = 'table' AND name IN ('reservations', 'waitlist');
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (slot_time IS strftime(''%H:%M'', slot_time, ''+0 days''))',
  'CHECK (slot_time GLOB ''[0-2][0-9]:[0-5][0-9]'')')
 WHERE type = 'table' AND name IN ('restaurant_reservation_slots', 'waitlist', 'kept_seats');
UPDATE sqlite_schema SET sql = replace(replace(replace(sql,
  'CHECK (price BETWEEN 0 AND 10000000)', 'CHECK (price BETWEEN 0 AND 1000000000)'),
  'CHECK (deposit_per_person BETWEEN 0 AND 10000000)', 'CHECK (deposit_per_person BETWEEN 0 AND 1000000000)'),
  'CHECK (deposit_large_per_person BETWEEN 0 AND 10000000)', 'CHECK (deposit_large_per_person BETWEEN 0 AND 1000000000)')
 WHERE type = 'table' AND name IN ('menus', 'restaurants');
PRAGMA writable_schema=RESET;

-- ---- money ----

-- Stays whose offer was given up after the deadline of its seats.
CREATE TABLE left_seats (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  starts_at     TEXT    NOT NULL,
  ends_at       TEXT    NOT NULL CHECK (ends_at > starts_at),
  left_at       TEXT    NOT NULL,
  PRIMARY KEY (restaurant_id, starts_at, ends_at)
) STRICT, WITHOUT ROWID;
DROP INDEX IF EXISTS waitlist_kept;

-- Amounts are in the smallest unit of their currency from here on: cents of the euro, won of the won.  Until now they were
-- whole euros, so every amount of a currency with decimals is multiplied, once; the audit says so.
CREATE TABLE upgrade_units AS
SELECT currency, CASE WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 1000 ELSE 100 END AS units FROM
  (SELECT currency FROM restaurants UNION SELECT currency FROM reservations UNION SELECT currency FROM payments)
 WHERE currency NOT IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF',
                        'XOF', 'XPF');
INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value)
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'restaurant', r.restaurant_id, 'currency_units', r.currency || ' 1',
       r.currency || ' 1/' || u.units FROM restaurants r JOIN upgrade_units u USING (currency);
-- What the audit says last of a setting, a payment or a reservation is what is so: it says the new numbers too.
INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, reason)
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'restaurant', r.restaurant_id, 'deposit_per_person',
       r.deposit_per_person, min(r.deposit_per_person * u.units, 1000000000), 'currency_units'
  FROM restaurants r JOIN upgrade_units u USING (currency) WHERE r.deposit_per_person > 0
UNION ALL
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'restaurant', r.restaurant_id, 'deposit_large_per_person',
       r.deposit_large_per_person, min(r.deposit_large_per_person * u.units, 1000000000), 'currency_units'
  FROM restaurants r JOIN upgrade_units u USING (currency) WHERE r.deposit_large_per_person > 0
UNION ALL
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'payment', p.payment_id, 'changed',
       printf('%s, reservation %d, %d in, %d kept, %d returned, %d due back', p.status, p.reservation_id, p.amount,
         p.kept_amount, p.refunded_amount, p.due_back_amount),
       printf('%s, reservation %d, %d in, %d kept, %d returned, %d due back', p.status, p.reservation_id, p.amount * u.units,
         p.kept_amount * u.units, p.refunded_amount * u.units, p.due_back_amount * u.units), 'currency_units'
  FROM payments p JOIN upgrade_units u USING (currency)
UNION ALL
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'upgrade', 'reservation', v.reservation_id, 'details',
       printf('party %d, slot %d, table %s, %s, user %d, total %d', v.party_size, v.slot_id, ifnull(v.table_id, '-'),
         v.visit_status, v.user_id, v.total_amount),
       printf('party %d, slot %d, table %s, %s, user %d, total %d', v.party_size, v.slot_id, ifnull(v.table_id, '-'),
         v.visit_status, v.user_id, v.total_amount * u.units), 'currency_units'
  FROM reservations v JOIN upgrade_units u USING (currency) WHERE v.total_amount > 0;
UPDATE restaurants SET deposit_per_person = min(deposit_per_person * u.units, 1000000000),
       deposit_large_per_person = min(deposit_large_per_person * u.units, 1000000000)
  FROM upgrade_units u WHERE u.currency = restaurants.currency;
UPDATE menus SET price = min(price * u.units, 1000000000) FROM restaurants r JOIN upgrade_units u USING (currency)
 WHERE r.restaurant_id = menus.restaurant_id;
UPDATE reservation_menu_items SET unit_price = unit_price * u.units, line_amount = line_amount * u.units
  FROM reservations v JOIN upgrade_units u USING (currency) WHERE v.reservation_id = reservation_menu_items.reservation_id;
UPDATE reservation_cancellations SET refund_amount = refund_amount * u.units FROM reservations v JOIN upgrade_units u
 USING (currency) WHERE v.reservation_id = reservation_cancellations.reservation_id;
-- What an undo puts back.  Of what it compares payments with only the words are there: such an act can no longer be undone.
UPDATE desk_acts SET version_after = NULL FROM reservations v JOIN upgrade_units u USING (currency)
 WHERE v.reservation_id = desk_acts.reservation_id;
UPDATE reservations SET deposit_amount = deposit_amount * u.units, prepay_amount = prepay_amount * u.units,
       total_amount = total_amount * u.units, forfeited_amount = forfeited_amount * u.units
  FROM upgrade_units u WHERE u.currency = reservations.currency;
UPDATE payments SET amount = amount * u.units, kept_amount = kept_amount * u.units,
       refunded_amount = refunded_amount * u.units, due_back_amount = due_back_amount * u.units
  FROM upgrade_units u WHERE u.currency = payments.currency;
DROP TABLE upgrade_units;
