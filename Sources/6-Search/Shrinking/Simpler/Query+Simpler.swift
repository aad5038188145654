internal import Tree

extension Query {
  /// Queries with less in them, the simplest first.
  var simpler: [Query] {
    if self == .all { return [] }
    var result = [Query.all]
    func add(_ change: (inout Query) -> Void) {
      var copy = self
      change(&copy)
      if copy != self, copy.isAllowed { result.append(copy) }
    }
    add { $0.start = nil }
    add { $0.end = nil }
    add { $0.limit = nil }
    add { $0.ordering = .priority }
    add { $0.limit = $0.limit?.one }
    add { $0.limit = $0.limit?.less }
    add { query in
      query.start?.key = nil
      query.end?.key = nil
    }
    add { query in
      query.start?.edge = .inclusive
      query.end?.edge = .inclusive
    }
    return result
  }

  /// Whether a file may say it: priorities are never true or false.
  private var isAllowed: Bool {
    guard ordering == .priority else { return true }
    return [start?.value, end?.value].allSatisfy { value in
      if case .bool? = value { false } else { true }
    }
  }
}

extension Query.Limit {
  fileprivate var one: Self {
    switch self {
    case .first: .first(1)
    case .last: .last(1)
    }
  }

  fileprivate var less: Self {
    switch self {
    case let .first(count): .first(max(1, count - 1))
    case let .last(count): .last(max(1, count - 1))
    }
  }
}
