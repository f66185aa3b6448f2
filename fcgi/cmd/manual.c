/*
 * manual.c - the man page and the completion of a shell, made from the rows that --help prints.
 */
#include "manual.h"

#include "version.h"

#include <string.h>

/* In roff a line that begins with a point or an apostrophe is a command, a backslash an escape, and a bare - a hyphen. */
static void roff(FILE *out, const char *text)
{
	bool begins = true;

	for (; *text; text++) {
		if (begins && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else
			fputc(*text, out);
		begins = *text == '\n';
	}
}

static void print_command(FILE *out, const struct cli_row *row)
{
	const char *end = row->help;

	fprintf(out, ".TP\n.B jari %s\n", row->name);
	roff(out, row->arguments);
	fputs("\n.br\n", out);
	roff(out, *row->help ? end : row->purpose);
	fputs("\n", out);
}

void manual_page(FILE *out, const struct cli_row *rows, size_t n)
{
	fprintf(out, ".TH JARI 1 \"\" \"jari %s\" \"The reservation book\"\n", JARI_VERSION);
	fputs(".SH NAME\njari \\- a reservation book for a small restaurant, in a box the restaurant owns\n", out);
	fputs(".SH SYNOPSIS\n.B jari\n.I COMMAND\n[\\fB\\-\\-dir\\fR \\fIDIR\\fR] ...\n", out);
	fputs(".SH DESCRIPTION\nGuests book on a web page, staff run the evening on another, and the book is one SQLite "
	      "file.\n",
	      out);
	fputs("DIR holds the book and all state.  The default is ./run if there is a book in it, else\n/var/lib/jari where the "
	      "package "
	      "made that, else ./run.\nAs root a command becomes the user whose folder it is.\n",
	      out);
	fputs(".SH COMMANDS\n", out);
	for (size_t i = 0; i < n; i++)
		print_command(out, &rows[i]);
	fputs(".SH FILES\n.TP\n.I /var/lib/jari\nthe book (jari.db), its key (secret.key), backups/\n.TP\n"
	      ".I /etc/jari/copy\\-away\na command of yours that takes backups out of the box\n.TP\n"
	      ".I /etc/jari/send\\-sms\na command of yours that sends text messages\n",
	      out);
	fputs(".SH EXIT STATUS\n0: done; 1: it did not work, and why was said; 2: called wrongly.\n", out);
	fputs(".SH SEE ALSO\n/usr/share/doc/jari/box.md, nginx(8), sqlite3(1)\n", out);
}

void manual_completion(FILE *out, const struct cli_row *rows, size_t n, void (*each_option)(FILE *out))
{
	fputs("# Completion of jari in bash; made from the rows that `jari help` prints.\n_jari() {\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]}\n\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"help",
	      out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %s", rows[i].name);
	fputs("\" -- \"$word\"))\n\telif [ \"${word#-}\" != \"$word\" ]; then\n\t\tCOMPREPLY=($(compgen -W \"--help", out);
	each_option(out);
	fputs("\" -- \"$word\"))\n\telse\n\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n\tfi\n}\ncomplete -o filenames -F _jari "
	      "jari\n",
	      out);
}
