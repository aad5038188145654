// How references are counted: what glibc knows of the threads of this process, and the counting of
// Swift's runtime, which exports it without a header.
#ifndef KENNEL_CCOUNTING_H
#define KENNEL_CCOUNTING_H

extern char __libc_single_threaded;

/// Whether no second thread was ever begun. Until then nothing else can look at a count.
static inline _Bool kennel_has_one_thread(void) { return __libc_single_threaded; }

/// The runtime's counting for one thread, `swift_nonatomic_retain` and `swift_nonatomic_release`, by names
/// that the linker gives them (`--defsym`): the compiler does not leave a call of the former as it is.
void *kennel_retain(void *object);
void kennel_release(void *object);

/// What the linker calls the functions of the runtime that others take the place of (`--wrap`).
void *__real_swift_retain(void *object);
void __real_swift_release(void *object);

#endif
