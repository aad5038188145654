/* A thin client that can listen to whole values, get and set them, and no more, driven by Kennel.
 *
 *     cc -std=c99 -o example example.c -lm
 *     kennel run writes -- ./example
 *
 * To drive a client of your own, put its calls where this one has those of thin_client.h, and name
 * in `capabilities` what it can do. Scenarios that need anything else are not run.
 */
#define KENNEL_ADAPTER_IMPLEMENTATION
#include "kennel_adapter.h"

#include "thin_client.h"

static void *thin_open(const char *profile, const kennel_json *opening, double now) {
  (void)profile, (void)opening, (void)now;
  kennel_connect(NULL);
  return kennel_need(calloc(1, sizeof(thin_client)));
}

static void thin_kill(void *client) {
  thin_client *c = client;
  for (entry *e = c->writes, *next; e; e = next) next = e->next, free_entry(e);
  for (entry *e = c->listeners, *next; e; e = next) next = e->next, free_entry(e);
  for (entry *e = c->gets, *next; e; e = next) next = e->next, free_entry(e);
  kennel_free(c->server);
  free(c);
}

static void thin_opened(void *client, double now) { (void)client, (void)now; }

static void thin_ended(void *client, double now) {
  (void)now;
  ((thin_client *)client)->is_ready = 0;
  kennel_set_timer(BACK_OFF, 1000, "back-off");
}

static void thin_timer(void *client, int timer, double now) {
  (void)client, (void)now;
  if (timer == BACK_OFF) kennel_connect(NULL);
}

static void thin_frame(void *client, const kennel_json *message, double now) {
  thin_client *c = client;
  (void)now;
  const kennel_json *content = kennel_member(message, "d");
  const kennel_json *number = kennel_member(content, "r"), *body = kennel_member(content, "b");
  const char *action = kennel_text(content, "a", "");
  if (!strcmp(kennel_text(content, "t", ""), "h")) { /* the greeting */
    c->is_ready = 1;
    for (entry *l = c->listeners; l; l = l->next) ask_for(c, l);
    for (entry *w = c->writes; w; w = w->next) w->request = request(c, "p", w->path, "d", w->text);
    for (entry *g = c->gets; g; g = g->next) g->request = request(c, "g", g->path, "q", "{}");
  } else if (!strcmp(kennel_text(content, "t", ""), "s")) { /* it sends the client away */
    c->is_ready = 0;
    kennel_disconnect();
  } else if (number) {
    finish(c, (int)number->number, kennel_text(body, "s", ""), kennel_member(body, "d"));
    show(c);
  } else if (!strcmp(action, "d")) {
    char *path = normal_path(kennel_text(body, "p", ""));
    c->server = put(c->server, path, normal(kennel_member(body, "d")));
    free(path);
    show(c);
  } else if (!strcmp(action, "c")) { /* the server ended a listen */
    char *path = normal_path(kennel_text(body, "p", ""));
    remove_listeners(c, NULL, path, "permission_denied");
    free(path);
  } else if (!strcmp(action, "m")) {
    for (const kennel_json *each = kennel_member(body, "d")->first; each; each = each->next) {
      kennel_buffer b = {0};
      char *path = normal_path(kennel_text(body, "p", ""));
      kennel_append(&b, path);
      kennel_append(&b, "/");
      kennel_append(&b, each->name);
      c->server = put(c->server, b.text, normal(each));
      free(path), free(b.text);
    }
    show(c);
  }
}

static int thin_call(void *client, const char *id, const char *op, const kennel_json *arguments,
                     double now) {
  thin_client *c = client;
  (void)now;
  char *path = normal_path(kennel_text(arguments, "path", ""));
  int is_write = !strcmp(op, "set") || !strcmp(op, "remove");
  if (is_bad_path(path)) {
    kennel_threw(id, "invalid_path");
  } else if (is_write && is_bad_value(kennel_member(arguments, "value"), depth_of(path))) {
    kennel_threw(id, "invalid_value");
  } else if (!strcmp(op, "listen")) {
    entry *listener = add(&c->listeners, kennel_text(arguments, "listener", ""), path, NULL);
    if (c->is_ready) ask_for(c, listener);
    for (entry *l = c->listeners; l != listener; l = l->next)
      if (l->is_known && is_within(path, l->path)) listener->is_known = 1;
    show(c);
  } else if (!strcmp(op, "get")) {
    entry *get = add(&c->gets, kennel_text(arguments, "listener", ""), path, NULL);
    if (c->is_ready) get->request = request(c, "g", path, "q", "{}");
  } else if (!strcmp(op, "unlisten")) {
    int has_path = kennel_member(arguments, "path") != NULL; /* then it must be there */
    remove_listeners(c, kennel_text(arguments, "listener", ""), has_path ? path : NULL, NULL);
  } else if (!strcmp(op, "unlisten-all")) {
    remove_listeners(c, NULL, path, NULL);
  } else if (is_write) {
    kennel_json *value = normal(kennel_member(arguments, "value"));
    char *text = value ? kennel_print(value) : copy("null");
    entry *write = add(&c->writes, id, path, text);
    if (c->is_ready) write->request = request(c, "p", path, "d", text);
    show(c);
    kennel_free(value), free(text);
  } else {
    free(path);
    return 0;
  }
  free(path);
  return 1;
}

static const char *const capabilities[] = {"listen.value", "set", "get", "reset", NULL};

int main(void) {
  kennel_client client = {"c-example", "1.0", capabilities, thin_open, thin_kill, thin_opened,
                          thin_ended, thin_frame, thin_timer, thin_call};
  return kennel_run(&client);
}
