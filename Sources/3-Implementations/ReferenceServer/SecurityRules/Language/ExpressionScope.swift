internal import Document

/// What the expressions of a rule may name.
struct ExpressionScope {
  let kind: RuleKind
  /// The keys that the location leaves open, with their `$`.
  let locations: [String]

  private var names: [String] {
    let common = ["auth", "now", "root", "data"]
    return common + (kind == .read ? ["query"] : ["newData"]) + locations
  }

  /// The variable of this name.
  func variable(_ name: String, at offset: Int) throws(ExpressionError) -> Variable {
    switch name {
    case "auth": return .auth
    case "now": return .now
    case "root": return .root
    case "data": return .data
    case "newData" where kind != .read: return .newData
    case "query" where kind == .read: return .query
    case _ where locations.contains(name): return .location(String(name.dropFirst()))
    case "newData", "query":
      throw ExpressionError(
        at: offset,
        "a \(kind.rawValue) rule has no \(name); expected one of \(names.joined(separator: ", "))")
    default:
      throw ExpressionError(
        at: offset,
        "unknown variable \"\(name)\"\(closestOrAll(to: name, in: names))")
    }
  }
}

/// What a rule decides.
enum RuleKind: String, CaseIterable, Hashable, Sendable {
  case read = ".read"
  case write = ".write"
  case validate = ".validate"
}
