internal import ClientInterface
internal import Tree
internal import Wire

extension ModelClient {
  /// Computes what views have to do with each other and with what is pending.
  mutating func relate() {
    needsRelating = false
    for index in views.indices {
      views[index].bits =
        ModelField.number(.query, kind(of: views[index].query)) | pending(over: views[index].path)
        | ModelField.number(.overlap, overlap(of: index))
    }
  }

  private func kind(of query: Query?) -> Int {
    guard let query else { return 1 }
    return query.limit == nil ? 2 : 3
  }

  private func overlap(of index: Int) -> Int {
    var overlap = 0
    let path = views[index].path
    for other in views.indices where other != index {
      let there = views[other].path
      if path.starts(with: there) {
        overlap |= path.count == there.count ? 1 : 2
      } else if there.starts(with: path) {
        overlap |= 4
      }
    }
    return overlap
  }

  private func pending(over path: Path) -> UInt32 {
    var relation = 0
    var phase = Phase.none
    for write in writes {
      let isAbove = path.starts(with: write.path)
      guard isAbove || write.path.starts(with: path) else { continue }
      if write.phase.rawValue > phase.rawValue { phase = write.phase }
      guard write.phase == .none else { continue }
      let found = !isAbove ? 3 : path.count == write.path.count ? 1 : 2
      relation = relation == 0 ? found : 4
    }
    return ModelField.number(.pending, relation)
      | ModelField.number(.transaction, phase.rawValue)
  }
}

extension Query {
  /// The query as the server knows it; `nil` for one that only orders (WIR-13).
  var onServer: Query? { filters ? self : nil }
}
