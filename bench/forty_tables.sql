-- forty_tables.sql - a house that is dear to look at, and the same without what makes it so.  The bench measures free times
-- with it, and the tests flood it.
--
-- Restaurant 50 has forty tables, nineteen sets of two that may be joined, 15-minute times and sittings of 90 minutes; 51 has no
-- tables; 52 has no tables and no sittings.  Each is open from 11 to 22 and has sixty bookings on each of forty days from
-- tomorrow on.
BEGIN;
INSERT INTO restaurants (restaurant_id, name, reservation_limit, window_days, slot_minutes, sitting_minutes, seats, deposit_per_person,
                         deposit_large_per_person) VALUES
  (50, 'forty tables', 40, 60, 15, 90, 160, 0, 0),
  (51, 'no tables', 40, 60, 15, 90, 160, 0, 0),
  (52, 'no tables, no sittings', 40, 60, 15, 0, 0, 0, 0);
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes)
  SELECT r.value, d.value, '11:00', '22:00' FROM json_each('[50,51,52]') r, json_each('[1,2,3,4,5,6,7]') d;

INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
  SELECT 5000 + i, 50, 'T' || i, 1, 4 FROM n;
INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
  SELECT 5000 + i, 50, 5, 8 FROM n;
INSERT INTO table_set_members (set_id, table_id)
  SELECT set_id, 5000 + 2 * (set_id - 5000) - d.value FROM table_sets, json_each('[0,1]') d WHERE restaurant_id = 50;

INSERT INTO users (user_id, user_type, name, phone)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
  SELECT 500000 + i, 'GUEST', 'Guest ' || i, printf('0106999%04d', i) FROM n;
INSERT INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity)
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29),
    d(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM d WHERE k < 40)
  SELECT r.value, date('now', '+' || k || ' days'), printf('%02d:%02d', 12 + i / 4, i % 4 * 15), 40
    FROM d, n, json_each('[50,51,52]') r;
-- Two parties at each time, each at the next table of the round; the forty-first comes when the first has left.
INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status, table_id, changed_by)
  WITH s AS (SELECT slot_id, restaurant_id, row_number() OVER (PARTITION BY restaurant_id, slot_date ORDER BY slot_time) - 1 AS n
      FROM restaurant_reservation_slots WHERE restaurant_id BETWEEN 50 AND 52)
  SELECT 'F' || slot_id || '-' || k.value, slot_id, 500000 + 2 * n + k.value, 2 + (n + k.value) % 3, 'RESERVATION_DEPOSIT', 'CONFIRMED',
    CASE restaurant_id WHEN 50 THEN 5001 + (2 * n + k.value) % 40 END, 'import'
    FROM s, json_each('[0,1]') k;
COMMIT;
