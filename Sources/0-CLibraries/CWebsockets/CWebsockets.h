#include <libwebsockets.h>

// Swift's module of glibc leaves malloc.h out.
#include <malloc.h>
