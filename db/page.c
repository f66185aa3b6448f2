/*
 * page.c - the whole schema of a book as this program has it.
 */
#include "page.h"

#include "buf.h"
#include "settings.h"

#include <assert.h>
#include <ctype.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

extern const char embed_schema[];

/* Where restaurants_audit has a row for each setting: the page is a script with and without them. */
static const char mark[] = "/* and one for each of core/settings.h */\n";

const char *page_text(void)
{
	static struct buf page;
	const char *at = strstr(embed_schema, mark);

	assert(at);
	if (page.data)
		return page.data;
	buf_add(&page, embed_schema, (size_t)(at - embed_schema));
	for (size_t i = 0; i < settings_count; i++) {
		const char *name = settings_rows[i].name;

		buf_fmt(&page, "%s('%s', OLD.%s, NEW.%s),\n", i ? "    " : "", name, name, name);
	}
	buf_str(&page, at + sizeof mark - 1);
	if (page.failed)
		buf_free(&page);
	return page.data;
}

/* Behind a comment, blanks and double quotes, which ALTER TABLE ... RENAME puts around a name. */
static const char *skip_blanks(const char *sql)
{
	for (;;) {
		if (isspace((unsigned char)*sql) || *sql == '"')
			sql++;
		else if (strncmp(sql, "--", 2) == 0)
			sql += strcspn(sql, "\n");
		else if (strncmp(sql, "/*", 2) == 0 && strstr(sql + 2, "*/"))
			sql = strstr(sql + 2, "*/") + 2;
		else
			return sql;
	}
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* A string keeps its blanks; between two words one remains. */
static void make_plain(const char *sql, struct buf *out)
{
	while (*sql) {
		const char *next = skip_blanks(sql);
		size_t n = *next == '\'' ? 1 + strcspn(next + 1, "'") + 1 : 1;

		if (next != sql && out->len && is_word(out->data[out->len - 1]) && is_word(*next))
			buf_str(out, " ");
		sql = next;
		if (n > strlen(sql))
			n = strlen(sql);
		buf_add(out, sql, n);
		sql += n;
	}
}

static void plain(sqlite3_context *context, int count, sqlite3_value **cells)
{
	const char *sql = (const char *)sqlite3_value_text(cells[0]);
	struct buf out = {0};

	assert(count == 1);
	if (!sql)
		return;
	make_plain(sql, &out);
	if (out.failed)
		sqlite3_result_error_nomem(context);
	else
		sqlite3_result_text(context, out.data ? out.data : "", (int)out.len, SQLITE_TRANSIENT);
	buf_free(&out);
}

void page_add_plain(sqlite3 *handle)
{
	sqlite3_create_function(handle, "plain", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, plain, NULL, NULL);
}
