public import Document
import Tree

/// All rules of the specification, as read from `Specs/*.md`.
///
/// Reading never stops at a problem: what can be read is in `rules`, what cannot is in `problems`.
/// So a slip in one file does not take away the explanation of every other rule.
public struct RuleBook: Sendable {
  /// The rules in the order of the files given, and within a file from top to bottom.
  public let rules: [Rule]

  /// The ids that were in use once and must not be given to another rule.
  public let deleted: [RuleID]

  /// What is wrong with the files, in the order of the files and of their lines.
  public let problems: [SourceError]

  private let positions: [RuleID: Int]

  /// Reads rules from the texts of files; touches no file itself.
  ///
  /// - Parameter files: The name of each file as problems shall show it, and its text. The last
  ///   part of the name without its suffix decides which families the file may hold.
  public init(files: [(name: String, text: String)]) {
    var reader = RuleReader()
    for file in files { reader.read(file.text, named: file.name) }
    rules = reader.rules
    deleted = reader.deleted
    problems = reader.problems
    positions = Dictionary(
      reader.rules.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { old, _ in old })
  }

  /// The rule of that id, or nil when there is none (any more).
  public subscript(id: RuleID) -> Rule? {
    positions[id].map { rules[$0] }
  }

  /// Ids that `text` is probably a slip of, nearest first, at most three.
  public func suggestions(for text: String) -> [RuleID] {
    closestMatches(to: text, in: rules.map(\.id.description)).compactMap { RuleID($0) }
  }

  /// The families of rules that each file of the specification holds.
  public static let families: [(file: String, prefixes: [String])] = [
    ("values-and-keys", ["VAL", "KEY"]), ("snapshots", ["SNP"]), ("references", ["REF"]),
    ("writes", ["WRT"]), ("priorities", ["PRI"]), ("push-ids", ["PSH"]), ("events", ["EVT"]),
    ("observers", ["OBS"]), ("callbacks", ["CBK"]), ("queries", ["QRY"]), ("limits", ["LIM"]),
    ("transactions", ["TXN"]),
    ("on-disconnect", ["OND"]), ("connection", ["CON"]), ("offline", ["OFF"]),
    ("server-values", ["SRV"]), ("access", ["ACC"]), ("security-rules", ["SEC"]),
    ("errors", ["ERR"]), ("wire", ["WIR"]), ("rest", ["RST"]),
    ("hash", ["HSH"]), ("mutable-data", ["MUT"]),
    ("get", ["GET"]),
  ]
}
