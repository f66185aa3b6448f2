/*
 * certificate.c - when a certificate ends.
 *
 * One date is wanted of it, so it is read here rather than by a library of a hundred thousand lines: Certificate is a
 * sequence that begins with TBSCertificate, which is a sequence of version, serial number, algorithm, issuer and validity.
 */
#include "certificate.h"

#include "clock.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PEM_MAX = 16384, VERSION = 0xa0, INTEGER = 0x02, SEQUENCE = 0x30, UTC_TIME = 0x17, LONG_TIME = 0x18 };

/* What is left of the bytes that are being read. */
struct der {
	const unsigned char *at;
	size_t left;
};

/* Takes one value: its kind, and what is in it. */
static bool take(struct der *d, int *kind, struct der *in)
{
	size_t n, bytes = 0;

	if (d->left < 2)
		return false;
	*kind = d->at[0];
	n = d->at[1];
	if (n & 0x80) {
		bytes = n & 0x7f;
		n = 0;
		if (bytes == 0 || bytes > 4 || d->left < 2 + bytes)
			return false;
		for (size_t i = 0; i < bytes; i++)
			n = n << 8 | d->at[2 + i];
	}
	if (n > d->left - 2 - bytes)
		return false;
	*in = (struct der){d->at + 2 + bytes, n};
	d->at += 2 + bytes + n;
	d->left -= 2 + bytes + n;
	return true;
}

static bool take_sequence(struct der *d, struct der *in)
{
	int kind;

	return take(d, &kind, in) && kind == SEQUENCE;
}

/* YYMMDDHHMMSSZ up to 2049, YYYYMMDDHHMMSSZ after it. */
static bool read_time(int kind, struct der text, int64_t *when)
{
	char digits[16], iso[CLOCK_ISO_SIZE];
	const char *d = digits;

	if (kind == UTC_TIME && text.left == 13)
		snprintf(digits, sizeof digits, "%s%.13s", text.at[0] < '5' ? "20" : "19", (const char *)text.at);
	else if (kind == LONG_TIME && text.left == 15)
		snprintf(digits, sizeof digits, "%.15s", (const char *)text.at);
	else
		return false;
	snprintf(iso, sizeof iso, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", d, d + 4, d + 6, d + 8, d + 10, d + 12);
	return clock_parse_iso(iso, when);
}

static bool read_end(struct der d, int64_t *end_s)
{
	struct der certificate, body, skipped, validity, time;
	int kind;

	if (!take_sequence(&d, &certificate) || !take_sequence(&certificate, &body) || !take(&body, &kind, &skipped))
		return false;
	if (kind == VERSION && !take(&body, &kind, &skipped))
		return false;
	if (kind != INTEGER || !take_sequence(&body, &skipped) || !take_sequence(&body, &skipped) ||
	    !take_sequence(&body, &validity))
		return false;
	return take(&validity, &kind, &skipped) && take(&validity, &kind, &time) && read_time(kind, time, end_s);
}

static size_t read_file(const char *file, char *out, size_t size)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, out, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

bool certificate_end(const char *file, int64_t *end_s)
{
	static const char begin[] = "-----BEGIN CERTIFICATE-----", end[] = "-----END CERTIFICATE-----";
	static char pem[PEM_MAX];
	static unsigned char der[PEM_MAX];
	const char *from, *to;
	size_t n = 0;

	read_file(file, pem, sizeof pem);
	from = strstr(pem, begin);
	to = from ? strstr(from, end) : NULL;
	if (!to)
		return false;
	from += strlen(begin);
	if (sodium_base642bin(der, sizeof der, from, (size_t)(to - from), "\r\n ", &n, NULL, sodium_base64_VARIANT_ORIGINAL) !=
	    0)
		return false;
	return read_end((struct der){der, n}, end_s);
}
