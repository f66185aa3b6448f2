-- 0013_round - money online, and what came with it.

-- 2. The door list: who walks in and does not fit yet.
-- A call that is not followed ends by itself after so many minutes; 0: only staff end it.
ALTER TABLE restaurants ADD COLUMN door_call_minutes INTEGER NOT NULL DEFAULT 10 CHECK (door_call_minutes BETWEEN 0 AND 120);
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
                 CHECK (status IN ('WAITING', 'CALLED', 'SEATED', 'LEFT', 'NO_SHOW', 'CLOSED')),
  joined_at      TEXT    NOT NULL CHECK (joined_at IS strftime('%Y-%m-%dT%H:%M:%SZ', joined_at, '+0 days')),
  quoted_low     INTEGER CHECK (quoted_low BETWEEN 0 AND 1440),
  quoted_high    INTEGER CHECK (quoted_high BETWEEN quoted_low AND 1440),
  called_at      TEXT CHECK (called_at IS strftime('%Y-%m-%dT%H:%M:%SZ', called_at, '+0 days')),
  ended_at       TEXT CHECK (ended_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ended_at, '+0 days')),
  passed         INTEGER NOT NULL DEFAULT 0 CHECK (passed >= 0),
  reservation_id INTEGER REFERENCES reservations,
  desk_key       TEXT CHECK (length(desk_key) BETWEEN 1 AND 80),
  updated_at     TEXT    NOT NULL,
  changed_by     TEXT    NOT NULL DEFAULT 'shell',
  version        INTEGER NOT NULL DEFAULT 1,
  is_waiting     INTEGER GENERATED ALWAYS AS (CASE WHEN status IN ('WAITING', 'CALLED') THEN 1 END) VIRTUAL,
  CHECK (status <> 'CALLED' OR called_at IS NOT NULL),
  CHECK ((ended_at IS NULL) = (status IN ('WAITING', 'CALLED'))),
  CHECK (status <> 'SEATED' OR reservation_id IS NOT NULL)
) STRICT;
-- "Your table is ready" goes as early as an offer: who stands outside waits for it.
ALTER TABLE outbox ADD COLUMN door_id INTEGER;
DROP INDEX IF EXISTS main.outbox_next; -- a book before 0010 has none, and the new one beside it keeps its own
ALTER TABLE outbox DROP COLUMN urgency;
ALTER TABLE outbox ADD COLUMN urgency INTEGER AS (CASE event WHEN 'code' THEN 0 WHEN 'offer' THEN 1 WHEN 'table-ready' THEN 1
  ELSE 2 END) VIRTUAL;
