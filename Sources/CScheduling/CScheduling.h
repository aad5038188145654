// The system's calls about processors and processes that Swift cannot use as they are: glibc declares
// some only for programs that ask for all of its own extensions, and a module cannot ask; others take
// any number of arguments.
#ifndef KENNEL_CSCHEDULING_H
#define KENNEL_CSCHEDULING_H

#include <stddef.h>
#include <sys/prctl.h>
#include <sys/types.h>

/// The processor on which the caller runs.
int sched_getcpu(void);

/// The processors on which a process may run, as a set of bits; 0 is the caller. 0 when it worked.
int sched_setaffinity(pid_t process, size_t size, const void *set);

/// Makes the caller the parent of all that its children leave behind. 0 when it worked.
static inline int kennel_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L); }

#endif
