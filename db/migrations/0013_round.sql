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

-- 1. Money online

-- What the guest agreed to instead of a deposit: the most that a card may be charged.  NULL: nothing of the kind.
ALTER TABLE reservations ADD COLUMN guarantee_amount INTEGER CHECK (guarantee_amount > 0);
-- The intent that this money came by; NULL: the desk took it.
ALTER TABLE payments ADD COLUMN intent_id INTEGER REFERENCES intents;

CREATE TABLE payment_settings (
  restaurant_id    INTEGER PRIMARY KEY REFERENCES restaurants,
  provider         TEXT NOT NULL DEFAULT 'desk' CHECK (provider IN ('desk', 'portone', 'toss', 'stripe')),
  test             INTEGER NOT NULL DEFAULT 0 CHECK (test = 0 OR test = 1),
  store_id         TEXT CHECK (length(store_id) BETWEEN 1 AND 200),
  channel_key      TEXT CHECK (length(channel_key) BETWEEN 1 AND 200),
  client_key       TEXT CHECK (length(client_key) BETWEEN 1 AND 200),
  secret           TEXT,
  webhook_secret   TEXT,
  guarantee        INTEGER NOT NULL DEFAULT 0 CHECK (guarantee = 0 OR guarantee = 1),
  guarantee_amount INTEGER NOT NULL DEFAULT 0 CHECK (guarantee_amount BETWEEN 0 AND 1000000000),
  guarantee_hours  INTEGER NOT NULL DEFAULT 48 CHECK (guarantee_hours BETWEEN 1 AND 720),
  guarantee_terms  TEXT CHECK (length(guarantee_terms) BETWEEN 1 AND 500),
  phone_hold_hours INTEGER NOT NULL DEFAULT 24 CHECK (phone_hold_hours BETWEEN 1 AND 24),
  stretch_seconds  INTEGER NOT NULL DEFAULT 120 CHECK (stretch_seconds BETWEEN 60 AND 600),
  updated_at       TEXT NOT NULL
) STRICT;

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

CREATE TABLE intents (
  intent_id      INTEGER PRIMARY KEY,
  restaurant_id  INTEGER NOT NULL REFERENCES restaurants,
  reservation_id INTEGER,
  purpose        TEXT    NOT NULL CHECK (purpose IN ('DEPOSIT', 'CARD', 'CHARGE', 'TRY')),
  try            INTEGER NOT NULL CHECK (try >= 1),
  pay_key        TEXT    NOT NULL UNIQUE CHECK (length(pay_key) BETWEEN 20 AND 64),
  state          TEXT    NOT NULL DEFAULT 'READY'
                 CHECK (state IN ('READY', 'AUTHORISED', 'PAID', 'REFUND_DUE', 'REFUNDED', 'VOIDED', 'FAILED')),
  provider       TEXT    NOT NULL CHECK (provider IN ('portone', 'toss', 'stripe')),
  test           INTEGER NOT NULL DEFAULT 0 CHECK (test = 0 OR test = 1),
  currency       TEXT    NOT NULL CHECK (length(currency) = 3),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  returned       INTEGER NOT NULL DEFAULT 0 CHECK (returned >= 0),
  language       TEXT    NOT NULL DEFAULT 'ko' CHECK (language = 'ko' OR language = 'en'),
  site           TEXT,
  provider_ref   TEXT,
  session_ref    TEXT,
  session_url    TEXT,
  token          TEXT,
  card_ref       TEXT,
  card_label     TEXT,
  card_of        INTEGER REFERENCES intents,
  terms          TEXT,
  charge_until   TEXT CHECK (charge_until IS strftime('%Y-%m-%dT%H:%M:%SZ', charge_until, '+0 days')),
  todo           TEXT CHECK (todo IN ('BEGIN', 'CHARGE', 'LOOK', 'VOID', 'FORGET_CARD')),
  todo_at        TEXT,
  started_at     TEXT,
  attempts       INTEGER NOT NULL DEFAULT 0,
  looks          INTEGER NOT NULL DEFAULT 0,
  back_at        TEXT,
  stretched_at   TEXT,
  words          TEXT CHECK (length(words) <= 200),
  created_at     TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')),
  ends_at        TEXT CHECK (ends_at IS strftime('%Y-%m-%dT%H:%M:%SZ', ends_at, '+0 days')),
  changed_at     TEXT NOT NULL CHECK (changed_at IS strftime('%Y-%m-%dT%H:%M:%SZ', changed_at, '+0 days')),
  changed_by     TEXT NOT NULL DEFAULT 'shell',
  version        INTEGER NOT NULL DEFAULT 1,
  CHECK ((purpose = 'TRY') = (reservation_id IS NULL)),
  CHECK ((purpose = 'CHARGE') = (card_of IS NOT NULL)),
  CHECK (todo IS NULL OR todo_at IS NOT NULL)
) STRICT;

CREATE TABLE refunds (
  refund_id  INTEGER PRIMARY KEY,
  intent_id  INTEGER NOT NULL REFERENCES intents,
  payment_id INTEGER REFERENCES payments,
  amount     INTEGER NOT NULL CHECK (amount > 0),
  refund_key TEXT    NOT NULL UNIQUE,
  state      TEXT    NOT NULL DEFAULT 'QUEUED' CHECK (state IN ('QUEUED', 'DONE', 'FAILED', 'BY_HAND', 'WITHDRAWN')),
  attempts   INTEGER NOT NULL DEFAULT 0,
  next_at    TEXT    NOT NULL DEFAULT '',
  started_at TEXT,
  words      TEXT CHECK (length(words) <= 200),
  asked_by   TEXT NOT NULL,
  created_at TEXT NOT NULL,
  done_at    TEXT
) STRICT;

CREATE TABLE payment_events (
  provider   TEXT NOT NULL CHECK (provider IN ('portone', 'toss', 'stripe')),
  event_id   TEXT NOT NULL CHECK (length(event_id) BETWEEN 1 AND 100),
  type       TEXT NOT NULL,
  reference  TEXT NOT NULL,
  arrived_at TEXT NOT NULL,
  PRIMARY KEY (provider, event_id)
) STRICT, WITHOUT ROWID;

-- 3. A second box: each takeover by a spare.  A backup that came back.
CREATE TABLE takeovers (
  epoch             INTEGER PRIMARY KEY CHECK (epoch >= 1),
  taken_at          TEXT NOT NULL CHECK (taken_at IS strftime('%Y-%m-%dT%H:%M:%SZ', taken_at, '+0 days')),
  copy_of           TEXT NOT NULL CHECK (copy_of IS strftime('%Y-%m-%dT%H:%M:%SZ', copy_of, '+0 days')),
  last_reservation  INTEGER NOT NULL,
  first_reservation INTEGER NOT NULL CHECK (first_reservation > last_reservation)
) STRICT;

CREATE TABLE restores (
  restored_at       TEXT NOT NULL CHECK (restored_at IS strftime('%Y-%m-%dT%H:%M:%SZ', restored_at, '+0 days')),
  last_reservation  INTEGER NOT NULL,
  first_reservation INTEGER NOT NULL CHECK (first_reservation > last_reservation)
) STRICT;

-- A provider is one of four now.  Every row that passed the old CHECK passes the new one.
PRAGMA writable_schema=ON;
UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (provider IN (''desk'', ''portone''))',
  'CHECK (provider IN (''desk'', ''portone'', ''toss'', ''stripe''))') WHERE type = 'table' AND name = 'payments';
PRAGMA writable_schema=RESET;
