/*
 * mail.c - one mail.
 */
#include "mail.h"

#include "curlib.h"
#include "run.h"
#include "text.h"
#include "token.h"
#include "mailserver.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
	LINE_OCTETS = 76, /* of base64: RFC 2045, 6.8 */
	DATA_ERROR = 65,  /* EX_DATAERR of sysexits.h ... */
	NO_USER = 67,     /* ... and EX_NOUSER */
	WORD_OCTETS = 39, /* of an encoded word, before base64: with the name of its header a line stays below 78 */
};

/* ---- making it ---- */

/* No CR, LF, NUL or other control character may stand in a header: it would begin another one. */
static bool is_one_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

/* ASCII, and not what a mail program would take for an encoded word and decode (RFC 2047). */
static bool is_plain(const char *text)
{
	if (strstr(text, "=?"))
		return false;
	for (; *text; text++)
		if ((unsigned char)*text > 126)
			return false;
	return true;
}

static void put_base64(struct buf *out, const char *bytes, size_t n)
{
	char line[LINE_OCTETS + 8];

	while (n) {
		size_t part = n < LINE_OCTETS / 4 * 3 ? n : LINE_OCTETS / 4 * 3;

		sodium_bin2base64(line, sizeof line, (const unsigned char *)bytes, part, sodium_base64_VARIANT_ORIGINAL);
		buf_str(out, line);
		buf_str(out, "\r\n");
		bytes += part;
		n -= part;
	}
}

/* A text in a header: as it is, or in encoded words that are cut between characters. */
static void put_words(struct buf *out, const char *text)
{
	char word[WORD_OCTETS * 2];

	if (is_plain(text)) {
		buf_str(out, text);
		return;
	}
	for (bool first = true; *text; first = false) {
		size_t n = 0;

		while (text[n] && n < WORD_OCTETS) {
			size_t c = 1;

			while (((unsigned char)text[n + c] & 0xc0) == 0x80)
				c++;
			if (n + c > WORD_OCTETS)
				break;
			n += c;
		}
		sodium_bin2base64(word, sizeof word, (const unsigned char *)text, n, sodium_base64_VARIANT_ORIGINAL);
		buf_fmt(out, "%s=?UTF-8?B?%s?=", first ? "" : "\r\n ", word);
		text += n;
	}
}

/* A name before an address (RFC 5322: phrase): words as they are, or quoted; "Bar: Jari" without quotes would open a group. */
static void put_phrase(struct buf *out, const char *name)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 !#$%&'*+-/=?^_`{|}~";

	if (!is_plain(name) || strspn(name, plain) == strlen(name)) {
		put_words(out, name);
		return;
	}
	buf_str(out, "\"");
	for (; *name; name++)
		buf_fmt(out, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
	buf_str(out, "\"");
}

static void put_part(struct buf *out, const char *boundary, const char *type, const char *bytes)
{
	buf_fmt(out, "--%s\r\nContent-Type: %s\r\nContent-Transfer-Encoding: base64\r\n\r\n", boundary, type);
	put_base64(out, bytes, strlen(bytes));
}

static void put_date(struct buf *out, int64_t now_s)
{
	time_t t = (time_t)now_s;
	struct tm tm;
	char text[64];

	gmtime_r(&t, &tm);
	strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S +0000", &tm);
	buf_fmt(out, "Date: %s\r\n", text);
}

static void put_headers(struct buf *out, const struct mail *m)
{
	buf_str(out, "From: ");
	put_phrase(out, m->from_name);
	buf_fmt(out, " <%s>\r\nTo: <%s>\r\nSubject: ", m->from, m->to);
	put_words(out, m->subject);
	buf_str(out, "\r\n");
	put_date(out, m->now_s);
	/* Auto-Submitted: no machine answers a machine. */
	buf_fmt(out, "Message-ID: <%s>\r\nMIME-Version: 1.0\r\nAuto-Submitted: auto-generated\r\n", m->id);
}

bool mail_make(struct buf *out, const struct mail *m)
{
	char boundary[40] = "jari-", type[80];

	if (!is_one_line(m->from) || !is_one_line(m->from_name) || !is_one_line(m->to) || !is_one_line(m->subject) ||
	    strpbrk(m->to, "<> ") || strpbrk(m->from, "<> "))
		return false;
	token_random_hex(boundary + 5, 24);
	put_headers(out, m);
	buf_fmt(out, "Content-Type: multipart/alternative; boundary=\"%s\"\r\n\r\n", boundary);
	put_part(out, boundary, "text/plain; charset=utf-8", m->text);
	put_part(out, boundary, "text/html; charset=utf-8", m->html);
	if (*m->calendar) { /* the method here and in the entry must be the same, or Outlook takes neither */
		snprintf(type, sizeof type, "text/calendar; charset=utf-8; method=%s", m->method);
		put_part(out, boundary, type, m->calendar);
	}
	buf_fmt(out, "--%s--\r\n", boundary);
	return buf_ok(out);
}

/* ---- SMTP ---- */

struct reading {
	const struct buf *message;
	size_t done;
};

static size_t read_message(char *out, size_t size, size_t count, void *arg)
{
	struct reading *r = arg;
	size_t n = r->message->len - r->done;

	n = n < size * count ? n : size * count;
	memcpy(out, r->message->data + r->done, n);
	r->done += n;
	return n;
}

/* What the server said last but for its goodbye, and to what; step is where the talk is now. */
struct heard {
	enum mail_step step, at;
	int status;
	char *answer;
};

/* libcurl shows every command that it sends; what belongs to a login is none of these. */
static int watch(CURL *h, curl_infotype type, char *bytes, size_t n, void *arg)
{
	static const struct {
		const char *word;
		enum mail_step step;
	} words[] = {{"MAIL FROM:", MAIL_AT_SENDER},
		     {"RCPT TO:", MAIL_AT_RECIPIENT},
		     {"DATA", MAIL_AT_CONTENT},
		     {"QUIT", MAIL_AT_END}};
	struct heard *heard = arg;

	(void)h;
	for (size_t i = 0; type == CURLINFO_HEADER_OUT && i < sizeof words / sizeof words[0]; i++)
		if (n >= strlen(words[i].word) && memcmp(bytes, words[i].word, strlen(words[i].word)) == 0)
			heard->step = words[i].step;
	return 0;
}

static size_t hear(char *line, size_t size, size_t count, void *arg)
{
	struct heard *h = arg;
	size_t n = size * count, used = 0;
	int status = n >= 3 ? atoi((char[4]){line[0], line[1], line[2], '\0'}) : 0;

	if (h->step == MAIL_AT_END || status == 221 || (status == h->status && status >= 400))
		return n; /* of a no with several lines the first says why */
	h->status = status;
	h->at = h->step;
	for (size_t i = 0; i < n && used < MAIL_ANSWER_SIZE - 4; i++)
		if ((unsigned char)line[i] >= 0x20 && (unsigned char)line[i] < 0x7f)
			h->answer[used++] = line[i];
	h->answer[used] = '\0';
	return n;
}

/* What providers say, with a 5, when they mean us and today. */
static bool speaks_of_us(const char *answer)
{
	static const char *const words[] = {"quota",    "limit", "exceed", "too many",  "rate",      "later",
					    "temporar", "polic", "spam",   "block",     "blacklist", "relay",
					    "denied",   "auth",  "listed", "reputation"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcasestr(answer, words[i]))
			return true;
	return false;
}

bool mail_is_final(enum mail_step step, const char *answer)
{
	int status, class, subject, detail;

	if (step != MAIL_AT_RECIPIENT && step != MAIL_AT_CONTENT)
		return false;
	if (sscanf(answer, "%3d%*c%d.%d.%d", &status, &class, &subject, &detail) == 4 && class == 5 && status >= 550)
		switch (subject) { /* RFC 3463 */
		case 1:            /* the address; 7 and 8 are about the sender's */
			return detail != 7 && detail != 8;
		case 2: /* the mailbox, unless it is full */
			return detail != 2;
		case 6: /* the content */
			return true;
		default: /* the system, the network, the protocol, policy */
			return false;
		}
	status = atoi(answer);
	return (status == 550 || status == 551 || status == 553 || status == 554 || status == 556) && !speaks_of_us(answer);
}

bool mail_is_about_address(const char *answer)
{
	int status, detail;

	return sscanf(answer, "%3d%*c5.1.%d", &status, &detail) == 2 && detail != 7 && detail != 8;
}

static void set_up(const struct curlib *curl, CURL *h, const struct mail_way *way, struct curl_slist *to, struct reading *r,
		   struct heard *heard, char detail[CURL_ERROR_SIZE])
{
	const struct mailserver *server = way->server;
	const char *domain = strchr(server->sender, '@');
	char url[600], from[300];
	bool tls = strcmp(server->security, "TLS") == 0;

	snprintf(url, sizeof url, strchr(server->host, ':') ? "%s://[%s]:%d/%s" : "%s://%s:%d/%s", tls ? "smtps" : "smtp",
		 server->host, server->port, domain ? domain + 1 : "localhost");
	snprintf(from, sizeof from, "<%s>", server->sender);
	curl->set(h, CURLOPT_URL, url);
	curl->set(h, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl->set(h, CURLOPT_USE_SSL, strcmp(server->security, "STARTTLS") == 0 ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
	if (way->ca)
		curl->set(h, CURLOPT_CAINFO, way->ca);
	if (server->login[0]) {
		curl->set(h, CURLOPT_USERNAME, server->login);
		curl->set(h, CURLOPT_PASSWORD, way->password);
	}
	curl->set(h, CURLOPT_CONNECTTIMEOUT, (long)way->patience_s / 2); /* some servers greet late on purpose */
	curl->set(h, CURLOPT_TIMEOUT, (long)way->patience_s);
	curl->set(h, CURLOPT_SERVER_RESPONSE_TIMEOUT, (long)way->patience_s); /* also where the time for all does not count */
	curl->set(h, CURLOPT_NOSIGNAL, 1L);
	curl->set(h, CURLOPT_MAIL_FROM, from);
	curl->set(h, CURLOPT_MAIL_RCPT, to);
	curl->set(h, CURLOPT_UPLOAD, 1L);
	curl->set(h, CURLOPT_READFUNCTION, read_message);
	curl->set(h, CURLOPT_READDATA, r);
	curl->set(h, CURLOPT_INFILESIZE_LARGE, (curl_off_t)r->message->len);
	curl->set(h, CURLOPT_HEADERFUNCTION, hear);
	curl->set(h, CURLOPT_HEADERDATA, heard);
	curl->set(h, CURLOPT_DEBUGFUNCTION, watch);
	curl->set(h, CURLOPT_DEBUGDATA, heard);
	curl->set(h, CURLOPT_VERBOSE, 1L);
	curl->set(h, CURLOPT_ERRORBUFFER, detail);
}

/* What the server said, and what went wrong by libcurl: its detail says which of a certificate's faults it is. */
static void tell_why(char answer[MAIL_ANSWER_SIZE], const char *detail)
{
	char said[96];

	snprintf(said, sizeof said, "%.*s", text_fit(answer, sizeof said - 1), answer);
	snprintf(answer, MAIL_ANSWER_SIZE, "%s%s%.*s", said, *said ? " | " : "", text_fit(detail, 100), detail);
}

/*
 * libcurl says QUIT and would wait two minutes for the answer.  The server has taken or refused the mail by now, and every other
 * guest's would wait as well: we say it, and listen no more.
 */
static void say_goodbye(const struct curlib *curl, CURL *h)
{
	curl_socket_t fd = CURL_SOCKET_BAD;

	if (curl->get(h, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK && fd != CURL_SOCKET_BAD)
		shutdown(fd, SHUT_RD);
	curl->cleanup(h);
}

static enum mail_end send_smtp(const struct mail_way *way, const char *to, const struct buf *message,
			       char answer[MAIL_ANSWER_SIZE])
{
	const struct curlib *curl = curlib();
	struct reading r = {.message = message};
	struct heard heard = {.answer = answer};
	struct curl_slist *list = NULL;
	char address[300], detail[CURL_ERROR_SIZE] = "";
	bool final;
	CURLcode e;
	CURL *h;

	if (!curl) {
		snprintf(answer, MAIL_ANSWER_SIZE, "libcurl is not installed: apt install libcurl4");
		return MAIL_LATER;
	}
	h = curl->init();
	snprintf(address, sizeof address, "<%s>", to);
	list = curl->append(NULL, address);
	if (!h || !list) {
		snprintf(answer, MAIL_ANSWER_SIZE, "out of memory");
		return MAIL_LATER;
	}
	set_up(curl, h, way, list, &r, &heard, detail);
	e = curl->perform(h);
	final = e != CURLE_OK && mail_is_final(heard.at, answer);
	if (e != CURLE_OK)
		tell_why(answer, *detail ? detail : curl->strerror(e));
	curl->free_all(list);
	say_goodbye(curl, h);
	return e == CURLE_OK ? MAIL_SENT : final ? MAIL_NEVER : MAIL_LATER;
}

/* ---- sendmail ---- */

/* Tests have one of their own. */
static const char *sendmail_path(void)
{
#ifdef JARI_TESTING
	if (getenv("JARI_SENDMAIL"))
		return getenv("JARI_SENDMAIL");
#endif
	return "/usr/sbin/sendmail";
}

static enum mail_end send_by_program(const struct mail_way *way, const char *to, const struct buf *message,
				     char answer[MAIL_ANSWER_SIZE])
{
	const char *const argv[] = {sendmail_path(), "-i", "-f", way->server->sender, "--", to, NULL};
	char said[MAIL_ANSWER_SIZE - 40];
	int status = run_program(argv, message->data, message->len, way->patience_s, said, sizeof said);

	for (char *p = said; *p; p++)
		*p = (unsigned char)*p < 0x20 ? ' ' : *p;
	snprintf(answer, MAIL_ANSWER_SIZE, "sendmail: exit %d %s", status, said);
	if (status == 0)
		return MAIL_SENT;
	/*
	 * Of sysexits.h only 65 and 67 are about the message and its address.  The others may be mended: msmtp says 68 when
	 * it cannot find the host of its own server, which a minute without DNS is enough for.
	 */
	return status == DATA_ERROR || status == NO_USER ? MAIL_NEVER : MAIL_LATER;
}

enum mail_end mail_send(const struct mail_way *way, const char *to, const struct buf *message, char answer[MAIL_ANSWER_SIZE])
{
	answer[0] = '\0';
	if (strcmp(way->server->way, "SENDMAIL") == 0)
		return send_by_program(way, to, message, answer);
	assert(strcmp(way->server->way, "SMTP") == 0);
	return send_smtp(way, to, message, answer);
}
