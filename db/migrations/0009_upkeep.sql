-- 0009_upkeep - the book knows which scripts made it, and what else ten years ask of it.

-- ---- which scripts made this book ----

-- Of this script and all before it, as the program had them: a number alone does not tell two drafts of one script apart.
-- NULL: it ran before books remembered.
ALTER TABLE migrations ADD COLUMN hash TEXT;
-- Of every table, index, trigger and view as they were when jari last proved them.  Only in the newest row.
ALTER TABLE migrations ADD COLUMN shape TEXT;
ALTER TABLE migrations ADD COLUMN program TEXT;           -- the jari that ran it
