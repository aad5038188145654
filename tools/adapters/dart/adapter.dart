// A thin client that can listen to whole values and set them, and no more, driven by Kennel.
//
//     dart compile exe -o adapter adapter.dart
//     kennel run writes -- ./adapter
//
// To drive a client of your own, put its calls where this one has those of ThinClient, and name in
// capabilities what it can do. Scenarios that need anything else are not run.

import 'dart:convert';
import 'dart:io';

const capabilities = ['listen.value', 'set', 'reset'];
const backOff = 1;

typedef Json = Map<String, dynamic>;

// -- The client ----------------------------------------------------------------------------------

class Write {
  Write(this.call, this.path, this.value);

  final String call;
  final List<String> path;
  final dynamic value;
  int request = 0;
}

class Listener {
  Listener(this.name, this.path, this.isKnown);

  final String name;
  final List<String> path;
  int request = 0;
  bool isKnown;
  bool isShown = false;
  dynamic shown;
}

/// A tree with what the server sent, the writes that it has not answered, and the listeners. After
/// everything that happens each listener is shown its location again, where that differs from before.
class ThinClient {
  ThinClient(this.emit) {
    emit({'connect': {}});
  }

  final void Function(Json line) emit;
  dynamic server;
  final List<Write> writes = [];
  final List<Listener> listeners = [];
  bool isReady = false;
  int lastRequest = 0;

  bool call(Json call) {
    final String id = call['id'];
    final String op = call['op'];
    final path = keys(call['path']);
    final isWrite = op == 'set' || op == 'remove';
    if (isBadPath(path)) {
      emit({'threw': {'call': id, 'error': 'invalid_path'}});
    } else if (isWrite && isBadValue(call['value'], path.length)) {
      emit({'threw': {'call': id, 'error': 'invalid_value'}});
    } else if (isWrite) {
      write(Write(id, path, normal(call['value'])));
    } else if (op == 'listen') {
      listen(call['listener'], path);
    } else if (op == 'unlisten') {
      final name = call['listener'];
      remove(null, (l) => l.name == name && (!call.containsKey('path') || isSame(l.path, path)));
    } else if (op == 'unlisten-all') {
      remove(null, (l) => isSame(l.path, path));
    } else {
      return false;
    }
    return true;
  }

  void frame(Json message) {
    final Json content = message['d'];
    if (message['t'] == 'c') {
      control(content['t']);
    } else if (content.containsKey('r')) {
      finish(content['r'], content['b']['s']);
    } else if (content.containsKey('a')) {
      data(content['a'], content['b']);
    }
  }

  /// The connection was refused or lost.
  void ended() {
    isReady = false;
    emit({'setTimer': {'timer': backOff, 'after': 1000, 'label': 'back-off'}});
  }

  void timer(int number) {
    if (number == backOff) emit({'connect': {}});
  }

  void control(String type) {
    if (type == 'h') {
      isReady = true;
      listeners.forEach(askFor);
      writes.forEach(send);
    } else if (type == 's') {
      isReady = false;
      emit({'disconnect': {}});
    }
  }

  void data(String action, Json body) {
    final path = keys(body['p']);
    if (action == 'd') {
      server = put(server, path, normal(body['d']));
    } else if (action == 'm') {
      for (final child in (body['d'] as Json).entries) {
        server = put(server, [...path, ...keys(child.key)], normal(child.value));
      }
    } else if (action == 'c') {
      remove('permission_denied', (l) => isSame(l.path, path));
    }
    show();
  }

  void listen(String name, List<String> path) {
    final isKnown = listeners.any((l) => l.isKnown && isWithin(path, l.path));
    listeners.add(Listener(name, path, isKnown));
    if (isReady) askFor(listeners.last);
    show();
  }

  void write(Write write) {
    writes.add(write);
    if (isReady) send(write);
    show();
  }

  /// Asks for the data of a listener, unless they come along with those of an earlier one.
  void askFor(Listener listener) {
    for (final other in listeners.takeWhile((l) => l != listener)) {
      if (isWithin(listener.path, other.path)) {
        listener.request = other.request;
        return;
      }
    }
    listener.request = request('q', listener.path, {'h': ''});
  }

  void send(Write write) => write.request = request('p', write.path, {'d': write.value});

  int request(String action, List<String> path, [Json more = const {}]) {
    lastRequest += 1;
    final body = {'p': '/${path.join('/')}', ...more};
    emit({'send': {'t': 'd', 'd': {'r': lastRequest, 'a': action, 'b': body}}});
    return lastRequest;
  }

  /// Removes listeners; with an error they receive it. When what was asked for ends with them, the
  /// server receives that, and the others that it served are asked for again.
  void remove(String? error, bool Function(Listener) isMeant) {
    final ended = <int>{};
    for (final listener in listeners.where(isMeant).toList()) {
      listeners.remove(listener);
      final isServed =
          listeners.any((l) => l.request == listener.request && isWithin(listener.path, l.path));
      if (isReady && !isServed) {
        ended.add(listener.request);
        if (error == null) request('n', listener.path);
      }
      if (error != null) emit({'cancelled': {'listener': listener.name, 'error': error}});
    }
    listeners.where((l) => ended.contains(l.request)).toList().forEach(askFor);
  }

  /// The server has answered a request.
  void finish(int number, String status) {
    final error = status == 'ok' ? null : status;
    final served = listeners.where((l) => l.request == number).toList();
    for (final listener in served) {
      listener.isKnown = true;
    }
    if (error != null) {
      for (final listener in served) {
        remove(error, (l) => isSame(l.path, listener.path));
      }
    }
    final answered = writes.where((w) => w.request == number).toList();
    answered.forEach(writes.remove);
    show();
    for (final write in answered) {
      emit({'completed': {'call': write.call, 'error': error}});
    }
  }

  /// A listener sees what the server sent with the pending writes on top; the deepest ones are first.
  void show() {
    dynamic local = server;
    for (final write in writes) {
      local = put(local, write.path, write.value);
    }
    for (var depth = 32; depth >= 0; depth -= 1) {
      for (final listener in listeners.where((l) => l.path.length == depth)) {
        if (!listener.isKnown && !writes.any((w) => isWithin(listener.path, w.path))) continue;
        dynamic value = local;
        for (final key in listener.path) {
          value = value is Map ? value[key] : null;
        }
        if (listener.isShown && isEqual(listener.shown, value)) continue;
        listener.isShown = true;
        listener.shown = value;
        final key = listener.path.isEmpty ? null : listener.path.last;
        emit({'event': {'listener': listener.name, 'type': 'value', 'key': key, 'value': value}});
      }
    }
  }
}

List<String> keys(String? path) => (path ?? '').split('/').where((key) => key.isNotEmpty).toList();

bool isSame(List<String> path, List<String> other) =>
    path.length == other.length && isWithin(path, other);

bool isWithin(List<String> path, List<String> ancestor) {
  if (path.length < ancestor.length) return false;
  for (var index = 0; index < ancestor.length; index += 1) {
    if (path[index] != ancestor[index]) return false;
  }
  return true;
}

bool isEqual(dynamic one, dynamic other) {
  if (one is! Map || other is! Map) return one == other;
  return one.length == other.length &&
      one.keys.every((key) => other.containsKey(key) && isEqual(one[key], other[key]));
}

/// The tree with a value in place of what is at a path. Trees are never changed.
dynamic put(dynamic tree, List<String> path, dynamic value) {
  if (path.isEmpty) return value;
  if (value == null && tree is! Map) return tree;
  final children = <String, dynamic>{if (tree is Map) ...tree};
  final child = put(children[path.first], path.sublist(1), value);
  if (child == null) {
    children.remove(path.first);
  } else {
    children[path.first] = child;
  }
  return children.isEmpty ? null : children;
}

/// The value without what is nothing.
dynamic normal(dynamic value) {
  if (value is! Map) return value;
  dynamic tree;
  for (final child in value.entries) {
    tree = put(tree, [child.key], normal(child.value));
  }
  return tree;
}

bool isBadKey(String key) => key.contains(RegExp(r'[.#$\[\]\x00-\x1f\x7f]'));

bool isBadPath(List<String> path) =>
    path.length > 32 || utf8.encode(path.join('/')).length > 768 || path.any(isBadKey);

bool isBadValue(dynamic value, int depth) {
  if (value is! Map) return depth > 32;
  return value.entries.any((child) {
    final String key = child.key;
    if (key.isEmpty || key.contains('/')) return true;
    if (key == '.value' || key == '.priority') return false;
    return isBadKey(key) || isBadValue(child.value, depth + 1);
  });
}

// -- The protocol --------------------------------------------------------------------------------

Future<void> main() async {
  final clients = <String, ThinClient>{};
  void emit(Json line) => stdout.write('${jsonEncode(line)}\n');

  await for (final line in stdin.transform(utf8.decoder).transform(const LineSplitter())) {
    final Json request = jsonDecode(line);
    if (request.containsKey('bye')) break;
    answer(request, clients, emit);
    emit({'idle': request['id']});
    await stdout.flush();
  }
}

void answer(Json request, Map<String, ThinClient> clients, void Function(Json) emit) {
  final String name = request['client'] ?? '';
  final client = clients[name];
  if (request.containsKey('hello')) {
    final hello = {'name': 'dart-example', 'version': '1.0', 'capabilities': capabilities};
    // Revision 6 adds the capability frames, several messages in one request, which is not declared here.
    emit({'hello': {'protocol': 1, 'revision': 6, ...hello}});
  } else if (request.containsKey('reset')) {
    clients.clear();
  } else if (request.containsKey('open')) {
    clients[name] = ThinClient(emit);
  } else if (request.containsKey('kill')) {
    clients.remove(name);
  } else if (request.containsKey('opened')) {
    // The server's hello follows.
  } else if (request.containsKey('refused') || request.containsKey('closed')) {
    client?.ended();
  } else if (request.containsKey('timer')) {
    client?.timer(request['timer']['timer']);
  } else if (request.containsKey('frame')) {
    client?.frame(request['frame']);
  } else if (!request.containsKey('call') || client?.call(request['call']) != true) {
    emit({'error': {'code': 'not-supported', 'message': 'not known here'}});
  }
}
