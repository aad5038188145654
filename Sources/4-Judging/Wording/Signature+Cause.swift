internal import ClientInterface
public import Conformance

extension Signature {
  /// The cause that a reader should be given one explanation of, however many failures show it: the
  /// invariant, the event that is missing, the kind of difference, or the verdict.
  ///
  /// It leaves out what was listened to or called and what had just reached the client:
  /// `missing-event child_moved` for `missing-event child_moved listener limited`, and `inv-39` for
  /// `inv-39 set`. An event in whose stead another one came is missing too, and whether a
  /// scenario expects something or the reference client does it makes no difference.
  public var cause: Signature {
    var words = text.split(separator: " ").map(String.init)
    guard let kind = words.first else { return self }
    if kind.hasPrefix(Self.shadowPrefix) {
      words[0] = String(kind.dropFirst(Self.shadowPrefix.count))
    }
    switch words[0] {
    case "other-event" where words.count > 1: return Signature("missing-event \(words[1])")
    // The second word is a kind of message.
    case "frames": return Signature(words.joined(separator: " "))
    case "missing-outcome": return Signature("missing-outcome")
    case _ where kind.hasPrefix("inv-"): return Signature(kind)
    default: break
    }
    let end = words.dropFirst().firstIndex { $0 == "listener" || Self.operations.contains($0) }
    return Signature(words[..<(end ?? words.endIndex)].joined(separator: " "))
  }

  private static let shadowPrefix = "shadow-"
  private static let operations = Set(ClientInterface.Operation.Kind.allCases.map(\.rawValue))
}
