-- 0009_upkeep - the book knows which scripts made it, and what else ten years ask of it.

-- ---- which scripts made this book ----

-- Of this script and all before it, as the program had them: a number alone does not tell two drafts of one script apart.
-- NULL: it ran before books remembered.
ALTER TABLE migrations ADD COLUMN hash TEXT;
-- Of every table, index, trigger and view as they were when jari last proved them.  Only in the newest row.
ALTER TABLE migrations ADD COLUMN shape TEXT;
ALTER TABLE migrations ADD COLUMN program TEXT;           -- the jari that ran it

-- ---- people whom another system has let in ----

-- What `jari import` brings was sold before: it keeps its people, however many are present at once, as it keeps them in a slot.
-- (The slot's max_capacity is raised to what was sold; seats are the house's, for every day, and stay.)  Nobody else gets in then.
DROP TRIGGER reservations_place;
CREATE TRIGGER reservations_place INSTEAD OF INSERT ON reservations_to_place
BEGIN
  -- Inserted at the shell, which knows the slot: the rest is looked up.  The triggers for updates see to tables and people then.
  UPDATE reservations SET guest_name = ifnull(NEW.guest_name, (SELECT u.name FROM users u WHERE u.user_id = NEW.user_id)),
    (restaurant_id, starts_at, sitting_minutes, ends_at) =
      (SELECT r.restaurant_id, s.starts_at, p.minutes, ifnull(NEW.ends_at, strftime('%Y-%m-%dT%H:%M:%SZ', s.starts_at, p.minutes || ' minutes'))
         FROM restaurant_reservation_slots s JOIN restaurants r USING (restaurant_id) JOIN sittings p ON p.restaurant_id = r.restaurant_id
          AND NEW.party_size BETWEEN p.party_from AND p.party_to
        WHERE s.slot_id = NEW.slot_id)
   WHERE reservation_id = NEW.reservation_id AND (NEW.ends_at IS NULL OR NEW.starts_at IS NULL OR NEW.sitting_minutes IS NULL OR
         NEW.restaurant_id IS NULL OR NEW.guest_name IS NULL);
  -- Its first table; the others of a set follow, in the same transaction.
  INSERT INTO reservation_tables SELECT NEW.reservation_id, NEW.table_id, NEW.starts_at, NEW.ends_at
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.ends_at IS NOT NULL;
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is too small')
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.ends_at IS NOT NULL AND NEW.party_size > max(
    (SELECT seats_max FROM dining_tables WHERE table_id = NEW.table_id),
    ifnull((SELECT max(s.seats_max) FROM table_sets s JOIN table_set_members m USING (set_id)
             WHERE m.table_id = NEW.table_id AND s.is_deleted = 0), 0));
  SELECT RAISE(ABORT, 'SLOT_FULL: more people would be present than there are seats')
    FROM restaurants r JOIN restaurant_reservation_slots t ON t.restaurant_id = r.restaurant_id
   WHERE NEW.is_active = 1 AND NEW.ends_at IS NOT NULL AND r.restaurant_id = NEW.restaurant_id
     AND (SELECT changed_by FROM reservations WHERE reservation_id = NEW.reservation_id) <> 'import'
     AND (r.seats > 0 OR r.sitting_minutes > r.slot_minutes OR r.sitting_large_minutes > r.slot_minutes)
     AND t.starts_at >= NEW.starts_at AND t.starts_at < NEW.ends_at
     AND t.slot_date BETWEEN date(NEW.starts_at, '-1 day') AND date(NEW.ends_at, '+1 day')
     AND (SELECT sum(v.party_size) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id
           AND v.status IN ('TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM', 'REFUND_PENDING')
           WHERE s.restaurant_id = r.restaurant_id AND s.slot_date BETWEEN date(t.slot_date, '-1 day') AND t.slot_date
             AND s.starts_at <= t.starts_at AND v.ends_at > t.starts_at)
         > CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END;
END;

-- ---- views that start from the day ----

-- CROSS JOIN fixes the order: the slots of the day first, then who is in them.  Left to itself SQLite begins with every reservation
-- ever made.
DROP VIEW v_today;
CREATE VIEW v_today AS
SELECT s.slot_time AS time, v.party_size AS party, v.status,
       CASE WHEN v.status = 'TEMPORARY' THEN
         max(0, (strftime('%s', v.hold_expires_at) - strftime('%s', 'now') + 59) / 60) || ' min' ELSE '' END AS hold_left,
       ifnull(u.phone, '') AS phone, v.total_amount AS amount, v.reservation_code AS code,
       ifnull((SELECT group_concat(t.name, '+') FROM reservation_tables x JOIN dining_tables t USING (table_id)
                WHERE x.reservation_id = v.reservation_id), ifnull(d.name, '')) AS "table",
       ifnull(v.guest_name, u.name) AS guest, ifnull(v.request_message, '') AS request, r.name AS restaurant
  FROM restaurants r
  CROSS JOIN restaurant_reservation_slots s ON s.restaurant_id = r.restaurant_id
   AND s.slot_date = date('now', r.utc_offset_minutes || ' minutes')
  CROSS JOIN reservations v ON v.slot_id = s.slot_id
  JOIN users u ON u.user_id = v.user_id
  LEFT JOIN dining_tables d ON d.table_id = v.table_id
 WHERE v.status NOT IN ('EXPIRED', 'CANCELED', 'REFUNDED')
 ORDER BY s.slot_time, v.reservation_id;

DROP VIEW v_upcoming;
CREATE VIEW v_upcoming AS
SELECT s.slot_date AS date, s.slot_time AS time, v.party_size AS party, v.status, ifnull(u.phone, '') AS phone,
       v.total_amount AS amount, v.reservation_code AS code, ifnull(v.guest_name, u.name) AS guest,
       ifnull(v.request_message, '') AS request, r.name AS restaurant
  FROM restaurants r
  -- The date of a restaurant is never more than one day behind that of UTC.
  CROSS JOIN restaurant_reservation_slots s ON s.restaurant_id = r.restaurant_id AND s.slot_date >= date('now', '-1 day')
  CROSS JOIN reservations v ON v.slot_id = s.slot_id
  JOIN users u ON u.user_id = v.user_id
 WHERE v.is_active = 1 AND v.starts_at >= strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
   AND NOT (v.status = 'TEMPORARY' AND v.hold_expires_at <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
 ORDER BY v.starts_at, v.reservation_id;
