/*
 * slots.h - what is free on a day.
 */
#ifndef JARI_SLOTS_H
#define JARI_SLOTS_H

#include "restaurants.h"

struct slot_view {
	int64_t slot_id;   /* 0: nobody has booked it yet */
	int minute;        /* of the day */
	const char *label; /* of its opening hours; lives in the day's spans */
	int capacity, remaining;
	bool available; /* for the party that asked, at this moment */
};

struct slots_day {
	struct hours_day hours;
	size_t count;
	struct slot_view slots[HOURS_TIMES_MAX];
};

/*
 * The offered times of that date with the seats left, by the committed book at this moment; due
 * holds do not count.  A closed day has no slots.
 */
enum err slots_of_day(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
		      struct slots_day *out);

/*
 * The same, kept for as long as the book and the second are the same: when hundreds are told that a
 * slot is full, they are all told the same free times.
 */
enum err slots_of_day_kept(struct db *db, const struct restaurant *r, struct date date, int party, int64_t now_s,
			   const struct slots_day **out);

/* The offered time at that minute, or NULL. */
const struct slot_view *slots_at(const struct slots_day *day, int minute);

#endif
