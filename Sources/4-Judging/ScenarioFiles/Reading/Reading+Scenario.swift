import ClientInterface
import Document
import Scenario
import Tree
import Wire

extension Reading {
  static let version = 1

  private static let fragmentKeys = Scenario.table.fields.filter { $0.use != .unknown }
    .flatMap(\.keys).map(\.name)

  /// Reads the files of one scenario: its fragments and last the file itself.
  ///
  /// - Returns: the scenario, as far as it could be read; `nil` for a fragment.
  mutating func scenario(
    from sources: [Source], parameters: [Scenario.Parameter]
  ) -> Scenario? {
    guard let main = sources.last else { return nil }
    var scenario = Scenario(
      id: Self.id(of: main.file, parameters), file: main.file, title: "", clients: [])
    scenario.parameters = parameters
    let parts = sources.compactMap { source in part(source).map { (source.file, $0) } }
    for (file, fields) in parts {
      self.file = file
      readClients(fields)
    }
    scenario.clients = clients
    readParts(parts, of: main, into: &scenario)
    guard !parts.isEmpty, !main.isFragment else { return nil }
    if clients.isEmpty, purpose != .setting, !sources.contains(where: { hasClients($0.root) }) {
      file = main.file
      report(main.root.position, missing("clients", in: "a scenario"))
    }
    checkForwardNames()
    checkCitations(of: scenario)
    if scenario.judging == .invariants {
      checkNothingExpected(of: scenario.steps)
    } else if purpose != .recording {
      checkNamedCalls()
      return scenario.closed(by: "expect: {} (implied at the end)")
    }
    return scenario
  }

  /// Whether a file says something of clients, in a key that may be misspelt.
  private func hasClients(_ root: DocumentNode) -> Bool {
    guard case let .mapping(entries) = root.content else { return false }
    return entries.contains { !closestMatches(to: $0.key, in: ["clients"]).isEmpty }
  }

  /// Reads what stands beside the steps, then the steps, in the order of the files.
  private mutating func readParts(
    _ parts: [(String, Fields)], of main: Source, into scenario: inout Scenario
  ) {
    checkStatedOnce(parts)
    for (file, fields) in parts {
      self.file = file
      let isWhole = file == main.file && !main.isFragment
      for field in Scenario.table.fields where isWhole || [.added, .single].contains(field.use) {
        field.read(&self, fields, &scenario)
      }
    }
    for (file, fields) in parts {
      self.file = file
      if let steps = fields.entry("steps") {
        scenario.steps += readSteps(steps.value, inFragment: Source.isFragment(file))
      }
    }
  }

  /// The entries of one file, if it is a mapping of this version of the format.
  private mutating func part(_ source: Source) -> Fields? {
    file = source.file
    let what = source.isFragment ? "a fragment" : "a scenario"
    if let node = source.root["kennel"] {
      guard checkVersion(node) else { return nil }
    }
    return fields(
      of: source.root, what, keys: source.isFragment ? Self.fragmentKeys : Scenario.table.names,
      required: source.isFragment || purpose == .setting ? [] : Self.required(in: source.root))
  }

  /// What is judged by invariants alone is evidence for no rule in particular.
  private static func required(in root: DocumentNode) -> [String] {
    let isFree = root["judge"]?.json == .string(Scenario.Judging.invariants.rawValue)
    return Scenario.table.required + (isFree ? [] : ["rules"])
  }

  /// Whether the rest of the file can be understood.
  private mutating func checkVersion(_ node: DocumentNode) -> Bool {
    guard case let .number(number) = node.content, number >= 1, number == number.rounded() else {
      report(node.position, "kennel is \(node.flowText); expected the version of the format, 1")
      return true
    }
    guard number > Double(Self.version) else { return true }
    report(
      node.position,
      "the file is written in version \(canonicalText(of: number)) of the format; "
        + "expected version \(Self.version); a newer kennel can read it")
    return false
  }

  /// What is below `Scenarios/` in the path, without the suffix, and the parameters.
  static func id(of file: String, _ parameters: [Scenario.Parameter]) -> String {
    var parts = file.split(separator: "/").filter { $0 != "." }
    if let index = parts.lastIndex(of: "Scenarios") { parts = Array(parts[(index + 1)...]) }
    var id = parts.joined(separator: "/")
    for suffix in [".yaml", ".yml", ".json"] where id.hasSuffix(suffix) {
      id.removeLast(suffix.count)
    }
    guard !parameters.isEmpty else { return id }
    let values = parameters.map { "\($0.name)=\($0.value.string ?? $0.value.text)" }
    return id + "[" + values.joined(separator: ",") + "]"
  }
}

extension Reading {
  private mutating func checkNothingExpected(of steps: [Step]) {
    for step in steps {
      guard let expectation = step.expectation else { continue }
      file = step.file
      report(
        expectation.position,
        "the scenario is judged by invariants alone; expected settle in place of an expectation")
    }
  }

  mutating func readTags(_ node: DocumentNode) -> [String] {
    let tags = words(node, "tags", of: "words")
    for (text, position) in tags where !isLabel(text) {
      report(position, "\(quoted(text)) cannot be a tag; expected \(labelForm)")
    }
    return tags.map(\.text)
  }

  mutating func checkID(_ id: String, _ position: Position) {
    let expected = Self.id(of: file, [])
    if id != expected {
      report(position, "id is \(quoted(id)); expected the path of the file, \(expected)")
    }
  }

  mutating func readRules(_ node: DocumentNode) -> [Scenario.Citation] {
    let rules = citations(node)
    if !rules.isEmpty, rules.allSatisfy({ $0.binds == .server }) {
      report(
        rules[0].position,
        "every rule here binds the server alone; expected one that a client obeys or breaks as well"
      )
    }
    return rules
  }

  /// Expectations cite rules of their scenario, or none.
  private mutating func checkCitations(of scenario: Scenario) {
    for step in scenario.steps {
      for citation in step.expectation?.rules ?? []
      where !scenario.rules.contains(where: { $0.id == citation.id }) {
        file = step.file
        report(
          citation.position,
          "\(citation.id) is not among the rules of the scenario; expected it there as well")
      }
    }
  }

  mutating func citations(_ node: DocumentNode) -> [Scenario.Citation] {
    words(node, "rules", of: "rule ids").compactMap { text, position in
      guard let id = RuleID(text) else {
        report(position, "\(quoted(text)) is no rule id; expected one like EVT-7")
        return nil as Scenario.Citation?
      }
      var citation = Scenario.Citation(id: text, position: position)
      if let book = self.rules {
        if let rule = book[id] {
          (citation.level, citation.binds) = (rule.level, rule.binds)
          citation.advisedIn = rule.advisedIn
        } else {
          report(
            position,
            "there is no rule \(text); expected the id of a rule in Specs"
              + (book.rules.isEmpty ? "" : "; 'kennel explain WORD' finds them") + families(id))
        }
      }
      return citation
    }
  }

  /// `; families are ACC, CON`, unless the rule is of one of them.
  private func families(_ id: RuleID) -> String {
    let families = RuleBook.families.flatMap(\.prefixes).sorted()
    return families.contains(id.family) ? "" : "; families are " + families.joined(separator: ", ")
  }

  mutating func readProfiles(_ node: DocumentNode) -> [Profile] {
    words(node, "profiles", of: "profiles").compactMap { text, position in
      if let profile = Profile(named: text) { return profile }
      unknown("profile", text, at: position, among: Profile.all.map(\.name))
      return nil
    }
  }
}
