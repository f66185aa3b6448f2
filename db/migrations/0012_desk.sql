-- 0012_desk - the desk's second edition.

-- ---- histories, roles, the day's note ----

-- In the history of which restaurant a row stands; 0: of every one of the box.  Rows of old books find theirs by what they are
-- about.  (A slot that followed a rule stands in none: its rule does.)
ALTER TABLE audit ADD COLUMN restaurant_id INTEGER;
UPDATE audit SET restaurant_id = entity_id WHERE entity = 'restaurant';
UPDATE audit SET restaurant_id = (SELECT d.restaurant_id FROM dining_tables d WHERE d.table_id = audit.entity_id)
 WHERE entity = 'table';
UPDATE audit SET restaurant_id = (SELECT m.restaurant_id FROM menus m WHERE m.menu_id = audit.entity_id) WHERE entity = 'menu';
UPDATE audit SET restaurant_id = (SELECT b.restaurant_id FROM blocks b WHERE b.block_id = audit.entity_id)
 WHERE entity = 'block';
UPDATE audit SET restaurant_id = 0 WHERE entity = 'mail';
UPDATE audit SET restaurant_id = (SELECT s.restaurant_id FROM restaurant_reservation_slots s WHERE s.slot_id = audit.entity_id)
 WHERE entity = 'slot' AND actor LIKE 'user:%' AND NOT EXISTS (SELECT 1 FROM audit o WHERE o.audit_id BETWEEN
   audit.audit_id - 1000 AND audit.audit_id + 1000 AND o.entity = 'restaurant' AND o.at = audit.at AND o.actor = audit.actor);
UPDATE audit SET restaurant_id = (SELECT p.restaurant_id FROM payments p WHERE p.payment_id = audit.entity_id)
 WHERE entity = 'payment' AND change = 'changed' AND from_value LIKE 'REFUND_DUE,%' AND to_value LIKE 'REFUNDED,%';
UPDATE audit SET restaurant_id = (SELECT ifnull(u.restaurant_id, 0) FROM users u WHERE u.user_id = audit.entity_id)
 WHERE entity = 'user' AND change IN ('link', 'renamed', 'removed', 'logged out', 'password')
   AND entity_id IN (SELECT u.user_id FROM users u WHERE u.user_type IN ('STAFF', 'OWNER'));
UPDATE audit SET restaurant_id = (SELECT ifnull(u.restaurant_id, 0) FROM cards c JOIN users u USING (user_id)
   WHERE c.card_id = audit.entity_id) WHERE entity = 'card' AND entity_id IN (SELECT c.card_id FROM cards c JOIN users u
   USING (user_id) WHERE u.user_type IN ('STAFF', 'OWNER') AND c.made_at IS NOT NULL);
-- Whose guest it was, a book of several restaurants did not write down.
UPDATE audit SET restaurant_id = (SELECT restaurant_id FROM restaurants) WHERE entity = 'user' AND change IN ('guest', 'erased')
   AND (SELECT count(*) FROM restaurants) = 1;
-- The slot that is changed by hand, while others only follow a rule.
ALTER TABLE writing ADD COLUMN slot_id INTEGER;
ALTER TABLE users ADD COLUMN is_manager INTEGER NOT NULL DEFAULT 0 CHECK (is_manager = 0 OR is_manager = 1);
CREATE TABLE day_notes (
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  day           TEXT    NOT NULL CHECK (day IS date(day, '+0 days')),
  note          TEXT    NOT NULL CHECK (length(note) <= 400),
  version       INTEGER NOT NULL DEFAULT 1,
  written_by    TEXT    NOT NULL,
  written_at    TEXT    NOT NULL CHECK (written_at IS strftime('%Y-%m-%dT%H:%M:%SZ', written_at, '+0 days')),
  PRIMARY KEY (restaurant_id, day)
) STRICT, WITHOUT ROWID;

-- ---- guests ----

-- What staff have corrected, and what the house calls a guest.
ALTER TABLE restaurant_guests ADD COLUMN name TEXT CHECK (length(name) BETWEEN 1 AND 80);
ALTER TABLE restaurant_guests ADD COLUMN email TEXT CHECK (length(email) BETWEEN 3 AND 254);
ALTER TABLE restaurant_guests ADD COLUMN tags TEXT CHECK (length(tags) BETWEEN 1 AND 167);
ALTER TABLE restaurant_guests ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

-- Two guests who are one person, and what was moved to the other one.
CREATE TABLE guest_merges (
  merge_id      INTEGER PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants,
  from_user     INTEGER NOT NULL,
  into_user     INTEGER NOT NULL,
  actor         TEXT    NOT NULL,
  at            TEXT    NOT NULL,
  moved         TEXT    NOT NULL,
  before        TEXT    NOT NULL,
  undone_at     TEXT
) STRICT;

-- ---- the waitlist ----

-- Seats that staff had booked: they came free from what is kept from guests online.
ALTER TABLE kept_seats ADD COLUMN by_staff INTEGER NOT NULL DEFAULT 0 CHECK (by_staff = 0 OR by_staff = 1);

-- ---- what guests say on the day ----

ALTER TABLE reservations ADD COLUMN late_minutes INTEGER CHECK (late_minutes BETWEEN 1 AND 120);
ALTER TABLE reservations ADD COLUMN here_at TEXT;

-- ---- tables and seats ----

ALTER TABLE reservations ADD COLUMN overbook_reason  TEXT CHECK (length(overbook_reason) BETWEEN 1 AND 80);
ALTER TABLE reservation_tables ADD COLUMN shared         INTEGER NOT NULL DEFAULT 0 CHECK (shared = 0 OR shared = 1);
ALTER TABLE desk_acts ADD COLUMN pair_id        INTEGER;
-- Parties that were seated where another still sat, when nobody asked: they share the table.
UPDATE reservation_tables SET shared = 1 WHERE EXISTS
  (SELECT 1 FROM reservations b WHERE b.reservation_id = reservation_tables.reservation_id AND b.visit_status = 'SEATED'
     AND b.is_active = 1 AND EXISTS
     (SELECT 1 FROM reservation_tables x JOIN reservations a ON a.reservation_id = x.reservation_id
       WHERE x.table_id = reservation_tables.table_id AND x.reservation_id <> b.reservation_id
         AND x.starts_at > strftime('%Y-%m-%dT%H:%M:%SZ', reservation_tables.starts_at, '-3 days')
         AND x.starts_at < strftime('%Y-%m-%dT%H:%M:%SZ', reservation_tables.ends_at, '3 days')
         AND a.visit_status = 'SEATED' AND a.is_active = 1
         AND (a.seated_at, a.reservation_id) < (b.seated_at, b.reservation_id)
         AND b.seated_at < strftime('%Y-%m-%dT%H:%M:%SZ', a.ends_at, '12 hours')));

-- ---- what the audit says of a row, in the row ----

ALTER TABLE opening_hours ADD COLUMN words TEXT GENERATED ALWAYS AS (
    printf('%d %s-%s', weekday, opens, closes) || ifnull(' slot_minutes=' || slot_minutes, '')
    || ifnull(' sitting_minutes=' || sitting_minutes, '') || ifnull(' sitting_large_minutes=' || sitting_large_minutes, '')
    || ifnull(' reservation_limit=' || reservation_limit, '') || ifnull(' party_min=' || party_min, '')
    || ifnull(' party_max=' || party_max, '') || ifnull(' lead_minutes=' || lead_minutes, '')
    || ifnull(' deposit_per_person=' || deposit_per_person, '')
    || ifnull(' deposit_large_per_person=' || deposit_large_per_person, '')
    || ifnull(' last=' || last_seating, '') || ifnull(' label=' || nullif(label, ''), '')) VIRTUAL;
ALTER TABLE special_days ADD COLUMN words TEXT GENERATED ALWAYS AS (
    day || CASE WHEN opens IS NOT NULL THEN printf(' %s-%s', opens, closes)
    WHEN as_week = 1 THEN ' as usual' ELSE ' closed' END || ifnull(' slot_minutes=' || slot_minutes, '')
    || ifnull(' sitting_minutes=' || sitting_minutes, '') || ifnull(' sitting_large_minutes=' || sitting_large_minutes, '')
    || ifnull(' reservation_limit=' || reservation_limit, '') || ifnull(' party_min=' || party_min, '')
    || ifnull(' party_max=' || party_max, '') || ifnull(' lead_minutes=' || lead_minutes, '')
    || ifnull(' deposit_per_person=' || deposit_per_person, '')
    || ifnull(' deposit_large_per_person=' || deposit_large_per_person, '')
    || ifnull(' last=' || last_seating, '') || ifnull(' label=' || nullif(label, ''), '')
    || ifnull(' note=' || note, '')) VIRTUAL;
ALTER TABLE dining_tables ADD COLUMN words TEXT GENERATED ALWAYS AS (
    printf('%s, %d to %d', name, seats_min, seats_max)
    || CASE open_to WHEN 'ONLINE' THEN '' ELSE ', ' || open_to END || ifnull(', at ' || x || ' ' || y, '')
    || CASE is_deleted WHEN 1 THEN ', gone' ELSE '' END) VIRTUAL;
ALTER TABLE menus ADD COLUMN words TEXT GENERATED ALWAYS AS (
    printf('%s, %d%s%s', name, price, CASE sold_out WHEN 1 THEN ', sold out' ELSE '' END,
    CASE is_deleted WHEN 1 THEN ', off the menu' ELSE '' END)) VIRTUAL;
