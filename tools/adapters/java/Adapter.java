// A thin client that can listen to whole values and set them, and no more, driven by Kennel.
//
//     kennel run writes -- java Adapter.java
//
// To drive a client of your own, put its calls where this one has those of ThinClient, and name in
// CAPABILITIES what it can do. Scenarios that need anything else are not run. It needs Java 17 or newer, and
// no library: Json below reads and writes what the protocol needs. Kotlin and Scala can use it as it is.

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.*;

public class Adapter {
  static final List<String> CAPABILITIES = List.of("listen.value", "set", "reset");
  static final int BACK_OFF = 1;

  static final PrintStream OUT =
      new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, StandardCharsets.UTF_8);

  /** Writes a line with a verb. */
  static void emit(String verb, Object content) {
    OUT.print(Json.text(Json.object(verb, content)));
    OUT.print('\n');
  }

  public static void main(String[] arguments) throws IOException {
    var clients = new HashMap<String, ThinClient>();
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = input.readLine()) != null; ) {
      var request = Json.map(Json.parse(line));
      if (request.containsKey("bye")) return;
      answer(request, clients);
      emit("idle", request.get("id"));
      OUT.flush();
    }
  }

  static void answer(Map<String, Object> request, Map<String, ThinClient> clients) {
    var name = (String) request.get("client");
    var client = clients.get(name);
    if (request.containsKey("hello")) {
      // Revision 6 adds the capability frames, several messages in one request, which is not declared here.
      emit("hello", Json.object("protocol", 1, "revision", 6, "name", "java-example", "version", "1.0", "capabilities", CAPABILITIES));
    } else if (request.containsKey("reset")) {
      clients.clear();
    } else if (request.containsKey("open")) {
      clients.put(name, new ThinClient());
    } else if (request.containsKey("kill")) {
      clients.remove(name);
    } else if (request.containsKey("opened")) {
      // The server's hello follows.
    } else if (request.containsKey("refused") || request.containsKey("closed")) {
      client.ended();
    } else if (request.containsKey("timer")) {
      if (((Number) Json.map(request.get("timer")).get("timer")).intValue() == BACK_OFF) emit("connect", Json.object());
    } else if (request.containsKey("frame")) {
      client.frame(Json.map(request.get("frame")));
    } else if (!request.containsKey("call") || !client.call(Json.map(request.get("call")))) {
      emit("error", Json.object("code", "not-supported", "message", "not known here"));
    }
  }

  // -- The client ----------------------------------------------------------------------------------

  /**
   * A tree with what the server sent, the writes that it has not answered, and the listeners. After everything
   * that happens each listener is shown its location again, where that differs from before.
   */
  static class ThinClient {
    static class Write {
      String call;
      List<String> path;
      Object value;
      int request;
    }

    static class Listener {
      String name;
      List<String> path;
      int request;
      boolean isKnown, isShown;
      Object shown;
    }

    private Object server;
    private final List<Write> writes = new ArrayList<>();
    private List<Listener> listeners = new ArrayList<>();
    private boolean isReady;
    private int lastRequest;

    ThinClient() {
      emit("connect", Json.object());
    }

    boolean call(Map<String, Object> call) {
      var id = (String) call.get("id");
      var op = (String) call.get("op");
      var path = keys(call.get("path"));
      var isWrite = op.equals("set") || op.equals("remove");
      if (isBad(path)) {
        emit("threw", Json.object("call", id, "error", "invalid_path"));
      } else if (isWrite && isBad(call.get("value"), path.size())) {
        emit("threw", Json.object("call", id, "error", "invalid_value"));
      } else if (isWrite) {
        write(id, path, normal(call.get("value")));
      } else if (op.equals("listen")) {
        listen((String) call.get("listener"), path);
      } else if (op.equals("unlisten")) {
        var name = call.get("listener");
        remove(null, l -> l.name.equals(name) && (!call.containsKey("path") || l.path.equals(path)));
      } else if (op.equals("unlisten-all")) {
        remove(null, l -> l.path.equals(path));
      } else {
        return false;
      }
      return true;
    }

    void frame(Map<String, Object> message) {
      var content = Json.map(message.get("d"));
      if ("c".equals(message.get("t"))) {
        control((String) content.get("t"));
      } else if (content.containsKey("r")) {
        finish(((Number) content.get("r")).intValue(), (String) Json.map(content.get("b")).get("s"));
      } else if (content.get("a") instanceof String action) {
        data(action, Json.map(content.get("b")));
      }
    }

    /** The connection was refused or lost. */
    void ended() {
      isReady = false;
      emit("setTimer", Json.object("timer", BACK_OFF, "after", 1000, "label", "back-off"));
    }

    private void control(String type) {
      if (type.equals("h")) {
        isReady = true;
        for (var listener : listeners) askFor(listener);
        for (var write : writes) send(write);
      } else if (type.equals("s")) {
        isReady = false;
        emit("disconnect", Json.object());
      }
    }

    private void data(String action, Map<String, Object> body) {
      var path = keys(body.get("p"));
      if (action.equals("d")) {
        server = put(server, path, normal(body.get("d")));
      } else if (action.equals("m")) {
        Json.map(body.get("d")).forEach((below, value) -> {
          var all = new ArrayList<>(path);
          all.addAll(keys(below));
          server = put(server, all, normal(value));
        });
      } else if (action.equals("c")) {
        remove("permission_denied", l -> l.path.equals(path));
      }
      show();
    }

    private void listen(String name, List<String> path) {
      var listener = new Listener();
      listener.name = name;
      listener.path = path;
      listener.isKnown = listeners.stream().anyMatch(l -> l.isKnown && isWithin(path, l.path));
      listeners.add(listener);
      if (isReady) askFor(listener);
      show();
    }

    private void write(String call, List<String> path, Object value) {
      var write = new Write();
      write.call = call;
      write.path = path;
      write.value = value;
      writes.add(write);
      if (isReady) send(write);
      show();
    }

    /** Asks for the data of a listener, unless they come along with those of an earlier one. */
    private void askFor(Listener listener) {
      for (var other : listeners) {
        if (other == listener) break;
        if (isWithin(listener.path, other.path)) {
          listener.request = other.request;
          return;
        }
      }
      listener.request = request("q", listener.path, "h", "");
    }

    private void send(Write write) {
      write.request = request("p", write.path, "d", write.value);
    }

    private int request(String action, List<String> path, Object... more) {
      var body = Json.object("p", "/" + String.join("/", path));
      body.putAll(Json.object(more));
      lastRequest += 1;
      emit("send", Json.object("t", "d", "d", Json.object("r", lastRequest, "a", action, "b", body)));
      return lastRequest;
    }

    /**
     * Removes listeners; with an error they receive it. When what was asked for ends with them, the server receives
     * that, and the others that it served are asked for again.
     */
    private void remove(String error, Predicate<Listener> isMeant) {
      var ended = new HashSet<Integer>();
      for (var listener : listeners.stream().filter(isMeant).toList()) {
        listeners = new ArrayList<>(listeners.stream().filter(l -> l != listener).toList());
        var isServed =
            listeners.stream().anyMatch(l -> l.request == listener.request && isWithin(listener.path, l.path));
        if (isReady && !isServed) {
          ended.add(listener.request);
          if (error == null) request("n", listener.path);
        }
        if (error != null) emit("cancelled", Json.object("listener", listener.name, "error", error));
      }
      for (var listener : listeners) if (ended.contains(listener.request)) askFor(listener);
    }

    /** The server has answered a request. */
    private void finish(int number, String status) {
      var isOk = status.equals("ok");
      var served = listeners.stream().filter(l -> l.request == number).toList();
      for (var listener : served) listener.isKnown = true;
      if (!isOk) for (var listener : served) remove(status, l -> l.path.equals(listener.path));
      var write = writes.stream().filter(w -> w.request == number).findFirst();
      write.ifPresent(writes::remove);
      show();
      write.ifPresent(w -> emit("completed", Json.object("call", w.call, "error", isOk ? null : status)));
    }

    /** A listener sees what the server sent with the pending writes on top; the deepest ones are first. */
    private void show() {
      var local = server;
      for (var write : writes) local = put(local, write.path, write.value);
      var deepestFirst = new ArrayList<>(listeners);
      deepestFirst.sort(Comparator.comparingInt(l -> -l.path.size()));
      for (var listener : deepestFirst) {
        var isKnown = listener.isKnown || writes.stream().anyMatch(w -> isWithin(listener.path, w.path));
        var value = local;
        for (var key : listener.path) value = value instanceof Map<?, ?> children ? children.get(key) : null;
        if (!isKnown || listener.isShown && Objects.equals(listener.shown, value)) continue;
        listener.isShown = true;
        listener.shown = value;
        var key = listener.path.isEmpty() ? null : listener.path.get(listener.path.size() - 1);
        emit("event", Json.object("listener", listener.name, "type", "value", "key", key, "value", value));
      }
    }

    private static List<String> keys(Object path) {
      return path == null ? List.of() : Arrays.stream(((String) path).split("/")).filter(k -> !k.isEmpty()).toList();
    }

    private static boolean isWithin(List<String> path, List<String> ancestor) {
      return path.size() >= ancestor.size() && path.subList(0, ancestor.size()).equals(ancestor);
    }

    /** The tree with a value in place of what is at a path. Trees are never changed. */
    private static Object put(Object tree, List<String> path, Object value) {
      if (path.isEmpty()) return value;
      if (value == null && !(tree instanceof Map)) return tree;
      var children = tree instanceof Map ? new TreeMap<>(Json.map(tree)) : new TreeMap<String, Object>();
      var child = put(children.get(path.get(0)), path.subList(1, path.size()), value);
      if (child == null) children.remove(path.get(0));
      else children.put(path.get(0), child);
      return children.isEmpty() ? null : children;
    }

    /** The value without what is nothing. */
    private static Object normal(Object value) {
      if (!(value instanceof Map)) return value;
      Object tree = null;
      for (var child : Json.map(value).entrySet()) tree = put(tree, List.of(child.getKey()), normal(child.getValue()));
      return tree;
    }

    private static boolean isBadKey(String key) {
      return key.chars().anyMatch(c -> c < 0x20 || c == 0x7f || ".#$[]".indexOf(c) >= 0);
    }

    private static boolean isBad(List<String> path) {
      return path.size() > 32
          || String.join("/", path).getBytes(StandardCharsets.UTF_8).length > 768
          || path.stream().anyMatch(ThinClient::isBadKey);
    }

    private static boolean isBad(Object value, int depth) {
      if (!(value instanceof Map)) return depth > 32;
      return Json.map(value).entrySet().stream().anyMatch(child -> {
        var key = child.getKey();
        if (key.isEmpty() || key.contains("/")) return true;
        if (key.equals(".value") || key.equals(".priority")) return false;
        return isBadKey(key) || isBad(child.getValue(), depth + 1);
      });
    }
  }

  // -- JSON ----------------------------------------------------------------------------------------

  /** JSON as maps, lists, texts, doubles, booleans and null. */
  static class Json {
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    /** Names and values in turn. */
    static Map<String, Object> object(Object... members) {
      var map = new LinkedHashMap<String, Object>();
      for (int i = 0; i < members.length; i += 2) map.put((String) members[i], members[i + 1]);
      return map;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
      return (Map<String, Object>) value;
    }

    static Object parse(String text) {
      return new Json(text).value();
    }

    private Object value() {
      space();
      switch (text.charAt(at)) {
        case '{' -> {
          var map = new LinkedHashMap<String, Object>();
          for (at += 1; !ends('}'); ) {
            var name = string();
            space();
            at += 1;
            map.put(name, value());
          }
          return map;
        }
        case '[' -> {
          var list = new ArrayList<Object>();
          for (at += 1; !ends(']'); ) list.add(value());
          return list;
        }
        case '"' -> {
          return string();
        }
        default -> {
          int start = at;
          while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at += 1;
          var word = text.substring(start, at);
          return switch (word) {
            case "null" -> null;
            case "true", "false" -> word.equals("true");
            default -> Double.valueOf(word);
          };
        }
      }
    }

    private void space() {
      while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
    }

    /** Whether a list or an object is over; the comma between two members is passed. */
    private boolean ends(char bracket) {
      space();
      if (text.charAt(at) == ',') at += 1;
      space();
      if (text.charAt(at) != bracket) return false;
      at += 1;
      return true;
    }

    private String string() {
      var result = new StringBuilder();
      for (at += 1; text.charAt(at) != '"'; at += 1) {
        if (text.charAt(at) != '\\') {
          result.append(text.charAt(at));
          continue;
        }
        at += 1;
        switch (text.charAt(at)) {
          case 'n' -> result.append('\n');
          case 't' -> result.append('\t');
          case 'r' -> result.append('\r');
          case 'b' -> result.append('\b');
          case 'f' -> result.append('\f');
          case 'u' -> {
            result.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
            at += 4;
          }
          default -> result.append(text.charAt(at));
        }
      }
      at += 1;
      return result.toString();
    }

    static String text(Object value) {
      var result = new StringBuilder();
      write(value, result);
      return result.toString();
    }

    private static void write(Object value, StringBuilder result) {
      if (value instanceof Map) {
        var separator = "{";
        if (map(value).isEmpty()) result.append(separator);
        for (var member : map(value).entrySet()) {
          result.append(separator);
          write(member.getKey(), result);
          result.append(':');
          write(member.getValue(), result);
          separator = ",";
        }
        result.append('}');
      } else if (value instanceof List<?> list) {
        var separator = "[";
        if (list.isEmpty()) result.append(separator);
        for (var element : list) {
          result.append(separator);
          write(element, result);
          separator = ",";
        }
        result.append(']');
      } else if (value instanceof String string) {
        result.append('"');
        for (char c : string.toCharArray()) {
          if (c == '"' || c == '\\') result.append('\\').append(c);
          else if (c < 0x20) result.append(String.format("\\u%04x", (int) c));
          else result.append(c);
        }
        result.append('"');
      } else if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
        result.append(number.longValue());
      } else {
        result.append(value);
      }
    }
  }
}
