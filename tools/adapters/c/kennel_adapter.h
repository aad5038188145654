/* kennel_adapter.h: lets Kennel drive a client that is written in C, or in anything that links C.
 *
 * In one file of yours, which is compiled as C, and nowhere else:
 *
 *     #define KENNEL_ADAPTER_IMPLEMENTATION
 *     #include "kennel_adapter.h"
 *
 * Fill in a kennel_client with the functions that Kennel calls, and call kennel_run from main. What
 * your client does in consequence it tells with the functions below, before it returns: a function
 * that returns has finished everything that its call causes without time passing and without the
 * network. There is nothing else to get right. Specs/adapter-protocol.md describes every line.
 *
 * C99, nothing but the C library. A program that runs out of memory ends.
 */
#ifndef KENNEL_ADAPTER_H
#define KENNEL_ADAPTER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* JSON as it comes in. A value belongs to the line that it came with: copy what you keep. */

typedef enum { KENNEL_NULL, KENNEL_BOOL, KENNEL_NUMBER, KENNEL_STRING, KENNEL_ARRAY, KENNEL_OBJECT }
    kennel_type;

typedef struct kennel_json {
  kennel_type type;
  double number;            /* of a number; of a boolean 0 or 1 */
  char *text;               /* of a string, UTF-8; NULL otherwise */
  char *name;               /* of a member of an object; NULL otherwise */
  struct kennel_json *first, *next; /* the elements or members, in order */
} kennel_json;

/* The member `name` of an object, or NULL. `object` may be NULL. */
kennel_json *kennel_member(const kennel_json *object, const char *name);
/* The text of the member `name`, or `otherwise` where there is no such string. */
const char *kennel_text(const kennel_json *object, const char *name, const char *otherwise);
/* Reads JSON; NULL where it is none. Free it with kennel_free. */
kennel_json *kennel_parse(const char *text);
void kennel_free(kennel_json *json);
/* The JSON text of a value. Free it with free. */
char *kennel_print(const kennel_json *json);

/* What Kennel calls. `now` is the time by the client's clock, in milliseconds since 1970. */

typedef struct {
  const char *name, *version;
  const char *const *capabilities; /* ends with NULL; what is missing is not asked for */
  /* A process of a client starts; the client is returned. `opening` has host, seed, cacheBytes and
   * storage. */
  void *(*open)(const char *profile, const kennel_json *opening, double now);
  /* The process is gone: nothing runs any more, and nothing is told. */
  void (*kill)(void *client);
  void (*opened)(void *client, double now); /* the connection that was asked for is up */
  void (*ended)(void *client, double now);  /* it is gone, or could not be made */
  void (*frame)(void *client, const kennel_json *message, double now);
  void (*timer)(void *client, int timer, double now);
  /* The application calls the client. Returns 0 for an operation that is not known. It is called from
   * inside kennel_event, kennel_cancelled, kennel_completed and kennel_update_ran as well, where the
   * application calls the client from inside a callback: with the capability `callbacks` alone. */
  int (*call)(void *client, const char *id, const char *op, const kennel_json *arguments, double now);
} kennel_client;

/* Answers Kennel until it says goodbye. Returns what main is to return. */
int kennel_run(const kennel_client *client);

/* What the client does. `json` is JSON text. */

void kennel_connect(const char *host); /* NULL: the host of `open` */
void kennel_disconnect(void);
void kennel_send(const char *json);
void kennel_set_timer(int timer, double after, const char *label); /* back-off, keep-alive, idle, other */
void kennel_cancel_timer(int timer);
/* Calls a listener. `key` is NULL at the root. `previous` is JSON: a text in quotes, or null for the
 * first child; NULL where the event has no previous key. `value` is JSON in export format. */
void kennel_event(const char *listener, const char *type, const char *key, const char *previous,
                  const char *value);
void kennel_cancelled(const char *listener, const char *error);
void kennel_completed(const char *call, const char *error); /* error NULL: it succeeded */
void kennel_update_ran(const char *call, const char *input); /* a transaction's function; JSON */
void kennel_answered(const char *call, const char *json);
void kennel_threw(const char *call, const char *error);
void kennel_store(const char *key, const char *text);
void kennel_erase(const char *key);
/* The client threw an exception that was not caught. `type` and `stack`, a line for each frame and the
 * innermost first, may be NULL. */
void kennel_uncaught(const char *message, const char *type, const char *stack);
void kennel_log(const char *text);
/* Any other line: `{"verb": {...}}`. */
void kennel_emit(const char *json);

/* A text that grows, for making JSON. Start with {0}; free `text` when done. */
typedef struct { char *text; size_t length, capacity; } kennel_buffer;
void kennel_append(kennel_buffer *buffer, const char *text);
void kennel_append_quoted(kennel_buffer *buffer, const char *text); /* NULL becomes null */
void kennel_append_json(kennel_buffer *buffer, const kennel_json *json);

#ifdef __cplusplus
}
#endif

#endif

#ifdef KENNEL_ADAPTER_IMPLEMENTATION
#undef KENNEL_ADAPTER_IMPLEMENTATION /* once is enough */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *kennel_need(void *memory) {
  if (memory) return memory;
  fputs("out of memory\n", stderr);
  exit(70);
}

/* -- Making texts ----------------------------------------------------------------------------- */

static void kennel_append_bytes(kennel_buffer *b, const char *bytes, size_t count) {
  if (b->length + count + 1 > b->capacity) {
    b->capacity = (b->length + count + 1) * 2;
    b->text = kennel_need(realloc(b->text, b->capacity));
  }
  memcpy(b->text + b->length, bytes, count);
  b->length += count;
  b->text[b->length] = 0;
}

void kennel_append(kennel_buffer *b, const char *text) { kennel_append_bytes(b, text, strlen(text)); }

void kennel_append_quoted(kennel_buffer *b, const char *text) {
  if (!text) {
    kennel_append(b, "null");
    return;
  }
  kennel_append(b, "\"");
  for (; *text; text++) {
    char escape[8];
    if (*text == '"' || *text == '\\') snprintf(escape, sizeof escape, "\\%c", *text);
    else if ((unsigned char)*text < 0x20) snprintf(escape, sizeof escape, "\\u%04x", *text);
    else snprintf(escape, sizeof escape, "%c", *text);
    kennel_append(b, escape);
  }
  kennel_append(b, "\"");
}

/* The shortest digits that read back as the number. */
static void kennel_append_number(kennel_buffer *b, double number) {
  char digits[40];
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, number);
    if (strtod(digits, NULL) == number) break;
  }
  kennel_append(b, isfinite(number) ? digits : "null");
}

void kennel_append_json(kennel_buffer *b, const kennel_json *json) {
  if (!json || json->type == KENNEL_NULL) kennel_append(b, "null");
  else if (json->type == KENNEL_BOOL) kennel_append(b, json->number != 0 ? "true" : "false");
  else if (json->type == KENNEL_NUMBER) kennel_append_number(b, json->number);
  else if (json->type == KENNEL_STRING) kennel_append_quoted(b, json->text);
  else {
    int is_object = json->type == KENNEL_OBJECT;
    kennel_append(b, is_object ? "{" : "[");
    for (const kennel_json *each = json->first; each; each = each->next) {
      if (is_object) {
        kennel_append_quoted(b, each->name);
        kennel_append(b, ":");
      }
      kennel_append_json(b, each);
      if (each->next) kennel_append(b, ",");
    }
    kennel_append(b, is_object ? "}" : "]");
  }
}

char *kennel_print(const kennel_json *json) {
  kennel_buffer b = {0};
  kennel_append_json(&b, json);
  return b.text;
}

/* -- Reading JSON ----------------------------------------------------------------------------- */

static const char *kennel_skip(const char *s) {
  while (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n') s++;
  return s;
}

static void kennel_append_character(kennel_buffer *b, unsigned long c) {
  char utf8[5] = {0};
  if (c < 0x80) utf8[0] = (char)c;
  else if (c < 0x800) utf8[0] = (char)(0xC0 | c >> 6), utf8[1] = (char)(0x80 | (c & 63));
  else if (c < 0x10000) {
    utf8[0] = (char)(0xE0 | c >> 12), utf8[1] = (char)(0x80 | (c >> 6 & 63));
    utf8[2] = (char)(0x80 | (c & 63));
  } else {
    utf8[0] = (char)(0xF0 | c >> 18), utf8[1] = (char)(0x80 | (c >> 12 & 63));
    utf8[2] = (char)(0x80 | (c >> 6 & 63)), utf8[3] = (char)(0x80 | (c & 63));
  }
  kennel_append(b, utf8);
}

static unsigned long kennel_hex(const char *s) {
  char digits[5] = {0};
  for (int i = 0; i < 4 && s[i]; i++) digits[i] = s[i];
  return strtoul(digits, NULL, 16);
}

/* Reads from behind the opening quote; returns where the text goes on, or NULL. */
static const char *kennel_read_text(const char *s, char **text) {
  kennel_buffer b = {0};
  kennel_append(&b, "");
  for (; *s && *s != '"'; s++) {
    if (*s != '\\') {
      kennel_append_bytes(&b, s, 1);
      continue;
    }
    const char *escapes = "\"\\/bfnrt", *meanings = "\"\\/\b\f\n\r\t";
    const char *escape = *++s ? strchr(escapes, *s) : NULL;
    if (escape) kennel_append_bytes(&b, meanings + (escape - escapes), 1);
    else if (*s == 'u' && strlen(s) > 4) {
      unsigned long c = kennel_hex(s + 1);
      s += 4;
      if (c >= 0xD800 && c < 0xDC00 && s[1] == '\\' && s[2] == 'u') {
        c = 0x10000 + ((c - 0xD800) << 10) + (kennel_hex(s + 3) - 0xDC00);
        s += 6;
      }
      kennel_append_character(&b, c);
    } else break;
  }
  if (*s != '"') {
    free(b.text);
    return NULL;
  }
  *text = b.text;
  return s + 1;
}

static const char *kennel_read(const char *s, kennel_json *json);

/* Reads elements or members from behind the opening bracket. */
static const char *kennel_read_parts(const char *s, kennel_json *json, char end) {
  kennel_json **last = &json->first;
  s = kennel_skip(s);
  if (*s == end) return s + 1;
  for (;;) {
    kennel_json *part = *last = kennel_need(calloc(1, sizeof *part));
    last = &part->next;
    if (json->type == KENNEL_OBJECT) {
      s = kennel_skip(s);
      if (*s != '"' || !(s = kennel_read_text(s + 1, &part->name))) return NULL;
      s = kennel_skip(s);
      if (*s++ != ':') return NULL;
    }
    if (!(s = kennel_read(s, part))) return NULL;
    s = kennel_skip(s);
    if (*s == end) return s + 1;
    if (*s++ != ',') return NULL;
  }
}

static const char *kennel_read(const char *s, kennel_json *json) {
  s = kennel_skip(s);
  if (!strncmp(s, "null", 4)) return s + 4;
  if (!strncmp(s, "true", 4) || !strncmp(s, "false", 5)) {
    json->type = KENNEL_BOOL;
    json->number = *s == 't';
    return s + (*s == 't' ? 4 : 5);
  }
  if (*s == '"') {
    json->type = KENNEL_STRING;
    return kennel_read_text(s + 1, &json->text);
  }
  if (*s == '[' || *s == '{') {
    json->type = *s == '{' ? KENNEL_OBJECT : KENNEL_ARRAY;
    return kennel_read_parts(s + 1, json, *s == '{' ? '}' : ']');
  }
  char *end;
  json->type = KENNEL_NUMBER;
  json->number = strtod(s, &end);
  return end == s ? NULL : end;
}

kennel_json *kennel_parse(const char *text) {
  kennel_json *json = kennel_need(calloc(1, sizeof *json));
  const char *end = kennel_read(text, json);
  if (end && !*kennel_skip(end)) return json;
  kennel_free(json);
  return NULL;
}

void kennel_free(kennel_json *json) {
  while (json) {
    kennel_json *next = json->next;
    kennel_free(json->first);
    free(json->text);
    free(json->name);
    free(json);
    json = next;
  }
}

kennel_json *kennel_member(const kennel_json *object, const char *name) {
  if (!object || object->type != KENNEL_OBJECT) return NULL;
  for (kennel_json *each = object->first; each; each = each->next)
    if (!strcmp(each->name, name)) return each;
  return NULL;
}

const char *kennel_text(const kennel_json *object, const char *name, const char *otherwise) {
  kennel_json *member = kennel_member(object, name);
  return member && member->type == KENNEL_STRING ? member->text : otherwise;
}

/* -- Telling what the client does ------------------------------------------------------------- */

/* What the application does in a callback to come: the operation `on`. */
typedef struct kennel_reaction {
  kennel_json *stated; /* what it has to do, and where; its own copy */
  int nth;
  struct kennel_reaction *next;
} kennel_reaction;

typedef struct kennel_process {
  char *name;
  void *client;
  kennel_reaction *reactions; /* in the order in which they were stated */
  struct kennel_process *next;
} kennel_process;

static kennel_process *kennel_processes;
static kennel_buffer kennel_output;
/* Whose turn it is, and at which time. */
static const kennel_client *kennel_caller;
static kennel_process *kennel_current;
static double kennel_now;

static void kennel_react(const char *callback, const char *name, const char *event);

void kennel_emit(const char *json) {
  kennel_append(&kennel_output, json);
  kennel_append(&kennel_output, "\n");
}

/* Tells `{"verb": {"name": text, ...}}`. Pairs of a name and a text follow, then NULL; a name that
 * begins with `=` is followed by JSON instead, and one with JSON that is NULL is left out. */
static void kennel_tell(const char *verb, const char *const *pairs) {
  kennel_buffer b = {0};
  const char *separator = "";
  kennel_append(&b, "{");
  kennel_append_quoted(&b, verb);
  kennel_append(&b, ":{");
  for (; *pairs; pairs += 2) {
    int is_json = pairs[0][0] == '=';
    if (is_json && !pairs[1]) continue;
    kennel_append(&b, separator);
    kennel_append_quoted(&b, pairs[0] + is_json);
    kennel_append(&b, ":");
    if (is_json) kennel_append(&b, pairs[1]);
    else kennel_append_quoted(&b, pairs[1]);
    separator = ",";
  }
  kennel_append(&b, "}}");
  kennel_emit(b.text);
  free(b.text);
}

#define KENNEL_TELL(verb, ...) kennel_tell(verb, (const char *const[]){__VA_ARGS__, NULL})

void kennel_connect(const char *host) {
  if (host) KENNEL_TELL("connect", "host", host);
  else kennel_emit("{\"connect\":{}}");
}

void kennel_disconnect(void) { kennel_emit("{\"disconnect\":{}}"); }

void kennel_send(const char *json) {
  kennel_buffer b = {0};
  kennel_append(&b, "{\"send\":");
  kennel_append(&b, json);
  kennel_append(&b, "}");
  kennel_emit(b.text);
  free(b.text);
}

void kennel_set_timer(int timer, double after, const char *label) {
  char number[20], interval[40];
  snprintf(number, sizeof number, "%d", timer);
  snprintf(interval, sizeof interval, "%.6f", after);
  KENNEL_TELL("setTimer", "=timer", number, "=after", interval, "label", label);
}

void kennel_cancel_timer(int timer) {
  char number[20];
  snprintf(number, sizeof number, "%d", timer);
  KENNEL_TELL("cancelTimer", "=timer", number);
}

void kennel_event(const char *listener, const char *type, const char *key, const char *previous,
                  const char *value) {
  KENNEL_TELL("event", "listener", listener, "type", type, "key", key, "=prev", previous,
              "=value", value);
  kennel_react("listener", listener, type);
}

void kennel_cancelled(const char *listener, const char *error) {
  KENNEL_TELL("cancelled", "listener", listener, "error", error);
  kennel_react("cancel", listener, NULL);
}

void kennel_completed(const char *call, const char *error) {
  KENNEL_TELL("completed", "call", call, "error", error);
  kennel_react("completion", call, NULL);
}

void kennel_update_ran(const char *call, const char *input) {
  KENNEL_TELL("updateRan", "call", call, "=input", input);
  kennel_react("function", call, NULL);
}

void kennel_answered(const char *call, const char *json) {
  KENNEL_TELL("answered", "call", call, "=value", json);
}

void kennel_threw(const char *call, const char *error) {
  KENNEL_TELL("threw", "call", call, "error", error);
}

void kennel_store(const char *key, const char *text) { KENNEL_TELL("store", "key", key, "text", text); }
void kennel_erase(const char *key) { KENNEL_TELL("erase", "key", key); }
void kennel_uncaught(const char *message, const char *type, const char *stack) {
  KENNEL_TELL("uncaught", "message", message, "type", type ? type : "exception", "stack",
              stack ? stack : "");
}
void kennel_log(const char *text) { KENNEL_TELL("log", "text", text); }

/* -- The conversation ------------------------------------------------------------------------- */

static char kennel_profile[32];

/* Notes what is to be done in a callback. */
static void kennel_state(kennel_process *process, const kennel_json *reaction) {
  kennel_reaction **last = &process->reactions;
  while (*last) last = &(*last)->next;
  char *text = kennel_print(reaction);
  const kennel_json *nth = kennel_member(reaction, "nth");
  *last = kennel_need(calloc(1, sizeof **last));
  (*last)->stated = kennel_parse(text);
  (*last)->nth = nth ? (int)nth->number : 1;
  free(text);
}

static void kennel_forget(kennel_reaction *reactions) {
  while (reactions) {
    kennel_reaction *next = reactions->next;
    kennel_free(reactions->stated), free(reactions);
    reactions = next;
  }
}

/* Makes the calls of a callback that has just come, before it returns to the client. */
static void kennel_react(const char *callback, const char *name, const char *event) {
  kennel_reaction *now = NULL, **last = &now;
  kennel_process *process = kennel_current;
  for (kennel_reaction **each = process ? &process->reactions : NULL; each && *each;) {
    kennel_reaction *reaction = *each;
    const char *type = kennel_text(reaction->stated, "event", NULL);
    int is_meant = !strcmp(kennel_text(reaction->stated, callback, ""), name)
                   && (!type || (event && !strcmp(type, event)));
    if (is_meant && --reaction->nth == 0) {
      *each = reaction->next, reaction->next = NULL;
      *last = reaction, last = &reaction->next;
    } else each = &reaction->next;
  }
  for (kennel_reaction *reaction = now; reaction; reaction = reaction->next) {
    const kennel_json *call = kennel_member(reaction->stated, "do");
    for (call = call ? call->first : NULL; call; call = call->next) {
      const char *id = kennel_text(call, "id", "");
      KENNEL_TELL("calling", "call", id);
      kennel_caller->call(process->client, id, kennel_text(call, "op", ""), call, kennel_now);
      KENNEL_TELL("returned", "call", id);
    }
  }
  kennel_forget(now);
}

static void kennel_hello(const kennel_client *c) {
  kennel_buffer list = {0};
  kennel_append(&list, "[");
  for (const char *const *each = c->capabilities; *each; each++) {
    kennel_append_quoted(&list, *each);
    kennel_append(&list, each[1] ? "," : "");
  }
  kennel_append(&list, "]");
  /* Revision 6 adds the capability frames, several messages in one request, which this file does not offer. */
  KENNEL_TELL("hello", "=protocol", "1", "=revision", "6", "name", c->name, "version", c->version, "=capabilities",
              list.text);
  free(list.text);
}

/* The process of a client; with `makes`, a new one where there is none. */
static kennel_process *kennel_find(const char *name, int makes) {
  kennel_process *each = kennel_processes;
  while (each && strcmp(each->name, name)) each = each->next;
  if (each || !makes) return each;
  each = kennel_need(calloc(1, sizeof *each));
  each->name = strcpy(kennel_need(malloc(strlen(name) + 1)), name);
  each->next = kennel_processes;
  return kennel_processes = each;
}

static void kennel_end(const kennel_client *c, kennel_process *process) {
  if (process && process->client) c->kill(process->client);
  if (!process) return;
  process->client = NULL;
  kennel_forget(process->reactions);
  process->reactions = NULL;
}

/* Carries out one request; returns 0 where it is not known. */
static int kennel_answer(const kennel_client *c, const kennel_json *request) {
  const kennel_json *verb = request->first, *now = kennel_member(request, "now");
  while (verb && (!strcmp(verb->name, "id") || !strcmp(verb->name, "client") || verb == now))
    verb = verb->next;
  const char *name = kennel_text(request, "client", ""), *what = verb ? verb->name : "";
  double time = now ? now->number : 0;
  kennel_process *process = kennel_find(name, !strcmp(what, "open"));
  void *client = process ? process->client : NULL;
  kennel_caller = c, kennel_current = process, kennel_now = time;
  if (!strcmp(what, "hello") || !strcmp(what, "reset")) {
    for (process = kennel_processes; process; process = process->next) kennel_end(c, process);
    snprintf(kennel_profile, sizeof kennel_profile, "%s", kennel_text(verb, "profile", ""));
    if (!strcmp(what, "hello")) kennel_hello(c);
  } else if (!strcmp(what, "open")) {
    kennel_end(c, process);
    process->client = c->open(kennel_profile, verb, time);
  } else if (!client) return 0;
  else if (!strcmp(what, "kill")) kennel_end(c, process);
  else if (!strcmp(what, "opened")) c->opened(client, time);
  else if (!strcmp(what, "refused") || !strcmp(what, "closed")) c->ended(client, time);
  else if (!strcmp(what, "frame")) c->frame(client, verb, time);
  else if (!strcmp(what, "timer")) c->timer(client, (int)kennel_member(verb, "timer")->number, time);
  else if (!strcmp(what, "call") && !strcmp(kennel_text(verb, "op", ""), "on"))
    kennel_state(process, verb);
  else if (!strcmp(what, "call"))
    return c->call(client, kennel_text(verb, "id", ""), kennel_text(verb, "op", ""), verb, time);
  else return 0;
  return 1;
}

/* Reads one line without its end; returns 0 at the end of the input. */
static int kennel_read_line(FILE *source, kennel_buffer *line) {
  char chunk[65536];
  line->length = 0;
  while (fgets(chunk, sizeof chunk, source)) {
    kennel_append(line, chunk);
    if (line->text[line->length - 1] == '\n') return 1;
  }
  return 0;
}

int kennel_run(const kennel_client *c) {
  const char *descriptor = getenv("KENNEL_FD");
  FILE *target = descriptor ? fopen("/dev/null", "w") : stdout;
  kennel_buffer line = {0};
  if (descriptor) {
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", atoi(descriptor));
    target = freopen(path, "w", target);
  }
  while (target && kennel_read_line(stdin, &line)) {
    kennel_json *request = kennel_parse(line.text);
    const kennel_json *id = kennel_member(request, "id");
    if (id && !kennel_answer(c, request))
      kennel_emit("{\"error\":{\"code\":\"not-supported\",\"message\":\"not known here\"}}");
    if (id) {
      fputs(kennel_output.length ? kennel_output.text : "", target);
      fprintf(target, "{\"idle\":%.0f}\n", id->number);
      fflush(target);
    }
    kennel_output.length = 0;
    kennel_free(request);
    if (!id) break; /* bye, or a line that Kennel does not write */
  }
  while (kennel_processes) {
    kennel_process *each = kennel_processes;
    kennel_end(c, each);
    kennel_processes = each->next;
    free(each->name), free(each);
  }
  free(line.text), free(kennel_output.text);
  kennel_output = (kennel_buffer){0};
  return 0;
}

#endif
