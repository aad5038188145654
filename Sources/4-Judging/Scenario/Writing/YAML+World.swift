internal import ClientInterface
internal import Tree
internal import Wire

extension YAML {
  /// A step that befalls a client or the server. It may wait for something.
  struct WorldStep {
    var key: String
    var fields: [(String, YAML?)]
    /// What stands in place of the fields where it says everything.
    var short: YAML?

    init(_ key: String, _ fields: [(String, YAML?)], short: YAML? = nil) {
      self.key = key
      self.fields = fields
      self.short = short
    }

    /// About one client and, where nothing else is said, nothing but its name.
    init(_ key: String, client: String?, _ more: [(String, YAML?)] = []) {
      let name = client.map { YAML.text($0) }
      self.init(key, [("client", name)] + more, short: more.allSatisfy { $1 == nil } ? name : nil)
    }

    /// The step as an entry, with what it waits for. The client is the one that it is about.
    func entry(_ trigger: Step.Trigger?, of client: String?) -> Entry {
      if let trigger {
        let all = fields + [("when", YAML.trigger(trigger, of: client))]
        return Entry(key, .mapping(of: all))
      }
      if let short { return Entry(key, short) }
      return Entry(key, fields.contains { $1 != nil } ? .mapping(of: fields) : nil)
    }
  }

  static func entry(of action: ProcessAction) -> WorldStep {
    switch action {
    case let .kill(client): WorldStep("\(client).kill", [])
    case .start(let client, .kept): WorldStep("\(client).start", [])
    case let .start(client, storage):
      WorldStep("\(client).start", [("storage", .text(storage.rawValue))])
    case let .clock(client, .skew(shift)):
      WorldStep("\(client).clock", [("skew", .shift(shift))])
    case let .clock(client, .jump(shift)):
      WorldStep("\(client).clock", [("jump", .shift(shift))])
    case let .clock(client, .drift(shift)):
      WorldStep("\(client).clock", [("drift", .shift(shift))])
    case let .storage(client, .writes(count)):
      WorldStep("\(client).storage", [("fail", .text("write")), ("times", unless(1, count))])
    case let .storage(client, .torn): WorldStep("\(client).storage", [("fail", .text("torn"))])
    case let .storage(client, .full(bytes)):
      WorldStep("\(client).storage", [("fail", .text("full")), ("at", .size(bytes))])
    case let .storage(client, .sound): WorldStep("\(client).storage", [("fail", .text("nothing"))])
    }
  }

  static func entry(of action: NetworkAction) -> WorldStep {
    switch action {
    case let .cut(client): WorldStep("network.cut", client: client)
    case let .drop(client): WorldStep("network.drop", client: client)
    case let .heal(client): WorldStep("network.heal", client: client)
    case let .refuse(client): WorldStep("network.refuse", client: client)
    case let .latency(range, client?): WorldStep("network.latency", [(client, .range(range))])
    case let .latency(range, nil):
      WorldStep("network.latency", [("latency", .range(range))], short: .range(range))
    case let .stall(client, direction):
      WorldStep("network.stall", client: client, [("direction", unless(.both, direction))])
    case let .resume(client, direction):
      WorldStep("network.resume", client: client, [("direction", unless(.both, direction))])
    case let .halfOpen(client, notices):
      WorldStep("network.half-open", client: client, [("notices", unless(.nobody, notices))])
    case let .closeAfter(client, messages, direction):
      WorldStep(
        "network.close-after", client: client,
        [("messages", .word("\(messages)")), ("direction", unless(.both, direction))])
    case let .loseAcknowledgement(client): WorldStep("network.lose-acknowledgement", client: client)
    case let .lateClose(client, delay):
      WorldStep("network.late-close", client: client, [("after", .duration(delay))])
    }
  }

  static func entry(of action: ServerAction) -> WorldStep {
    switch action {
    case let .set(path, node):
      WorldStep("server.set", (place(path) + written(node)).map { ($0.key, $0.value) })
    case let .update(path, parts):
      WorldStep("server.update", [("path", .path(path)), ("value", .assignments(parts))])
    case let .remove(path): WorldStep("server.remove", [("path", .path(path))], short: .path(path))
    case let .reject(restriction): WorldStep("server.reject", restriction.fields)
    case let .revoke(path): WorldStep("server.revoke", [("path", .path(path))], short: .path(path))
    case let .revokeCredential(client): WorldStep("server.revoke-auth", client: client)
    case let .restart(down, left):
      WorldStep(
        "server.restart",
        [
          ("down", down == .zero ? nil : .duration(down)),
          ("on-disconnects", unless(.done, left)),
        ])
    case let .redirect(client, host):
      WorldStep("server.redirect", client: client, [("host", .text(host))])
    case let .shutdown(client): WorldStep("server.shutdown", client: client)
    case let .clock(skew): WorldStep("server.clock", [("skew", .shift(skew))])
    case let .stale(writes, data):
      WorldStep("server.stale", [("writes", unless(1, writes)), ("data", unless(.withheld, data))])
    }
  }

  /// Nothing for what holds where nothing is said.
  private static func unless(_ usual: Int, _ count: Int) -> YAML? {
    count == usual ? nil : .word("\(count)")
  }

  private static func unless<Choice: RawRepresentable<String> & Equatable>(
    _ usual: Choice, _ choice: Choice
  ) -> YAML? {
    choice == usual ? nil : .text(choice.rawValue)
  }
}

extension YAML {
  fileprivate static func trigger(_ trigger: Step.Trigger, of client: String?) -> YAML {
    switch trigger {
    case let .after(interval): .mapping([Entry("after", .duration(interval))])
    case let .messages(count, direction, counted):
      .mapping(of: [
        ("messages", .word("\(count)")), ("direction", unless(.both, direction)),
        ("client", counted == client ? nil : .text(counted)),
      ])
    case let .frame(frame):
      .mapping(of: [
        ("frame", .text(frame.kind)),
        (
          frame.isFromServer ? "to" : "from",
          frame.client == client ? nil : frame.client.map { .text($0) }
        ), ("nth", unless(1, frame.count)), ("edge", unless(.after, frame.edge)),
      ])
    }
  }
}
