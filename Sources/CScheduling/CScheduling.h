// The system's calls about processors, which glibc declares only for programs that ask for all of
// its own extensions; a module cannot ask.
#ifndef KENNEL_CSCHEDULING_H
#define KENNEL_CSCHEDULING_H

#include <stddef.h>
#include <sys/types.h>

/// The processor on which the caller runs.
int sched_getcpu(void);

/// The processors on which a process may run, as a set of bits; 0 is the caller. 0 when it worked.
int sched_setaffinity(pid_t process, size_t size, const void *set);

#endif
