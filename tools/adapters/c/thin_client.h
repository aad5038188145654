/* thin_client.h: a client that can listen to whole values, get them and set them, and no more.
 *
 * A tree with what the server said, the writes that it has not answered, and the listeners. After
 * everything that happens each listener is shown its place anew, where that differs from before.
 */
#include "kennel_adapter.h"

enum { BACK_OFF = 1 };

typedef struct entry {
  char *name;          /* of the listener or the get, or the call that wrote */
  char *path;          /* with a slash in front of each key; the root is "" */
  char *text;          /* what a listener was shown last; what a write sets */
  int request;         /* which request it was last asked for with */
  int is_known;        /* of a listener: whether the server has answered */
  struct entry *next;
} entry;

typedef struct {
  kennel_json *server; /* what the server said; of places that nobody listens to, old or nothing */
  entry *writes, *listeners, *gets;
  int is_ready, last_request;
} thin_client;

static char *copy(const char *text) {
  return strcpy(kennel_need(malloc(strlen(text) + 1)), text);
}

static entry *add(entry **list, const char *name, const char *path, const char *text) {
  while (*list) list = &(*list)->next;
  *list = kennel_need(calloc(1, sizeof **list));
  (*list)->name = copy(name);
  (*list)->path = copy(path);
  (*list)->text = text ? copy(text) : NULL;
  return *list;
}

static void free_entry(entry *e) {
  free(e->name), free(e->path), free(e->text), free(e);
}

/* Paths come with or without a slash in front; the root is "/" or "". */
static char *normal_path(const char *path) {
  kennel_buffer b = {0};
  if (*path && *path != '/') kennel_append(&b, "/");
  kennel_append(&b, strcmp(path, "/") ? path : "");
  return b.text;
}

static int is_within(const char *path, const char *ancestor) {
  size_t length = strlen(ancestor);
  return !strncmp(path, ancestor, length) && (path[length] == 0 || path[length] == '/');
}

static int is_nothing(const kennel_json *json) {
  return !json || json->type == KENNEL_NULL || (json->type == KENNEL_OBJECT && !json->first);
}

/* The member that the first key of `path` names; `rest` is what follows. */
static kennel_json *step(kennel_json *tree, const char *path, char *key, size_t size,
                         const char **rest) {
  size_t length = strcspn(path + 1, "/");
  snprintf(key, size, "%.*s", (int)length, path + 1);
  *rest = path + 1 + length;
  return kennel_member(tree, key);
}

static kennel_json *find(kennel_json *tree, const char *path) {
  char key[1024];
  while (tree && *path) tree = step(tree, path, key, sizeof key, &path);
  return tree;
}

/* Takes a member out of its object. */
static void take_out(kennel_json *object, kennel_json *member) {
  kennel_json **link = &object->first;
  while (*link != member) link = &(*link)->next;
  *link = member->next;
  member->next = NULL;
  kennel_free(member);
}

/* Puts a value in the place of what is at `path`; `value` is taken over. Members stay in the
 * order of their names, so that equal trees have equal texts. */
static kennel_json *put(kennel_json *tree, const char *path, kennel_json *value) {
  if (!*path) {
    kennel_free(tree);
    return value;
  }
  if (is_nothing(value) && (!tree || tree->type != KENNEL_OBJECT)) {
    kennel_free(value); /* there is nothing below a leaf to take away */
    return tree;
  }
  if (!tree || tree->type != KENNEL_OBJECT) {
    kennel_free(tree);
    tree = kennel_need(calloc(1, sizeof *tree));
    tree->type = KENNEL_OBJECT;
  }
  char key[1024];
  const char *rest;
  kennel_json *old = step(tree, path, key, sizeof key, &rest);
  kennel_json *child = NULL;
  if (old) {
    kennel_json kept = *old; /* its content goes on in a value of its own */
    child = kennel_need(malloc(sizeof *child));
    *child = kept;
    child->name = NULL, child->next = NULL;
    old->first = NULL, old->text = NULL;
    take_out(tree, old);
  }
  child = put(child, rest, value);
  if (is_nothing(child)) {
    kennel_free(child);
    return tree;
  }
  child->name = copy(key);
  kennel_json **link = &tree->first;
  while (*link && strcmp((*link)->name, key) < 0) link = &(*link)->next;
  child->next = *link;
  *link = child;
  return tree;
}

/* The same value with the members in order and without what is nothing. */
static kennel_json *normal(const kennel_json *json) {
  kennel_json *tree = NULL;
  char path[1100];
  if (json && json->type == KENNEL_OBJECT) {
    for (const kennel_json *each = json->first; each; each = each->next) {
      snprintf(path, sizeof path, "/%s", each->name);
      tree = put(tree, path, normal(each));
    }
    return tree;
  }
  char *text = kennel_print(json);
  tree = kennel_parse(text);
  free(text);
  return tree;
}

/* How many keys a path has. */
static int depth_of(const char *path) {
  int depth = 0;
  for (; *path; path++) depth += *path == '/';
  return depth;
}

/* Raises a value for a listener or a get. */
static void raise_value(const entry *e, const char *text) {
  const char *key = strrchr(e->path, '/');
  kennel_event(e->name, "value", key ? key + 1 : NULL, NULL, text);
}

/* Shows a listener its place, where that is known and not as it was. */
static void show_to(thin_client *c, entry *l, kennel_json *local) {
  int is_known = l->is_known;
  for (entry *w = c->writes; w; w = w->next) is_known |= is_within(l->path, w->path);
  kennel_json *value = find(local, l->path);
  char *text = is_nothing(value) ? copy("null") : kennel_print(value);
  if (is_known && (!l->text || strcmp(text, l->text))) {
    free(l->text);
    l->text = copy(text);
    raise_value(l, text);
  }
  free(text);
}

/* What the client shows: what the server said with the pending writes on top. The deepest listeners
 * are told first. */
static void show(thin_client *c) {
  char *server = kennel_print(c->server);
  kennel_json *local = kennel_parse(server);
  free(server);
  for (entry *w = c->writes; w; w = w->next) local = put(local, w->path, kennel_parse(w->text));
  for (int depth = 32; depth >= 0; depth--)
    for (entry *l = c->listeners; l; l = l->next)
      if (depth_of(l->path) == depth) show_to(c, l, local);
  kennel_free(local);
}

/* Sends a request about a place, with one more member if `name` is not NULL; returns its number. */
static int request(thin_client *c, const char *action, const char *path, const char *name,
                   const char *json) {
  kennel_buffer b = {0};
  char head[80];
  snprintf(head, sizeof head, "{\"t\":\"d\",\"d\":{\"r\":%d,\"a\":\"%s\",\"b\":{\"p\":",
           ++c->last_request, action);
  kennel_append(&b, head);
  kennel_append_quoted(&b, *path ? path : "/");
  if (name) {
    kennel_append(&b, ",");
    kennel_append_quoted(&b, name);
    kennel_append(&b, ":");
    kennel_append(&b, json);
  }
  kennel_append(&b, "}}}");
  kennel_send(b.text);
  free(b.text);
  return c->last_request;
}

/* Whether a place is one that the database does not have: 32 keys and 768 bytes are the most. */
static int is_bad_path(const char *path) {
  for (const char *s = path; *s; s++)
    if (strchr(".#$[]\x7f", *s) || (unsigned char)*s < 0x20) return 1;
  return depth_of(path) > 32 || strlen(path) > 769;
}

/* Whether a value has children that the database does not take below `path`. */
static int is_bad_value(const kennel_json *value, int depth) {
  if (!value || value->type != KENNEL_OBJECT) return depth > 32;
  for (const kennel_json *each = value->first; each; each = each->next) {
    int is_special = !strcmp(each->name, ".value") || !strcmp(each->name, ".priority");
    if (!*each->name || strchr(each->name, '/')) return 1;
    if (!is_special && (is_bad_path(each->name) || is_bad_value(each, depth + 1))) return 1;
  }
  return 0;
}

/* Asks for the data of a listener, unless they come along with those of an earlier one. */
static void ask_for(thin_client *c, entry *listener) {
  for (entry *l = c->listeners; l != listener; l = l->next)
    if (is_within(listener->path, l->path)) {
      listener->request = l->request;
      return;
    }
  listener->request = request(c, "q", listener->path, "h", "\"\"");
}

/* Removes the listeners with this name and at this place, where these are not NULL; with an error
 * they are told. When the listening that was asked for ends with them, the server is told, and the others
 * that it served are asked for anew. */
static void remove_listeners(thin_client *c, const char *name, const char *path, const char *error) {
  int ended = 0;
  for (entry **link = &c->listeners; *link;) {
    entry *l = *link;
    if ((name && strcmp(l->name, name)) || (path && strcmp(l->path, path))) {
      link = &l->next;
      continue;
    }
    *link = l->next;
    int is_served = 0;
    for (entry *other = c->listeners; other; other = other->next)
      is_served |= other->request == l->request && is_within(l->path, other->path);
    if (!is_served && c->is_ready) ended = l->request;
    if (ended && !error) request(c, "n", l->path, NULL, NULL);
    if (error) kennel_cancelled(l->name, error);
    free_entry(l);
  }
  for (entry *l = c->listeners; ended && l; l = l->next)
    if (l->request == ended) ask_for(c, l);
}

/* Takes the entry that asked with this request out of a list; NULL if there is none. */
static entry *take_asker(entry **list, int number) {
  while (*list && (*list)->request != number) list = &(*list)->next;
  entry *e = *list;
  if (e) *list = e->next;
  return e;
}

/* The server has answered a get: nothing but the get itself receives the data. */
static void finish_get(entry *get, const char *status, const kennel_json *data) {
  kennel_json *value = normal(data);
  char *text = is_nothing(value) ? copy("null") : kennel_print(value);
  if (strcmp(status, "ok")) kennel_cancelled(get->name, status);
  else raise_value(get, text);
  kennel_free(value), free(text), free_entry(get);
}

/* The server has answered a request. */
static void finish(thin_client *c, int number, const char *status, const kennel_json *data) {
  int is_ok = !strcmp(status, "ok");
  entry *get = take_asker(&c->gets, number);
  if (get) finish_get(get, status, data);
  for (entry *l = c->listeners, *next; l; l = next) {
    next = l->next;
    if (l->request != number) continue;
    l->is_known = 1;
    if (is_ok) continue;
    char *path = copy(l->path);
    remove_listeners(c, NULL, path, status);
    free(path);
    next = c->listeners;
  }
  entry *write = take_asker(&c->writes, number);
  if (!write) return;
  show(c);
  kennel_completed(write->name, is_ok ? NULL : status);
  free_entry(write);
}
