// A thin client that can listen to whole values and set them, and no more, driven by Kennel.
//
//     mcs -out:Adapter.exe Adapter.cs          with .NET: dotnet new console, and this file as Program.cs
//     kennel run writes -- mono Adapter.exe
//
// To drive a client of your own, put its calls where this one has those of ThinClient, and name in Capabilities
// what it can do. Scenarios that need anything else are not run. It needs C# 7 and no package: Json below reads
// and writes what the protocol needs.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Map = System.Collections.Generic.SortedDictionary<string, object>;

static class Adapter {
  static readonly List<object> Capabilities = new List<object> { "listen.value", "set", "reset" };
  public const double BackOff = 1;

  static readonly StreamWriter Out = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 65536);

  /// Writes a line with a verb.
  public static void Emit(string verb, object content) {
    Out.Write(Json.Text(Json.Object(verb, content)));
    Out.Write('\n');
  }

  static void Main() {
    var clients = new Dictionary<string, ThinClient>();
    var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
    for (string line; (line = input.ReadLine()) != null;) {
      var request = (Map)Json.Parse(line);
      if (request.ContainsKey("bye")) return;
      Answer(request, clients);
      Emit("idle", request.Get("id"));
      Out.Flush();
    }
  }

  static void Answer(Map request, Dictionary<string, ThinClient> clients) {
    var name = (string)request.Get("client") ?? "";
    clients.TryGetValue(name, out var client);
    if (request.ContainsKey("hello")) {
      // Revision 6 adds the capability frames, several messages in one request, which is not declared here.
      Emit("hello", Json.Object(
        "protocol", 1.0, "revision", 6.0, "name", "csharp-example", "version", "1.0", "capabilities", Capabilities));
    } else if (request.ContainsKey("reset")) {
      clients.Clear();
    } else if (request.ContainsKey("open")) {
      clients[name] = new ThinClient();
    } else if (request.ContainsKey("kill")) {
      clients.Remove(name);
    } else if (request.ContainsKey("opened")) {
      // The server's hello follows.
    } else if (request.ContainsKey("refused") || request.ContainsKey("closed")) {
      client.Ended();
    } else if (request.ContainsKey("timer")) {
      if ((double)((Map)request["timer"])["timer"] == BackOff) Emit("connect", Json.Object());
    } else if (request.ContainsKey("frame")) {
      client.Frame((Map)request["frame"]);
    } else if (!request.ContainsKey("call") || !client.Call((Map)request["call"])) {
      Emit("error", Json.Object("code", "not-supported", "message", "not known here"));
    }
  }
}

// -- The client ----------------------------------------------------------------------------------

/// A tree with what the server sent, the writes that it has not answered, and the listeners. After everything
/// that happens each listener is shown its location again, where that differs from before.
class ThinClient {
  class Write {
    public string Call;
    public string[] Path;
    public object Value;
    public int Request;
  }

  class Listener {
    public string Name;
    public string[] Path;
    public int Request;
    public bool IsKnown, IsShown;
    public object Shown;
  }

  object server;
  readonly List<Write> writes = new List<Write>();
  readonly List<Listener> listeners = new List<Listener>();
  bool isReady;
  int lastRequest;

  public ThinClient() {
    Adapter.Emit("connect", Json.Object());
  }

  public bool Call(Map call) {
    var id = (string)call["id"];
    var op = (string)call["op"];
    var path = Keys(call.Get("path"));
    var isWrite = op == "set" || op == "remove";
    if (IsBad(path)) {
      Adapter.Emit("threw", Json.Object("call", id, "error", "invalid_path"));
    } else if (isWrite && IsBad(call.Get("value"), path.Length)) {
      Adapter.Emit("threw", Json.Object("call", id, "error", "invalid_value"));
    } else if (isWrite) {
      Set(id, path, Normal(call.Get("value")));
    } else if (op == "listen") {
      Listen((string)call["listener"], path);
    } else if (op == "unlisten") {
      var name = (string)call["listener"];
      Remove(null, l => l.Name == name && (!call.ContainsKey("path") || l.Path.SequenceEqual(path)));
    } else if (op == "unlisten-all") {
      Remove(null, l => l.Path.SequenceEqual(path));
    } else {
      return false;
    }
    return true;
  }

  public void Frame(Map message) {
    var content = (Map)message["d"];
    if ((string)message["t"] == "c") {
      Control((string)content["t"]);
    } else if (content.Get("r") is double number) {
      Finish((int)number, (string)((Map)content["b"])["s"]);
    } else if (content.Get("a") is string action) {
      Data(action, (Map)content["b"]);
    }
  }

  /// The connection was refused or lost.
  public void Ended() {
    isReady = false;
    Adapter.Emit("setTimer", Json.Object("timer", Adapter.BackOff, "after", 1000.0, "label", "back-off"));
  }

  void Control(string type) {
    if (type == "h") {
      isReady = true;
      foreach (var listener in listeners) AskFor(listener);
      foreach (var write in writes) Send(write);
    } else if (type == "s") {
      isReady = false;
      Adapter.Emit("disconnect", Json.Object());
    }
  }

  void Data(string action, Map body) {
    var path = Keys(body.Get("p"));
    if (action == "d") {
      server = Put(server, path, Normal(body.Get("d")));
    } else if (action == "m") {
      foreach (var child in (Map)body["d"])
        server = Put(server, path.Concat(Keys(child.Key)).ToArray(), Normal(child.Value));
    } else if (action == "c") {
      Remove("permission_denied", l => l.Path.SequenceEqual(path));
    }
    Show();
  }

  void Listen(string name, string[] path) {
    var isKnown = listeners.Any(l => l.IsKnown && IsWithin(path, l.Path));
    var listener = new Listener { Name = name, Path = path, IsKnown = isKnown };
    listeners.Add(listener);
    if (isReady) AskFor(listener);
    Show();
  }

  void Set(string call, string[] path, object value) {
    var write = new Write { Call = call, Path = path, Value = value };
    writes.Add(write);
    if (isReady) Send(write);
    Show();
  }

  /// Asks for the data of a listener, unless they come along with those of an earlier one.
  void AskFor(Listener listener) {
    var other = listeners.TakeWhile(l => l != listener).FirstOrDefault(l => IsWithin(listener.Path, l.Path));
    listener.Request = other?.Request ?? Request("q", listener.Path, Json.Object("h", ""));
  }

  void Send(Write write) {
    write.Request = Request("p", write.Path, Json.Object("d", write.Value));
  }

  int Request(string action, string[] path, Map body) {
    body["p"] = "/" + string.Join("/", path);
    lastRequest += 1;
    var content = Json.Object("r", (double)lastRequest, "a", action, "b", body);
    Adapter.Emit("send", Json.Object("t", "d", "d", content));
    return lastRequest;
  }

  /// Removes listeners; with an error they receive it. When what was asked for ends with them, the server receives
  /// that, and the others that it served are asked for again.
  void Remove(string error, Func<Listener, bool> isMeant) {
    var ended = new HashSet<int>();
    foreach (var listener in listeners.Where(isMeant).ToList()) {
      listeners.Remove(listener);
      var isServed = listeners.Any(l => l.Request == listener.Request && IsWithin(listener.Path, l.Path));
      if (isReady && !isServed) {
        ended.Add(listener.Request);
        if (error == null) Request("n", listener.Path, Json.Object());
      }
      if (error != null) Adapter.Emit("cancelled", Json.Object("listener", listener.Name, "error", error));
    }
    foreach (var listener in listeners) if (ended.Contains(listener.Request)) AskFor(listener);
  }

  /// The server has answered a request.
  void Finish(int number, string status) {
    var error = status == "ok" ? null : status;
    var served = listeners.Where(l => l.Request == number).ToList();
    foreach (var listener in served) listener.IsKnown = true;
    if (error != null) foreach (var listener in served) Remove(error, l => l.Path.SequenceEqual(listener.Path));
    var write = writes.Find(w => w.Request == number);
    writes.Remove(write);
    Show();
    if (write != null) Adapter.Emit("completed", Json.Object("call", write.Call, "error", error));
  }

  /// A listener sees what the server sent with the pending writes on top; the deepest ones are first.
  void Show() {
    var local = writes.Aggregate(server, (tree, write) => Put(tree, write.Path, write.Value));
    foreach (var listener in listeners.OrderByDescending(l => l.Path.Length).ToList()) {
      if (!listener.IsKnown && !writes.Any(w => IsWithin(listener.Path, w.Path))) continue;
      var value = listener.Path.Aggregate(local, (tree, child) => (tree as Map).Get(child));
      if (listener.IsShown && Json.AreEqual(listener.Shown, value)) continue;
      listener.IsShown = true;
      listener.Shown = value;
      var key = listener.Path.LastOrDefault();
      Adapter.Emit("event", Json.Object("listener", listener.Name, "type", "value", "key", key, "value", value));
    }
  }

  static string[] Keys(object path) {
    return ((string)path ?? "").Split(new[] { '/' }, StringSplitOptions.RemoveEmptyEntries);
  }

  static bool IsWithin(string[] path, string[] ancestor) {
    return path.Take(ancestor.Length).SequenceEqual(ancestor);
  }

  /// The tree with a value in place of what is at a path. Trees are never changed.
  static object Put(object tree, string[] path, object value) {
    if (path.Length == 0) return value;
    if (value == null && !(tree is Map)) return tree;
    var children = tree is Map old ? new Map(old, StringComparer.Ordinal) : new Map(StringComparer.Ordinal);
    var child = Put(children.Get(path[0]), path.Skip(1).ToArray(), value);
    if (child == null) children.Remove(path[0]);
    else children[path[0]] = child;
    return children.Count == 0 ? null : children;
  }

  /// The value without what is nothing.
  static object Normal(object value) {
    if (!(value is Map children)) return value;
    return children.Aggregate((object)null, (tree, child) => Put(tree, new[] { child.Key }, Normal(child.Value)));
  }

  static bool IsBadKey(string key) {
    return key.Any(c => c < 0x20 || c == 0x7f || ".#$[]".IndexOf(c) >= 0);
  }

  static bool IsBad(string[] path) {
    return path.Length > 32 || Encoding.UTF8.GetByteCount(string.Join("/", path)) > 768 || path.Any(IsBadKey);
  }

  static bool IsBad(object value, int depth) {
    if (!(value is Map children)) return depth > 32;
    return children.Any(child => {
      if (child.Key == "" || child.Key.Contains("/")) return true;
      if (child.Key == ".value" || child.Key == ".priority") return false;
      return IsBadKey(child.Key) || IsBad(child.Value, depth + 1);
    });
  }
}

// -- JSON ----------------------------------------------------------------------------------------

/// JSON as maps, lists, texts, doubles, booleans and null.
class Json {
  readonly string text;
  int at;

  Json(string text) {
    this.text = text;
  }

  /// Names and values in turn.
  public static Map Object(params object[] members) {
    var map = new Map(StringComparer.Ordinal);
    for (int i = 0; i < members.Length; i += 2) map[(string)members[i]] = members[i + 1];
    return map;
  }

  public static bool AreEqual(object one, object other) {
    if (!(one is Map children) || !(other is Map others)) return Equals(one, other);
    return children.Count == others.Count
      && children.Zip(others, (a, b) => a.Key == b.Key && AreEqual(a.Value, b.Value)).All(isEqual => isEqual);
  }

  public static object Parse(string text) {
    return new Json(text).Value();
  }

  object Value() {
    Space();
    switch (text[at]) {
      case '{':
        var map = new Map(StringComparer.Ordinal);
        for (at += 1; !Ends('}');) {
          var name = String();
          Space();
          at += 1;
          map[name] = Value();
        }
        return map;
      case '[':
        var list = new List<object>();
        for (at += 1; !Ends(']');) list.Add(Value());
        return list;
      case '"':
        return String();
      default:
        int start = at;
        while (at < text.Length && ",]} \t\r\n".IndexOf(text[at]) < 0) at += 1;
        var word = text.Substring(start, at - start);
        if (word == "null") return null;
        if (word == "true" || word == "false") return word == "true";
        return double.Parse(word, CultureInfo.InvariantCulture);
    }
  }

  void Space() {
    while (" \t\r\n".IndexOf(text[at]) >= 0) at += 1;
  }

  /// Whether a list or an object is over; the comma between two members is passed.
  bool Ends(char bracket) {
    Space();
    if (text[at] == ',') at += 1;
    Space();
    if (text[at] != bracket) return false;
    at += 1;
    return true;
  }

  string String() {
    var result = new StringBuilder();
    for (at += 1; text[at] != '"'; at += 1) {
      if (text[at] != '\\') {
        result.Append(text[at]);
        continue;
      }
      at += 1;
      switch (text[at]) {
        case 'n': result.Append('\n'); break;
        case 't': result.Append('\t'); break;
        case 'r': result.Append('\r'); break;
        case 'b': result.Append('\b'); break;
        case 'f': result.Append('\f'); break;
        case 'u':
          result.Append((char)Convert.ToInt32(text.Substring(at + 1, 4), 16));
          at += 4;
          break;
        default: result.Append(text[at]); break;
      }
    }
    at += 1;
    return result.ToString();
  }

  public static string Text(object value) {
    if (value is bool isTrue) return isTrue ? "true" : "false";
    if (value is double number) return number.ToString("R", CultureInfo.InvariantCulture);
    if (value is string text) return Quoted(text);
    if (value is List<object> list) return "[" + string.Join(",", list.Select(Text)) + "]";
    if (!(value is Map map)) return "null";
    return "{" + string.Join(",", map.Select(member => Quoted(member.Key) + ":" + Text(member.Value))) + "}";
  }

  static string Quoted(string text) {
    var result = new StringBuilder("\"");
    foreach (char c in text) {
      if (c == '"' || c == '\\') result.Append('\\').Append(c);
      else if (c < 0x20) result.Append("\\u").Append(((int)c).ToString("x4"));
      else result.Append(c);
    }
    return result.Append('"').ToString();
  }
}

static class Maps {
  /// The value of a key; null where there is none.
  public static object Get(this Map map, string key) {
    object value = null;
    map?.TryGetValue(key, out value);
    return value;
  }
}
