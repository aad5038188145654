internal import ClientInterface
internal import Tree
internal import Wire

/// What happened to the listener of a single read in a group, as recorded and as it is right.
///
struct SingleRead {
  let recorded: [JSON]
  let right: [JSON]
  let profile: Profile

  /// The accident that makes the one of the other; `nil` when none does.
  var accident: Accident? {
    guard let first = right.first, right.count == 1 else { return nil }
    let event = first["event"]
    if profile.dialect == .wilddog, recorded.count == 1, event?["prev"] != nil {
      return recorded[0] == ["event": first["event"]?.withoutPrevious ?? .null]
        ? .onceWithoutPrevious : nil
    }
    let types = Set(recorded.map { $0["event"]?["type"] ?? .null })
    let keys = Set(recorded.map { $0["event"]?["key"] ?? .null })
    let isRepeated =
      recorded.count > 1 && keys.count == recorded.count && types == [event?["type"] ?? .null]
    let isFirebase = profile.dialect == .firebase
    return isFirebase && isRepeated && recorded.last == first ? .onceRepeated : nil
  }
}

extension JSON {
  /// The body of an event that says that its child is the first.
  fileprivate var withoutPrevious: JSON {
    .object((members ?? []).map { $0.name == "prev" ? Member("prev", .null) : $0 })
  }
}
