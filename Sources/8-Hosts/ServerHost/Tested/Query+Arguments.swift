import LiveServer
import Tree

extension Query {
  /// The query as arguments of a request of REST; nil for one with an end that only the protocol is documented to have:
  /// exclusive, null, or with a key.
  var arguments: [HTTPRequest.Argument]? {
    let ends = [start, end].compactMap(\.self)
    guard ends.allSatisfy({ $0.edge == .inclusive && $0.key == nil && $0.value != nil }) else {
      return nil
    }
    var arguments = [HTTPRequest.Argument("orderBy", JSON.string(ordering.nameOfREST).text)]
    let isOne = start != nil && start == end
    for (name, end) in isOne ? [("equalTo", start)] : [("startAt", start), ("endAt", end)] {
      if let value = end?.value { arguments.append(.init(name, value.json.text)) }
    }
    switch limit {
    case let .first(count)?: arguments.append(.init("limitToFirst", "\(count)"))
    case let .last(count)?: arguments.append(.init("limitToLast", "\(count)"))
    case nil: break
    }
    return arguments
  }
}

extension Query.Ordering {
  fileprivate var nameOfREST: String {
    switch self {
    case .key: "$key"
    case .value: "$value"
    case .priority: "$priority"
    case let .child(path): path.relativeText
    }
  }
}
