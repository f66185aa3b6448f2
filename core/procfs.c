/*
 * procfs.c - what the kernel says of a process.
 */
#include "procfs.h"

#include <stdarg.h>
#include <stdio.h>

bool procfs_line(int pid, const char *file, const char *form, ...)
{
	char path[96], line[512];
	bool found = false;
	va_list ap;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof line, f)) {
		va_start(ap, form);
		found = vsscanf(line, form, ap) > 0;
		va_end(ap);
	}
	if (f)
		fclose(f);
	return found;
}
