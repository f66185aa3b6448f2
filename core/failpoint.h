/*
 * failpoint.h - places where a test may kill, stop or delay a process.
 *
 * Only in builds for testing (JARI_TESTING).  JARI_FAILPOINT=name:action:nth, where action is kill,
 * stop or sleepMS: the nth time this process passes the point, it happens.  With JARI_FAILPOINT_FUSE
 * naming a file, it happens from the nth time on to the process that finds the file there and takes it away:
 * once, in one process of many, whenever the test lays a new one.  JARI_FAILPOINT=name:fail makes a step of this name fail
 * each time, as a broken disk would.
 */
#ifndef JARI_FAILPOINT_H
#define JARI_FAILPOINT_H

#ifdef JARI_TESTING
void failpoint_hit(const char *name);
_Bool failpoint_fails(const char *name);
/* Is this mechanism switched off (JARI_WITHOUT=name)?  For negative controls. */
_Bool failpoint_without(const char *mechanism);
#define FAILPOINT(name) failpoint_hit(name)
#define FAILS(name) failpoint_fails(name)
#define WITHOUT(mechanism) failpoint_without(mechanism)
/* A promise too dear to check where guests wait. */
#define DEBUG_ASSERT(promise) assert(promise)
#else
#define FAILPOINT(name) ((void)0)
#define FAILS(name) 0
#define WITHOUT(mechanism) 0
#define DEBUG_ASSERT(promise) ((void)0)
#endif

#endif
