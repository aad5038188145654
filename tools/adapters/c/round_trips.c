/* Measures how many requests an adapter answers in a second, both ends on one processor:
 *
 *     cc -O2 -o round_trips round_trips.c
 *     ./round_trips 20000 python3 ../python/adapter.py
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int to_adapter, from_adapter, last_id, last_request;

/* Writes a request behind its id, and reads until the adapter is idle. */
static void ask(const char *format, ...) {
  char line[1024], answer[65536], idle[32];
  size_t length = 0;
  va_list arguments;
  va_start(arguments, format);
  int head = snprintf(line, sizeof line, "{\"id\":%d,", ++last_id);
  vsnprintf(line + head, sizeof line - head, format, arguments);
  va_end(arguments);
  snprintf(idle, sizeof idle, "{\"idle\":%d}\n", last_id);
  if (write(to_adapter, line, strlen(line)) < 0) exit(1);
  do {
    ssize_t count = read(from_adapter, answer + length, sizeof answer - length - 1);
    if (count <= 0 || (length += count) > sizeof answer - 2) {
      fputs("the adapter ended, or says too much\n", stderr);
      exit(1);
    }
    answer[length] = 0;
  } while (!strstr(answer, idle));
  const char *request = strstr(answer, "\"r\":");
  if (request) last_request = atoi(request + 4);
}

static void start(char **command) {
  int in[2], out[2];
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  if (pipe(in) || pipe(out)) exit(1);
  if (fork() == 0) {
    dup2(in[0], 0), dup2(out[1], 1);
    close(in[1]), close(out[0]);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  close(in[0]), close(out[1]);
  to_adapter = in[1], from_adapter = out[0];
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void report(const char *what, int before, double begun) {
  printf("%-28s %.0f a second\n", what, (last_id - before) / (now() - begun));
}

#define CLIENT "\"client\":\"a\",\"now\":1480000000000,"
#define FRAME CLIENT "\"frame\":{\"t\":\"d\",\"d\":"

int main(int count, char **words) {
  if (count < 3) return fputs("usage: round_trips N COMMAND...\n", stderr), 2;
  int rounds = atoi(words[1]);
  start(words + 2);
  ask("\"hello\":{\"protocol\":1,\"profile\":\"firebase\",\"seed\":\"1\"}}\n");
  ask(CLIENT "\"open\":{\"host\":\"kennel.test\",\"seed\":\"1\"}}\n");
  ask(CLIENT "\"opened\":{}}\n");
  ask(CLIENT "\"frame\":{\"t\":\"c\",\"d\":{\"t\":\"h\",\"d\":{\"ts\":1480000000000,\"v\":\"5\","
             "\"h\":\"kennel.test\",\"s\":\"1\"}}}}\n");
  ask(CLIENT "\"call\":{\"id\":\"l\",\"op\":\"listen\",\"listener\":\"l\",\"path\":\"/room\","
             "\"events\":[\"value\"]}}\n");

  int before = last_id;
  double begun = now();
  for (int n = 0; n < rounds; n++) ask(CLIENT "\"timer\":{\"timer\":99}}\n");
  report("a timer that does nothing", before, begun);

  before = last_id, begun = now();
  for (int n = 0; n < rounds; n++) {
    ask(CLIENT "\"call\":{\"id\":\"w%d\",\"op\":\"set\",\"path\":\"/room/a\",\"value\":%d}}\n", n, n);
    ask(FRAME "{\"a\":\"d\",\"b\":{\"p\":\"room/a\",\"d\":%d}}}}\n", n);
    ask(FRAME "{\"r\":%d,\"b\":{\"s\":\"ok\",\"d\":\"\"}}}}\n", last_request);
  }
  report("writes and their answers", before, begun);
  return 0;
}
