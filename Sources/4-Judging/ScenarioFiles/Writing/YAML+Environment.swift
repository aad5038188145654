internal import ClientInterface
internal import Faults
import Scenario
internal import Tree

extension YAML {
  /// A step that affects a client or the server. It may wait for something.
  struct EnvironmentStep {
    var key: String
    var fields: [(String, YAML?)]
    /// What is in place of the fields where it says everything.
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

    /// About nothing but a path.
    init(_ key: String, path: Path) {
      self.init(key, [("path", .path(path))], short: .path(path))
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

  static func entry(of fault: NamedFault) -> EnvironmentStep {
    let (kind, fields) = fault.parts
    let stated = kind.form.fields.map { ($0.rawValue, value(of: $0, in: fields)) }
    switch kind.form {
    case .client, .everyone: return EnvironmentStep(kind.step, client: fields.client, stated)
    case .server: return EnvironmentStep(kind.step, stated)
    case .latency:
      let range = YAML.range(fields.latency.range)
      guard let client = fields.client else {
        return EnvironmentStep(kind.step, [("latency", range)], short: range)
      }
      return EnvironmentStep(kind.step, [(client, range)])
    case .rule: return EnvironmentStep(kind.step, fields.rule.fields)
    case .path: return EnvironmentStep(kind.step, path: fields.path)
    case .write: return entry(of: fields.write)
    case let .process(own, word):
      let key = "\(fields.client ?? "").\(kind.verb)"
      guard let word else { return EnvironmentStep(key, stated) }
      // What is wrong with a clock and by how much is one field.
      let isClock = own.contains(.shift) || own.contains(.gain)
      let entries: [(String, YAML?)] =
        isClock ? stated.map { (word, $0.1) } : [("fail", .text(word))] + stated
      return EnvironmentStep(key, entries)
    }
  }

  /// What a fault states; nothing for what holds where nothing is said.
  private static func value(
    of field: FaultKind.Field, in fields: FaultFields<String>
  ) -> YAML? {
    switch field {
    case .notices: unless(.neither, fields.notices)
    case .direction: unless(.both, fields.direction)
    case .messages: .word("\(fields.count)")
    case .after: .duration(fields.interval)
    case .host: .text(fields.host)
    case .down: fields.interval == .zero ? nil : .duration(fields.interval)
    case .onDisconnects: unless(.done, fields.fate)
    case .writes, .times: unless(1, fields.count)
    case .data: unless(.withheld, fields.data)
    case .storage: unless(.kept, fields.storage)
    case .skew, .shift: .shift(fields.interval)
    case .gain: .shift(fields.drift.perSecond)
    case .at: .size(fields.bytes)
    }
  }

  private static func entry(of write: ServerWrite) -> EnvironmentStep {
    switch write {
    case let .set(path, node):
      EnvironmentStep(write.step, (pathEntry(path) + written(node)).map { ($0.key, $0.value) })
    case let .update(path, parts):
      EnvironmentStep(write.step, [("path", .path(path)), ("value", .assignments(parts))])
    case let .remove(path): EnvironmentStep(write.step, path: path)
    }
  }

  /// The value, or nothing if it is the default, which need not be stated.
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
