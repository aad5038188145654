// A thin client that can listen to whole values and set them, and no more, driven by Kennel.
//
//     rustc --edition 2021 -O -o adapter adapter.rs
//     kennel run writes -- ./adapter
//
// To drive a client of your own, put its calls where this one has those of ThinClient, and name in
// CAPABILITIES what it can do. Scenarios that need anything else are not run. It needs no crate: the
// module json below reads and writes what the protocol needs; serde_json does as well.

use json::{object, Json};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Write as _};

const CAPABILITIES: [&str; 3] = ["listen.value", "set", "reset"];
const BACK_OFF: f64 = 1.0;

/// Writes a line with a verb.
fn emit(verb: &str, content: Json) {
    let mut line = String::new();
    object([(verb, content)]).write(&mut line);
    line.push('\n');
    io::stdout().write_all(line.as_bytes()).expect("the kit reads what is written");
}

fn main() {
    let mut clients = HashMap::new();
    for line in io::stdin().lock().lines() {
        let request = Json::parse(&line.expect("requests are UTF-8"));
        if request.has("bye") {
            return;
        }
        answer(&request, &mut clients);
        emit("idle", request["id"].clone());
        io::stdout().flush().expect("the kit reads what is written");
    }
}

fn answer(request: &Json, clients: &mut HashMap<String, ThinClient>) {
    let name = request["client"].text();
    if request.has("hello") {
        let names = CAPABILITIES.iter().map(|&name| name.into()).collect();
        let version = [("name", "rust-example".into()), ("version", "1.0".into())];
        // Revision 6 adds the capability frames, several messages in one request, which is not declared here.
        let protocol = [("protocol", 1.0.into()), ("revision", 6.0.into())];
        let able = [("capabilities", Json::List(names))];
        return emit("hello", object(protocol.into_iter().chain(version).chain(able)));
    } else if request.has("reset") {
        return clients.clear();
    } else if request.has("open") {
        emit("connect", object([]));
        clients.insert(name.to_string(), ThinClient::default());
        return;
    } else if request.has("kill") {
        clients.remove(name);
        return;
    }
    let is_known = clients.get_mut(name).map_or(false, |client| {
        if request.has("refused") || request.has("closed") {
            client.ended();
        } else if request.has("timer") {
            if request["timer"]["timer"].number() == BACK_OFF {
                emit("connect", object([]));
            }
        } else if request.has("frame") {
            client.frame(&request["frame"]);
        } else if !request.has("opened") {
            // After "opened" follows the server's hello.
            return request.has("call") && client.call(&request["call"]);
        }
        true
    });
    if !is_known {
        let message = "not known here".into();
        emit("error", object([("code", "not-supported".into()), ("message", message)]));
    }
}

// -- The client ----------------------------------------------------------------------------------

type Path = Vec<String>;

struct Write {
    call: String,
    path: Path,
    value: Json,
    request: u32,
}

#[derive(Clone)]
struct Listener {
    name: String,
    path: Path,
    request: u32,
    is_known: bool,
    shown: Option<Json>,
}

/// A tree with what the server sent, the writes that it has not answered, and the listeners. After
/// everything that happens each listener is shown its location again, where that differs from before.
#[derive(Default)]
struct ThinClient {
    server: Json,
    writes: Vec<Write>,
    listeners: Vec<Listener>,
    is_ready: bool,
    last_request: u32,
}

impl ThinClient {
    fn call(&mut self, call: &Json) -> bool {
        let (id, op) = (call["id"].text().to_string(), call["op"].text());
        let path = keys(call["path"].text());
        let is_write = op == "set" || op == "remove";
        if is_bad_path(&path) {
            emit("threw", object([("call", id.into()), ("error", "invalid_path".into())]));
        } else if is_write && is_bad_value(&call["value"], path.len()) {
            emit("threw", object([("call", id.into()), ("error", "invalid_value".into())]));
        } else if is_write {
            let value = call["value"].clone().normal();
            self.writes.push(Write { call: id, path, value, request: 0 });
            if self.is_ready {
                self.send(self.writes.len() - 1);
            }
            self.show();
        } else if op == "listen" {
            self.listen(call["listener"].text(), path);
        } else if op == "unlisten" {
            let name = call["listener"].text();
            self.remove(None, |l| l.name == name && (!call.has("path") || l.path == path));
        } else if op == "unlisten-all" {
            self.remove(None, |l| l.path == path);
        } else {
            return false;
        }
        true
    }

    fn frame(&mut self, message: &Json) {
        let content = &message["d"];
        if message["t"].text() == "c" {
            self.control(content["t"].text());
        } else if content.has("r") {
            self.finish(content["r"].number() as u32, content["b"]["s"].text());
        } else if content.has("a") {
            self.data(content["a"].text(), &content["b"]);
        }
    }

    /// The connection was refused or lost.
    fn ended(&mut self) {
        self.is_ready = false;
        let label = ("label", "back-off".into());
        emit("setTimer", object([("timer", BACK_OFF.into()), ("after", 1000.0.into()), label]));
    }

    fn control(&mut self, kind: &str) {
        if kind == "h" {
            self.is_ready = true;
            (0..self.listeners.len()).for_each(|index| self.ask_for(index));
            (0..self.writes.len()).for_each(|index| self.send(index));
        } else if kind == "s" {
            self.is_ready = false;
            emit("disconnect", object([]));
        }
    }

    fn data(&mut self, action: &str, body: &Json) {
        let path = keys(body["p"].text());
        match action {
            "d" => self.server = self.server.put(&path, body["d"].clone().normal()),
            "m" => {
                for (below, value) in body["d"].children() {
                    let all = [&path[..], &keys(below)[..]].concat();
                    self.server = self.server.put(&all, value.clone().normal());
                }
            }
            "c" => self.remove(Some("permission_denied"), |l| l.path == path),
            _ => {}
        }
        self.show();
    }

    fn listen(&mut self, name: &str, path: Path) {
        let is_known = self.listeners.iter().any(|l| l.is_known && path.starts_with(&l.path));
        self.listeners.push(Listener { name: name.into(), path, request: 0, is_known, shown: None });
        if self.is_ready {
            self.ask_for(self.listeners.len() - 1);
        }
        self.show();
    }

    /// Asks for the data of a listener, unless they come along with those of an earlier one.
    fn ask_for(&mut self, index: usize) {
        let path = self.listeners[index].path.clone();
        let other = self.listeners[..index].iter().find(|l| path.starts_with(&l.path));
        self.listeners[index].request = match other {
            Some(other) => other.request,
            None => self.request("q", &path, [("h", "".into())].into()),
        };
    }

    fn send(&mut self, index: usize) {
        let (path, value) = (self.writes[index].path.clone(), self.writes[index].value.clone());
        self.writes[index].request = self.request("p", &path, [("d", value)].into());
    }

    fn request(&mut self, action: &str, path: &[String], mut body: Vec<(&str, Json)>) -> u32 {
        self.last_request += 1;
        body.push(("p", format!("/{}", path.join("/")).into()));
        let number = f64::from(self.last_request).into();
        let content = object([("r", number), ("a", action.into()), ("b", object(body))]);
        emit("send", object([("t", "d".into()), ("d", content)]));
        self.last_request
    }

    /// Removes listeners; with an error they receive it. When what was asked for ends with them, the
    /// server receives that, and the others that it served are asked for again.
    fn remove(&mut self, error: Option<&str>, is_meant: impl Fn(&Listener) -> bool) {
        let mut ended = Vec::new();
        while let Some(index) = self.listeners.iter().position(&is_meant) {
            let removed = self.listeners.remove(index);
            let serves = |l: &Listener| l.request == removed.request && removed.path.starts_with(&l.path);
            if self.is_ready && !self.listeners.iter().any(serves) {
                ended.push(removed.request);
                if error.is_none() {
                    self.request("n", &removed.path, vec![]);
                }
            }
            if let Some(error) = error {
                emit("cancelled", object([("listener", removed.name.into()), ("error", error.into())]));
            }
        }
        for index in 0..self.listeners.len() {
            if ended.contains(&self.listeners[index].request) {
                self.ask_for(index);
            }
        }
    }

    /// The server has answered a request.
    fn finish(&mut self, number: u32, status: &str) {
        let error = if status == "ok" { None } else { Some(status) };
        let mut served = Vec::new();
        for listener in self.listeners.iter_mut().filter(|l| l.request == number) {
            listener.is_known = true;
            served.push(listener.path.clone());
        }
        if error.is_some() {
            served.iter().for_each(|path| self.remove(error, |l| l.path == *path));
        }
        let index = self.writes.iter().position(|w| w.request == number);
        let write = index.map(|index| self.writes.remove(index));
        self.show();
        if let Some(write) = write {
            let error = error.map_or(Json::Null, Json::from);
            emit("completed", object([("call", write.call.into()), ("error", error)]));
        }
    }

    /// A listener sees what the server sent with the pending writes on top; the deepest ones are first.
    fn show(&mut self) {
        let mut local = self.server.clone();
        for write in &self.writes {
            local = local.put(&write.path, write.value.clone());
        }
        let mut deepest_first: Vec<&mut Listener> = self.listeners.iter_mut().collect();
        deepest_first.sort_by_key(|l| std::cmp::Reverse(l.path.len()));
        for listener in deepest_first {
            let is_written = self.writes.iter().any(|w| listener.path.starts_with(&w.path));
            let value = listener.path.iter().fold(&local, |tree, key| &tree[key.as_str()]);
            if !(listener.is_known || is_written) || listener.shown.as_ref() == Some(value) {
                continue;
            }
            listener.shown = Some(value.clone());
            let key = listener.path.last().map_or(Json::Null, |key| key.as_str().into());
            let event = [("listener", listener.name.as_str().into()), ("type", "value".into())];
            emit("event", object(event.into_iter().chain([("key", key), ("value", value.clone())])));
        }
    }
}

fn keys(path: &str) -> Path {
    path.split('/').filter(|key| !key.is_empty()).map(String::from).collect()
}

fn is_bad_key(key: &str) -> bool {
    key.chars().any(|c| c < ' ' || c == '\x7f' || ".#$[]".contains(c))
}

fn is_bad_path(path: &[String]) -> bool {
    path.len() > 32 || path.join("/").len() > 768 || path.iter().any(|key| is_bad_key(key))
}

fn is_bad_value(value: &Json, depth: usize) -> bool {
    match value {
        Json::Object(children) => children.iter().any(|(key, child)| {
            let is_ours = key == ".value" || key == ".priority";
            key.is_empty()
                || key.contains('/')
                || !is_ours && (is_bad_key(key) || is_bad_value(child, depth + 1))
        }),
        _ => depth > 32,
    }
}

impl Json {
    /// The tree with a value in place of what is at a path.
    fn put(&self, path: &[String], value: Json) -> Json {
        if path.is_empty() {
            return value;
        }
        let mut children = match self {
            Json::Object(children) => children.clone(),
            _ if value == Json::Null => return self.clone(),
            _ => BTreeMap::new(),
        };
        let child = self[path[0].as_str()].put(&path[1..], value);
        children.insert(path[0].clone(), child);
        children.retain(|_, child| *child != Json::Null);
        if children.is_empty() { Json::Null } else { Json::Object(children) }
    }

    /// The value without what is nothing.
    fn normal(self) -> Json {
        match self {
            Json::Object(children) => children
                .into_iter()
                .fold(Json::Null, |tree, (key, child)| tree.put(&[key], child.normal())),
            other => other,
        }
    }
}

// -- JSON ----------------------------------------------------------------------------------------

mod json {
    use std::collections::BTreeMap;
    use std::fmt::Write;
    use std::iter::Peekable;
    use std::ops::Index;
    use std::str::Chars;

    #[derive(Clone, Debug, Default, PartialEq)]
    pub enum Json {
        #[default]
        Null,
        Boolean(bool),
        Number(f64),
        Text(String),
        List(Vec<Json>),
        Object(BTreeMap<String, Json>),
    }

    pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    impl From<&str> for Json {
        fn from(text: &str) -> Json {
            Json::Text(text.to_string())
        }
    }

    impl From<String> for Json {
        fn from(text: String) -> Json {
            Json::Text(text)
        }
    }

    impl From<f64> for Json {
        fn from(number: f64) -> Json {
            Json::Number(number)
        }
    }

    /// A member; null where there is none.
    impl Index<&str> for Json {
        type Output = Json;

        fn index(&self, name: &str) -> &Json {
            match self {
                Json::Object(members) => members.get(name).unwrap_or(&Json::Null),
                _ => &Json::Null,
            }
        }
    }

    impl Json {
        pub fn has(&self, name: &str) -> bool {
            matches!(self, Json::Object(members) if members.contains_key(name))
        }

        pub fn children(&self) -> impl Iterator<Item = (&String, &Json)> {
            let members = if let Json::Object(members) = self { Some(members) } else { None };
            members.into_iter().flatten()
        }

        pub fn text(&self) -> &str {
            if let Json::Text(text) = self { text } else { "" }
        }

        pub fn number(&self) -> f64 {
            if let Json::Number(number) = self { *number } else { 0.0 }
        }

        /// Reads what the kit writes, which is JSON.
        pub fn parse(text: &str) -> Json {
            value(&mut text.chars().peekable())
        }

        pub fn write(&self, line: &mut String) {
            match self {
                Json::Null => line.push_str("null"),
                Json::Boolean(value) => write!(line, "{value}").expect("a line grows"),
                Json::Number(number) => write!(line, "{number}").expect("a line grows"),
                Json::Text(text) => quote(text, line),
                Json::List(list) => {
                    line.push('[');
                    for (index, element) in list.iter().enumerate() {
                        line.push_str(if index > 0 { "," } else { "" });
                        element.write(line);
                    }
                    line.push(']');
                }
                Json::Object(members) => {
                    line.push('{');
                    for (index, (name, value)) in members.iter().enumerate() {
                        line.push_str(if index > 0 { "," } else { "" });
                        quote(name, line);
                        line.push(':');
                        value.write(line);
                    }
                    line.push('}');
                }
            }
        }
    }

    fn quote(text: &str, line: &mut String) {
        line.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => line.extend(['\\', c]),
                '\0'..='\x1f' => write!(line, "\\u{:04x}", c as u32).expect("a line grows"),
                _ => line.push(c),
            }
        }
        line.push('"');
    }

    fn value(text: &mut Peekable<Chars>) -> Json {
        space(text);
        match text.peek() {
            Some('{') => {
                text.next();
                let mut members = BTreeMap::new();
                while !ends(text, '}') {
                    let name = string(text);
                    space(text);
                    text.next();
                    members.insert(name, value(text));
                }
                Json::Object(members)
            }
            Some('[') => {
                text.next();
                let mut list = Vec::new();
                while !ends(text, ']') {
                    list.push(value(text));
                }
                Json::List(list)
            }
            Some('"') => Json::Text(string(text)),
            _ => {
                let mut word = String::new();
                while let Some(c) = text.next_if(|c| !",]} \t\r\n".contains(*c)) {
                    word.push(c);
                }
                match word.as_str() {
                    "null" => Json::Null,
                    "true" | "false" => Json::Boolean(word == "true"),
                    number => Json::Number(number.parse().expect("the kit writes JSON")),
                }
            }
        }
    }

    fn space(text: &mut Peekable<Chars>) {
        while text.next_if(|c| " \t\r\n".contains(*c)).is_some() {}
    }

    /// Whether a list or an object is over; the comma between two members is passed.
    fn ends(text: &mut Peekable<Chars>, bracket: char) -> bool {
        space(text);
        text.next_if_eq(&',');
        space(text);
        text.next_if_eq(&bracket).is_some()
    }

    fn string(text: &mut Peekable<Chars>) -> String {
        // Halves of a surrogate pair come one after the other.
        let mut units = Vec::new();
        text.next();
        while let Some(c) = text.next().filter(|c| *c != '"') {
            let c = match c {
                '\\' => text.next().expect("the kit writes JSON"),
                c => {
                    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                    continue;
                }
            };
            units.push(match c {
                'n' => 10,
                't' => 9,
                'r' => 13,
                'b' => 8,
                'f' => 12,
                'u' => {
                    let digits: String = text.by_ref().take(4).collect();
                    u16::from_str_radix(&digits, 16).expect("the kit writes JSON")
                }
                c => c as u16,
            });
        }
        String::from_utf16_lossy(&units)
    }
}
