internal import ClientInterface
package import Tree
internal import Wire

// What a client has of its listens by what the server sent: that is what it claims when it restores
// them (HSH-7). Nothing is said where the data of several listens may have met, or where the client
// may have given something up.

extension Listens {
  /// What a client is to claim with a listen that it restores; `nil` where it restores none, or that is
  /// not certain.
  package func claim(at path: Path, _ query: Query?) -> Node? {
    let filter = query?.onWire
    return lost.first { $0.path == path && $0.filter == filter }?.data
  }

  /// What a client has at a path by an answered listen to everything there or above; `nil` where it has
  /// none, or that is not certain: a window there or above may have brought later data.
  package func data(at path: Path) -> Node? {
    if isUnderWindow(path) { return nil }
    for index in entries.positions(.atOrAbove, path) {
      let entry = entries[index]
      if entry.filter == nil, entry.isAnswered, !entry.isCrossed, !entry.isMixed,
        let data = entry.data
      {
        return data[path.dropFirst(entry.path.count)]
      }
    }
    return nil
  }

  /// Whether a window at a path or above may have brought later data than a listen to everything there.
  private func isUnderWindow(_ path: Path) -> Bool {
    entries.first(.atOrAbove, path) { entries[$0].filter != nil && entries[$0].isReported } != nil
  }

  /// Whether there is anything to be restored.
  package var hasLost: Bool { !lost.isEmpty }

  /// Gives up what it is not certain that a client still has.
  package mutating func giveUp(where isGivenUp: (Entry) -> Bool) {
    lost.removeAll(where: isGivenUp)
  }

  /// A connection ends: what its listens have brought is what the client has of them.
  mutating func lose() {
    for var entry in entries.elements {
      giveUp { $0.path == entry.path && $0.filter == entry.filter }
      if entry.isCrossed || entry.isMixed { continue }
      if entry.filter == nil ? isUnderWindow(entry.path) : !entry.isReported { continue }
      entry.data = entry.isAnswered ? entry.data : entry.claimed
      if entry.data != nil { lost.append(entry) }
    }
  }

  /// A listen is sent with a hash: it is a restored one, or says that nothing is there.
  mutating func claim(_ entry: inout Entry, hash: String) {
    if let own = claim(at: entry.path, entry.filter), own.isClaimed(by: hash, entry.filter) {
      (entry.data, entry.claimed) = (own, own)
    } else if hash.isEmpty {
      entry.data = .empty
    }
    if lost.isEmpty { return }
    let filter = entry.filter
    let path = entry.path
    giveUp { $0.path == path && $0.filter == filter || filter == nil && $0.path.starts(with: path) }
  }

  /// The server sent data for everybody.
  mutating func learn(_ path: Path, _ node: Node) {
    let ending = takenBack
    entries.update(.related, path) { $0?.learn(path, node, besides: ending) }
    if !lost.isEmpty { giveUp { $0.path.isRelated(to: path) } }
  }

  /// What is known of a location may have been given up.
  mutating func doubt(_ path: Path) {
    entries.update(.related, path) { $0?.forget() }
    if !lost.isEmpty { giveUp { $0.path.isRelated(to: path) } }
  }
}

extension Listens.Entry {
  /// The server sent for everybody what is at a path, which is related to that of the listen, while
  /// others are being taken back.
  fileprivate mutating func learn(
    _ place: Path, _ node: Node, besides ending: [(request: Int, entry: Listens.Entry)]
  ) {
    if filter != nil { return data = nil }
    learn(place, node)
    if !isAnswered, ending.contains(where: { $0.entry.path.isRelated(to: path) }) {
      isDisturbed = true
    }
  }

  fileprivate mutating func forget() { (data, claimed) = (nil, nil) }

  /// The server sent what is at a path, which is related to that of the listen.
  mutating func learn(_ place: Path, _ node: Node) {
    claimed = nil
    guard let below = place.relative(to: path), !below.isRoot else {
      (data, isDisturbed) = (node[path.dropFirst(place.count)], false)
      return
    }
    data = data?.setting(node, at: below)
    // Data of the listen itself for parts of its location look the same.
    if filter == nil, !isAnswered { isDisturbed = true }
  }
}

extension Node {
  /// Whether a listen with this hash claims this. A client may leave out of a window what it would show
  /// no longer.
  package func isClaimed(by hash: String, _ filter: Query?) -> Bool {
    self.hash == hash || filter.map { $0.window(of: self).node.hash == hash } ?? false
  }
}
