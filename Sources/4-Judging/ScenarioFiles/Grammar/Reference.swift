internal import ClientInterface
import Document
internal import Faults
internal import Scenario

extension ScenarioGrammar {
  /// The page with its tables as the grammar has them.
  ///
  /// - Parameter page: The page as it is.
  /// - Returns: The page as it should be; a table for which it has no marks is left out.
  public static func updated(_ page: String) -> String {
    PageTable.updated(page, with: tables)
  }

  private static var tables: [PageTable] {
    [
      PageTable(
        "keys", head: ["Key", "Meaning"], rows: rows(of: Scenario.table.keys)),
      PageTable(
        "operations", head: ["Operation", "Arguments (`?` may be left out)", "Does"],
        rows: operations),
      PageTable(
        "functions", head: ["Function", "Does"],
        rows: TransactionFunction.Kind.allCases.map(\.explanation).map { [code($0), $1] }),
      PageTable(
        "other steps", head: ["Step", "Does"],
        rows: rows(
          of: Action.plain.map(\.key)
            + FaultVerb.all.filter { $0.kinds == [.write] }.map { .init($0.step, $0.key.summary) })),
      faults(of: .network, "The network"),
      faults(of: .process, "Processes and machines"),
      faults(of: .server, "The server"),
      PageTable(
        "matchers", head: ["Matcher", "Matches"],
        rows: Matcher.all.map { [code($0.example), $0.key.summary] }),
    ]
  }

  private static func rows(of keys: [FieldKey]) -> [[String]] {
    keys.map { [code($0.name), $0.summary + ($0.isRequired ? " Required." : "")] }
  }

  /// What may be left out has a question mark.
  private static var operations: [[String]] {
    Operation.Kind.allCases.map { kind in
      let keys = kind.table.keys.map { code($0.name + ($0.isRequired ? "" : "?")) }
      let arguments = keys.isEmpty ? "nothing: `{}`" : keys.joined(separator: ", ")
      return [code(kind.rawValue), arguments, kind.summary]
    }
  }

  private static func faults(of group: FaultKind.Group, _ title: String) -> PageTable {
    PageTable(
      "faults of \(title.lowercased())", head: [title, "What happens"],
      rows: FaultKind.steps(of: group).map { kind in
        let arguments = arguments(of: kind)
        return [code(kind.step + (arguments.isEmpty ? "" : ": \(arguments)")), kind.effect]
      })
  }

  /// What a step states, as people write it.
  private static func arguments(of kind: FaultKind) -> String {
    var names = kind.table.keys.map { $0.name + ($0.isRequired ? "" : "?") }
    switch kind.form {
    case .client where names.count == 1: return "alice"
    case .latency: return "50ms"
    case .path: return "path"
    case let .process(_, word?) where kind.verb == "storage":
      names.insert("fail: \(word)", at: 0)
    case .client, .everyone, .process, .server, .rule, .write: break
    }
    return names.isEmpty ? "" : "{\(names.joined(separator: ", "))}"
  }

  private static func code(_ text: String) -> String { "`\(text)`" }
}
