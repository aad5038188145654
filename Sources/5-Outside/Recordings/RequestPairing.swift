internal import Tree

/// Which request of the client that is played is which of the recorded one.
///
/// Every client numbers its requests as it likes. An answer is recorded with the number that the
/// recorded client gave, so requests are paired by what they ask, in the order in which they were
/// sent over one connection.
struct RequestPairing {
  private struct Unpaired {
    let number: Int
    let outline: JSON
  }

  private var recorded: [Unpaired] = []
  private var played: [Unpaired] = []
  private var pairs: [Int: Int] = [:]

  /// The connection is another one: nothing sent before will be answered.
  mutating func forget() { self = RequestPairing() }

  mutating func pair(recorded: [JSON], played: [JSON]) {
    self.recorded += recorded.compactMap(Self.unpaired)
    self.played += played.compactMap(Self.unpaired)
    self.recorded.removeAll { request in
      guard let index = self.played.firstIndex(where: { $0.outline == request.outline }) else {
        return false
      }
      pairs[request.number] = self.played.remove(at: index).number
      return true
    }
  }

  /// The number that the played client gave to the request that was recorded under `number`; `nil`
  /// when it has sent no such request.
  func played(_ number: Int) -> Int? { pairs[number] }

  private static func unpaired(_ output: JSON) -> Unpaired? {
    guard let data = output["send"]?["d"], let number = data["r"]?.integer else { return nil }
    return Unpaired(
      number: number,
      outline: .array([
        data["a"] ?? .null, data["b"]?["p"] ?? .null, data["b"]?["t"] ?? .null,
        .bool(data["b"]?["h"] != nil),
      ]))
  }
}
