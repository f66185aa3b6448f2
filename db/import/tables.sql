-- tables.sql - the TEMP tables of an import: every file as it was read, and the plan for what will be written.
--
-- in_X holds the rows of X.csv, cells that make sense as values and the others as NULL (amounts in thousandths, until the
-- currency of the row is known); `line` is the line of the file.
-- Where a file is not there, the rows of the book take its place with a line below 0.

-- One row.  keep: the ids of the files stay as they are, because the book has no guests yet.
CREATE TEMP TABLE job (now TEXT NOT NULL, folder TEXT NOT NULL, mark TEXT NOT NULL, keep INTEGER NOT NULL);

CREATE TEMP TABLE in_restaurants (line INTEGER PRIMARY KEY, id INTEGER, new_id INTEGER, same INTEGER, name TEXT,
  name_en TEXT, phone TEXT, address TEXT, address_en TEXT, timezone TEXT, currency TEXT);
CREATE TEMP TABLE in_menus (line INTEGER PRIMARY KEY, id INTEGER, new_id INTEGER, restaurant_id INTEGER, name TEXT,
  name_en TEXT, description TEXT, price INTEGER, currency TEXT, position INTEGER, is_deleted INTEGER);
CREATE TEMP TABLE in_users (line INTEGER PRIMARY KEY, id INTEGER, new_id INTEGER, user_type TEXT, type TEXT,
  no_login TEXT, key INTEGER, owner INTEGER, restaurant_id INTEGER, name TEXT, phone TEXT, email TEXT, password TEXT,
  language TEXT,
  is_blocked INTEGER, note TEXT, created_at TEXT, erased_at TEXT);
-- key: the number as users.phone_key has it; owner: whose number it is, by the ids of the book, if not their own
CREATE TEMP TABLE in_slots (line INTEGER PRIMARY KEY, id INTEGER, new_id INTEGER, restaurant_id INTEGER,
  restaurant INTEGER, slot_date TEXT, slot_time TEXT, max_capacity INTEGER, created_at TEXT, updated_at TEXT,
  adds INTEGER NOT NULL DEFAULT 0); -- adds: makes a slot that neither the book nor an earlier row has
CREATE TEMP TABLE in_reservations (line INTEGER PRIMARY KEY, id INTEGER, new_id INTEGER, reservation_code TEXT,
  slot_id INTEGER, user_id INTEGER, party_size INTEGER, reservation_type TEXT, status TEXT, request_message TEXT,
  deposit_amount INTEGER, prepay_amount INTEGER, total_amount INTEGER, currency TEXT, refund_policy TEXT,
  hold_expires_at TEXT, visit_status TEXT, created_at TEXT, updated_at TEXT);
CREATE TEMP TABLE in_payments (line INTEGER PRIMARY KEY, id INTEGER, new_id INTEGER, reservation_id INTEGER,
  provider TEXT, provider_payment_id TEXT, amount INTEGER, currency TEXT, status TEXT, kept_amount INTEGER,
  refunded_amount INTEGER, due_back_amount INTEGER, paid_at TEXT, refunded_at TEXT, note TEXT, created_at TEXT);
CREATE TEMP TABLE in_items (line INTEGER PRIMARY KEY, reservation_id INTEGER, menu_id INTEGER, menu_name TEXT,
  unit_price INTEGER, quantity INTEGER, line_amount INTEGER, currency TEXT);

-- A reservation as it will be.  was: its state in the file, state: in the book.  stays: the one that is kept instead of
-- this duplicate, and why that one.
CREATE TEMP TABLE plan_reservations (line INTEGER PRIMARY KEY, id INTEGER, new_id INTEGER, slot INTEGER, user INTEGER,
  restaurant INTEGER, party INTEGER, prepaid INTEGER, was TEXT, state TEXT, deposit INTEGER, prepay INTEGER,
  fits INTEGER, currency TEXT, hold TEXT, created TEXT, updated TEXT, code TEXT,
  money INTEGER NOT NULL DEFAULT 0, worth INTEGER NOT NULL DEFAULT 0, stays INTEGER, why TEXT,
  sitting INTEGER);
-- A payment as it will be: every won kept, given back or due back.
CREATE TEMP TABLE plan_payments (line INTEGER PRIMARY KEY, new_id INTEGER, reservation INTEGER, reservation_line INTEGER,
  provider TEXT, provider_id TEXT, known INTEGER, amount INTEGER, currency TEXT, status TEXT, kept INTEGER,
  refunded INTEGER, due INTEGER, fits INTEGER, paid TEXT, refunded_at TEXT, note TEXT, created TEXT);

-- A slot in which more was sold than it has seats.
CREATE TEMP TABLE plan_seats (slot_id INTEGER PRIMARY KEY, slot_date TEXT, slot_time TEXT, max_capacity INTEGER,
  sold INTEGER, line INTEGER);

-- By what they are looked up.
CREATE INDEX temp.in_restaurants_id ON in_restaurants (id);
CREATE INDEX temp.in_menus_id ON in_menus (id);
CREATE INDEX temp.in_users_id ON in_users (id);
CREATE INDEX temp.in_users_key ON in_users (key) WHERE key IS NOT NULL;
CREATE INDEX temp.in_slots_id ON in_slots (id);
CREATE INDEX temp.in_slots_moment ON in_slots (restaurant, slot_date, slot_time);
CREATE INDEX temp.in_slots_new ON in_slots (new_id);
CREATE INDEX temp.in_reservations_id ON in_reservations (id);
CREATE INDEX temp.in_payments_id ON in_payments (id);
CREATE INDEX temp.in_items_reservation ON in_items (reservation_id);
CREATE INDEX temp.plan_reservations_id ON plan_reservations (id);
CREATE UNIQUE INDEX temp.plan_reservations_code ON plan_reservations (code);
CREATE INDEX temp.plan_payments_of ON plan_payments (reservation_line);

-- How other systems spell what this book calls otherwise.
CREATE TEMP TABLE spelled (what TEXT, word TEXT, means TEXT, PRIMARY KEY (what, word)) WITHOUT ROWID;
INSERT INTO spelled VALUES
  ('user', 'GUEST', 'GUEST'), ('user', 'ACCOUNT', 'ACCOUNT'), ('user', 'STAFF', 'STAFF'), ('user', 'OWNER', 'OWNER'),
  ('user', 'USER', 'ACCOUNT'), ('user', 'MEMBER', 'ACCOUNT'), ('user', 'CUSTOMER', 'ACCOUNT'),
  ('user', 'ROLE_USER', 'ACCOUNT'), ('user', 'ROLE_STAFF', 'STAFF'), ('user', 'ROLE_OWNER', 'OWNER'),
  ('type', 'PREORDER_PREPAY', 1), ('type', 'PREPAY', 1), ('type', 'PREORDER', 1),
  ('type', 'RESERVATION_DEPOSIT', 0), ('type', 'DEPOSIT', 0),
  ('visit', 'PENDING', 'PENDING'), ('visit', 'WAITING', 'PENDING'), ('visit', 'NONE', 'PENDING'),
  ('visit', 'ARRIVED', 'ARRIVED'), ('visit', 'CHECKED_IN', 'ARRIVED'), ('visit', 'SEATED', 'SEATED'),
  ('visit', 'LEFT', 'LEFT'), ('visit', 'VISITED', 'LEFT'), ('visit', 'DONE', 'LEFT'), ('visit', 'COMPLETE', 'LEFT'),
  ('visit', 'COMPLETED', 'LEFT'), ('visit', 'FINISHED', 'LEFT'), ('visit', 'NO_SHOW', 'NO_SHOW'),
  ('visit', 'NOSHOW', 'NO_SHOW'),
  ('status', 'CANCELLED', 'CANCELED'), ('status', 'CANCEL', 'CANCELED'), ('status', 'CONFIRM', 'CONFIRMED'),
  ('status', 'PREPAID_CONFIRMED', 'PREPAY_CONFIRM'), ('status', 'PREPAID_CONFIRM', 'PREPAY_CONFIRM'),
  ('status', 'PREPAY_CONFIRMED', 'PREPAY_CONFIRM'), ('status', 'TEMP', 'TEMPORARY'), ('status', 'COMPLETE', 'COMPLETED'),
  ('status', 'DONE', 'COMPLETED'), ('status', 'VISITED', 'COMPLETED'), ('status', 'FINISHED', 'COMPLETED'),
  ('status', 'HOLD', 'TEMPORARY'), ('status', 'EXPIRE', 'EXPIRED'), ('status', 'REFUND', 'REFUNDED'),
  ('status', 'REFUND_REQUESTED', 'REFUND_PENDING'), ('status', 'REFUND_COMPLETED', 'REFUNDED'), ('status', 'NOSHOW', 'NO_SHOW'),
  ('payment', 'READY', 'READY'), ('payment', 'PENDING', 'READY'), ('payment', 'WAITING', 'READY'),
  ('payment', 'REQUESTED', 'READY'), ('payment', 'IN_PROGRESS', 'READY'),
  ('payment', 'PAID', 'PAID'), ('payment', 'DONE', 'PAID'), ('payment', 'COMPLETED', 'PAID'), ('payment', 'COMPLETE', 'PAID'),
  ('payment', 'SUCCESS', 'PAID'), ('payment', 'APPROVED', 'PAID'), ('payment', 'CONFIRMED', 'PAID'),
  ('payment', 'FAILED', 'FAILED'), ('payment', 'FAIL', 'FAILED'), ('payment', 'ABORTED', 'FAILED'),
  ('payment', 'EXPIRED', 'FAILED'),
  ('payment', 'REFUND_DUE', 'REFUND_DUE'), ('payment', 'REFUND_PENDING', 'REFUND_DUE'),
  ('payment', 'REFUND_REQUESTED', 'REFUND_DUE'),
  ('payment', 'REFUNDED', 'REFUNDED'), ('payment', 'REFUND_COMPLETED', 'REFUNDED'), ('payment', 'PARTIAL_REFUNDED', 'REFUNDED'),
  ('payment', 'PARTIALLY_REFUNDED', 'REFUNDED'), ('payment', 'PARTIAL_CANCELED', 'REFUNDED'),
  ('payment', 'PARTIAL_CANCELLED', 'REFUNDED'),
  ('payment', 'CANCELED', 'CANCELED'), ('payment', 'CANCELLED', 'CANCELED'),
  ('provider', 'PORTONE', 'portone'), ('provider', 'IAMPORT', 'portone'), ('provider', 'DESK', 'desk'),
  ('provider', '', 'desk');
