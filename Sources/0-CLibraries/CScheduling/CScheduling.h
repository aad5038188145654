// The system's calls about processors and processes that Swift cannot use as they are: glibc declares
// some only for programs that ask for all of its own extensions, and a module cannot ask; others take
// any number of arguments. Declared here without the headers of glibc, which belong to its own module.
#ifndef KENNEL_CSCHEDULING_H
#define KENNEL_CSCHEDULING_H

#include <stddef.h>

/// The processor on which the caller runs.
int sched_getcpu(void);

/// The processors on which a process may run, as a set of bits; 0 is the caller. 0 when it worked.
int sched_setaffinity(int process, size_t size, const void *set);

int prctl(int option, ...);

/// Makes a pipe: what is read at `ends[0]` was written at `ends[1]`. 0 when it worked.
int pipe2(int ends[2], int flags);

/// Makes the caller the parent of all that its children leave behind. 0 when it worked.
static inline int kennel_adopt_orphans(void) {
  const int set_child_subreaper = 36;
  return prctl(set_child_subreaper, 1L, 0L, 0L, 0L);
}

#endif
