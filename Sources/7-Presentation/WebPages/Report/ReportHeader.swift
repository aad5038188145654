public import Reports
public import Rules
internal import Tree

/// What a report says about its runs as a whole.
public struct ReportHeader {
  private var facts: [(name: String, value: String)] = []
  private let rules: RuleBook

  /// A header that says nothing, for reports whose origin is not known.
  public init() {
    rules = RuleBook(files: [])
  }

  /// - Parameters:
  ///   - run: The run.
  ///   - command: The command line, as a reader would repeat it; empty when it is not known.
  ///   - date: The day, when one was given: without it the same runs give the same page.
  ///   - rules: The rules whose text the page shows where they are cited.
  public init(_ run: RunHeader, command: String, date: String?, rules: RuleBook) {
    facts = [("client", run.client), ("seed", String(run.seed)), ("kennel", run.kit)]
    if let date { facts.append(("date", date)) }
    if let stop = run.stop { facts.append(("incomplete", stop)) }
    if !command.isEmpty { facts.append(("command", command)) }
    self.rules = rules
  }

  var json: JSON { .array(facts.map { .array([.string($0.name), .string($0.value)]) }) }

  /// The title and the text of each of these rules that is known, by its id.
  func texts(of ids: Set<String>) -> JSON {
    .object(
      ids.sorted().compactMap { id in
        RuleID(id).flatMap { rules[$0] }.map { rule in
          .init(id, .array([.string(rule.title), .string(rule.text)]))
        }
      })
  }
}
