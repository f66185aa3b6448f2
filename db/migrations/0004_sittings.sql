-- 0004_sittings - how long a party stays, how many may be in the house at once, and tables that are joined.
--
-- max_capacity of a slot is how many may start then.  Where a party stays longer than a slot that is not enough: at 20:00
-- those of 19:00 are still there.  `seats` is how many may be present.  Unless it is set, or a sitting is longer than a
-- slot, nothing changes.

-- How many may be present; 0: as many as may start.
ALTER TABLE restaurants ADD COLUMN seats INTEGER NOT NULL DEFAULT 0 CHECK (seats BETWEEN 0 AND 10000);
-- How long a party stays; 0: a slot.
ALTER TABLE restaurants ADD COLUMN sitting_minutes INTEGER NOT NULL DEFAULT 0 CHECK (sitting_minutes BETWEEN 0 AND 1440);
ALTER TABLE restaurants ADD COLUMN sitting_large_from INTEGER NOT NULL DEFAULT 7 CHECK (sitting_large_from BETWEEN 1 AND 1000);
-- 0: large parties stay as long as others.
ALTER TABLE restaurants ADD COLUMN sitting_large_minutes INTEGER NOT NULL DEFAULT 0 CHECK (sitting_large_minutes BETWEEN 0 AND 1440);

-- Frozen when it was made.  ends_at is starts_at and as many minutes, or when they left.
ALTER TABLE reservations ADD COLUMN sitting_minutes INTEGER CHECK (sitting_minutes BETWEEN 5 AND 1440);
ALTER TABLE reservations ADD COLUMN ends_at TEXT CHECK (ends_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ends_at, '+0 days'));
UPDATE reservations SET sitting_minutes = (SELECT r.slot_minutes FROM restaurants r WHERE r.restaurant_id = reservations.restaurant_id);
UPDATE reservations SET ends_at = strftime('%Y-%m-%dT%H:%M:%SZ', starts_at, sitting_minutes || ' minutes');

-- ---- tables ----

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
CREATE TRIGGER table_set_members_house BEFORE INSERT ON table_set_members
WHEN (SELECT restaurant_id FROM table_sets WHERE set_id = NEW.set_id) IS NOT
     (SELECT restaurant_id FROM dining_tables WHERE table_id = NEW.table_id)
BEGIN SELECT RAISE(ABORT, 'WRONG_TABLE: this table belongs to another restaurant'); END;

-- Which tables an active reservation has, and from when to when.  reservations.table_id is the first of them.
CREATE TABLE reservation_tables (
  reservation_id INTEGER NOT NULL REFERENCES reservations,
  table_id       INTEGER NOT NULL REFERENCES dining_tables,
  starts_at      TEXT NOT NULL,
  ends_at        TEXT NOT NULL,
  PRIMARY KEY (reservation_id, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reservation_tables_when ON reservation_tables (table_id, starts_at, ends_at);
-- Where hours overlapped, a table may have been given for two slots that do; the earlier party then stays until the later comes.
UPDATE reservations SET ends_at = q.next FROM (SELECT reservation_id AS id, ends_at AS was,
         lead(starts_at) OVER (PARTITION BY table_id ORDER BY starts_at) AS next
    FROM reservations WHERE is_active = 1 AND table_id IS NOT NULL) q
 WHERE q.id = reservations.reservation_id AND q.next < q.was;
INSERT INTO reservation_tables SELECT reservation_id, table_id, starts_at, ends_at FROM reservations
 WHERE is_active = 1 AND table_id IS NOT NULL;

DROP INDEX reservations_one_a_table;
DROP TRIGGER reservations_table_insert;
DROP TRIGGER reservations_table_update;

-- A table seats one party at a time.
CREATE TRIGGER reservation_tables_free_insert BEFORE INSERT ON reservation_tables
BEGIN
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is taken at that time') WHERE EXISTS
    (SELECT 1 FROM reservation_tables o WHERE o.table_id = NEW.table_id AND o.reservation_id <> NEW.reservation_id
      AND o.starts_at < NEW.ends_at AND o.starts_at > strftime('%Y-%m-%dT%H:%M:%SZ', NEW.starts_at, '-1440 minutes')
      AND o.ends_at > NEW.starts_at);
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table belongs to another restaurant') WHERE
    (SELECT restaurant_id FROM dining_tables WHERE table_id = NEW.table_id) IS NOT
    (SELECT s.restaurant_id FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) WHERE v.reservation_id = NEW.reservation_id);
END;
CREATE TRIGGER reservation_tables_free_update BEFORE UPDATE ON reservation_tables
BEGIN
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is taken at that time') WHERE EXISTS
    (SELECT 1 FROM reservation_tables o WHERE o.table_id = NEW.table_id AND o.reservation_id <> NEW.reservation_id
      AND o.starts_at < NEW.ends_at AND o.starts_at > strftime('%Y-%m-%dT%H:%M:%SZ', NEW.starts_at, '-1440 minutes')
      AND o.ends_at > NEW.starts_at);
END;

-- Its tables follow the reservation: its first table, its times, and its end.
CREATE TRIGGER reservations_table_insert AFTER INSERT ON reservations
WHEN NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.ends_at IS NOT NULL
BEGIN
  INSERT INTO reservation_tables VALUES (NEW.reservation_id, NEW.table_id, NEW.starts_at, NEW.ends_at);
  -- The other tables of a set follow, in the same transaction.
  SELECT RAISE(ABORT, 'WRONG_TABLE: this table is too small') WHERE NEW.party_size > max(
    (SELECT seats_max FROM dining_tables WHERE table_id = NEW.table_id),
    ifnull((SELECT max(s.seats_max) FROM table_sets s JOIN table_set_members m USING (set_id)
             WHERE m.table_id = NEW.table_id AND s.is_deleted = 0), 0));
END;
CREATE TRIGGER reservations_table_update AFTER UPDATE OF table_id, party_size, status, starts_at, ends_at ON reservations
WHEN (NEW.table_id IS NOT NULL OR OLD.table_id IS NOT NULL) AND NEW.ends_at IS NOT NULL AND
     NOT (NEW.slot_id <> OLD.slot_id AND NEW.starts_at IS OLD.starts_at) AND -- reservations_moved comes first, and then this again
     (NEW.table_id, NEW.party_size, NEW.is_active, NEW.starts_at, NEW.ends_at) IS NOT
     (OLD.table_id, OLD.party_size, OLD.is_active, OLD.starts_at, OLD.ends_at)
BEGIN
  -- Another first table that is none of those it has, no table, or no longer active: those it had are free.
  DELETE FROM reservation_tables WHERE reservation_id = NEW.reservation_id AND (NEW.is_active IS NULL OR NEW.table_id IS NULL OR
    NOT EXISTS (SELECT 1 FROM reservation_tables o WHERE o.reservation_id = NEW.reservation_id AND o.table_id = NEW.table_id));
  INSERT INTO reservation_tables SELECT NEW.reservation_id, NEW.table_id, NEW.starts_at, NEW.ends_at
   WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NOT EXISTS
     (SELECT 1 FROM reservation_tables o WHERE o.reservation_id = NEW.reservation_id AND o.table_id = NEW.table_id);
  UPDATE reservation_tables SET starts_at = NEW.starts_at, ends_at = NEW.ends_at
   WHERE reservation_id = NEW.reservation_id AND (starts_at, ends_at) IS NOT (NEW.starts_at, NEW.ends_at);
  SELECT RAISE(ABORT, 'WRONG_TABLE: these tables are too small') WHERE NEW.is_active = 1 AND NEW.table_id IS NOT NULL AND NEW.party_size > max(
    (SELECT sum(t.seats_max) FROM reservation_tables o JOIN dining_tables t USING (table_id) WHERE o.reservation_id = NEW.reservation_id),
    ifnull((SELECT max(s.seats_max) FROM table_sets s WHERE s.is_deleted = 0 AND s.set_id IN
             (SELECT m.set_id FROM table_set_members m WHERE m.table_id = NEW.table_id) AND NOT EXISTS
             (SELECT 1 FROM table_set_members m WHERE m.set_id = s.set_id AND m.table_id NOT IN
               (SELECT o.table_id FROM reservation_tables o WHERE o.reservation_id = NEW.reservation_id))), 0));
END;

-- ---- people present ----

-- A reservation that was written at the shell gets its restaurant, its times and its name here.
DROP TRIGGER reservations_place;
CREATE TRIGGER reservations_place AFTER INSERT ON reservations
WHEN NEW.starts_at IS NULL OR NEW.guest_name IS NULL OR NEW.restaurant_id IS NULL OR NEW.ends_at IS NULL OR NEW.sitting_minutes IS NULL
BEGIN
  UPDATE reservations SET guest_name = ifnull(NEW.guest_name, (SELECT u.name FROM users u WHERE u.user_id = NEW.user_id)),
    (restaurant_id, starts_at, sitting_minutes, ends_at) =
      (SELECT r.restaurant_id, s.starts_at, p.minutes, ifnull(NEW.ends_at, strftime('%Y-%m-%dT%H:%M:%SZ', s.starts_at, p.minutes || ' minutes'))
         FROM restaurant_reservation_slots s JOIN restaurants r USING (restaurant_id) JOIN sittings p ON p.restaurant_id = r.restaurant_id
          AND NEW.party_size BETWEEN p.party_from AND p.party_to
        WHERE s.slot_id = NEW.slot_id)
   WHERE reservation_id = NEW.reservation_id;
END;
DROP TRIGGER reservations_moved;
CREATE TRIGGER reservations_moved AFTER UPDATE OF slot_id ON reservations WHEN NEW.slot_id <> OLD.slot_id AND NEW.starts_at IS OLD.starts_at
BEGIN
  UPDATE reservations SET (restaurant_id, starts_at, ends_at) = (SELECT s.restaurant_id, s.starts_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', s.starts_at, NEW.sitting_minutes || ' minutes') FROM restaurant_reservation_slots s WHERE s.slot_id = NEW.slot_id)
   WHERE reservation_id = NEW.reservation_id;
END;
-- How long whom: two rows for each restaurant, ordinary and large parties.
CREATE VIEW sittings AS
SELECT restaurant_id, 1 AS party_from, sitting_large_from - 1 AS party_to, CASE sitting_minutes WHEN 0 THEN slot_minutes ELSE sitting_minutes END AS minutes
  FROM restaurants
UNION ALL
SELECT restaurant_id, sitting_large_from, 1000, CASE WHEN sitting_large_minutes > 0 THEN sitting_large_minutes
       WHEN sitting_minutes > 0 THEN sitting_minutes ELSE slot_minutes END FROM restaurants;

-- At the beginning of every slot within the sitting no more people are present than there are seats: presence rises only
-- where somebody starts.  Nobody sits longer than a day, so it is enough to look one day back.
CREATE TRIGGER reservations_present_insert AFTER INSERT ON reservations
WHEN NEW.is_active = 1 AND NEW.ends_at IS NOT NULL AND EXISTS (SELECT 1 FROM restaurants r WHERE r.restaurant_id = NEW.restaurant_id
  AND (r.seats > 0 OR r.sitting_minutes > r.slot_minutes OR r.sitting_large_minutes > r.slot_minutes))
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: more people would be present than there are seats')
    FROM restaurants r JOIN restaurant_reservation_slots t ON t.restaurant_id = r.restaurant_id
   WHERE r.restaurant_id = NEW.restaurant_id AND t.starts_at >= NEW.starts_at AND t.starts_at < NEW.ends_at
     AND t.slot_date BETWEEN date(NEW.starts_at, '-1 day') AND date(NEW.ends_at, '+1 day')
     AND (SELECT sum(v.party_size) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id
           AND v.status IN ('TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM', 'REFUND_PENDING')
           WHERE s.restaurant_id = r.restaurant_id AND s.slot_date BETWEEN date(t.slot_date, '-1 day') AND t.slot_date
             AND s.starts_at <= t.starts_at AND v.ends_at > t.starts_at)
         > CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END;
END;
CREATE TRIGGER reservations_present_update AFTER UPDATE OF status, party_size, starts_at, ends_at ON reservations
WHEN NEW.is_active = 1 AND NEW.ends_at IS NOT NULL AND (OLD.is_active IS NULL OR NEW.party_size > OLD.party_size OR
     NEW.starts_at IS NOT OLD.starts_at OR NEW.ends_at > ifnull(OLD.ends_at, '')) AND
     EXISTS (SELECT 1 FROM restaurants r WHERE r.restaurant_id = NEW.restaurant_id
       AND (r.seats > 0 OR r.sitting_minutes > r.slot_minutes OR r.sitting_large_minutes > r.slot_minutes))
BEGIN
  SELECT RAISE(ABORT, 'SLOT_FULL: more people would be present than there are seats')
    FROM restaurants r JOIN restaurant_reservation_slots t ON t.restaurant_id = r.restaurant_id
   WHERE r.restaurant_id = NEW.restaurant_id AND t.starts_at >= NEW.starts_at AND t.starts_at < NEW.ends_at
     AND t.slot_date BETWEEN date(NEW.starts_at, '-1 day') AND date(NEW.ends_at, '+1 day')
     AND (SELECT sum(v.party_size) FROM restaurant_reservation_slots s JOIN reservations v ON v.slot_id = s.slot_id
           AND v.status IN ('TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM', 'REFUND_PENDING')
           WHERE s.restaurant_id = r.restaurant_id AND s.slot_date BETWEEN date(t.slot_date, '-1 day') AND t.slot_date
             AND s.starts_at <= t.starts_at AND v.ends_at > t.starts_at)
         > CASE r.seats WHEN 0 THEN r.reservation_limit ELSE r.seats END;
END;
