/*
 * plain.c - a name that carries nothing but a name.
 */
#include "plain.h"

#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_WIDE = 0x1100 }; /* Hangul, kana, Chinese characters: a name has half as many of them */

/*
 * Letters of the scripts that people's names are written in.  Left out are the blocks of punctuation, symbols, pictures, letters in
 * circles or full width, and other scripts' digits: with them a link or a number can still be read.
 */
static bool is_letter(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} letters[] = {
		{'A', 'Z'},       {'a', 'z'},       {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x2af},      {0x300, 0x36f},
		{0x370, 0x37d},   {0x386, 0x386},   {0x388, 0x481},   {0x48a, 0x52f},   {0x531, 0x556},     {0x561, 0x587},
		{0x5d0, 0x5ea},   {0x620, 0x65f},   {0x671, 0x6d3},   {0x900, 0x963},   {0xe01, 0xe3a},     {0xe40, 0xe4e},
		{0x10a0, 0x10ff}, {0x1100, 0x11ff}, {0x1e00, 0x1fff}, {0x3041, 0x3096}, {0x30a1, 0x30fa},   {0x30fc, 0x30fc},
		{0x3131, 0x318e}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xac00, 0xd7a3}, {0x20000, 0x3134f},
	};

	for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
		if (c >= letters[i].first && c <= letters[i].last)
			return true;
	return false;
}

/* After a letter: O'Neil, Anne-Marie; and a point that ends a word, as in J. Kim: inside of one it would make a link. */
static bool is_inside(uint32_t c, const char *rest)
{
	uint32_t next;

	if (c == '.')
		return *rest == '\0' || *rest == ' ';
	return (c == '\'' || c == '-' || c == 0x2019) && text_point(rest, &next) && is_letter(next);
}

void plain_name(char *name, enum lang lang)
{
	size_t used = 0, wide = 0, n;
	bool letters = false;
	uint32_t c;

	for (const char *p = name; wide < PLAIN_WIDTH && (n = text_point(p, &c)) > 0; p += n) {
		if (is_letter(c) || (used && name[used - 1] != ' ' && is_inside(c, p + n))) {
			memmove(name + used, p, n);
			used += n;
			wide += c < FIRST_WIDE ? 1 : 2;
			letters = letters || is_letter(c);
		} else if (used && name[used - 1] != ' ') {
			name[used++] = ' ';
			wide++;
		}
	}
	while (used && name[used - 1] == ' ')
		used--;
	name[used] = '\0';
	if (!letters)
		strcpy(name, lang == LANG_KO ? "고객" : "guest");
}
