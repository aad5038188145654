extension Query {
  /// The query as programs write it; nothing for everything in priority order.
  package var text: String {
    var parts = ordering.text.map { [$0] } ?? []
    if let start, let end, start == end, start.edge == .inclusive {
      parts.append("equalTo" + start.text)
    } else {
      if let start {
        parts.append((start.edge == .inclusive ? "startAt" : "startAfter") + start.text)
      }
      if let end { parts.append((end.edge == .inclusive ? "endAt" : "endBefore") + end.text) }
    }
    switch limit {
    case nil: break
    case let .first(count)?: parts.append("limitToFirst(\(count))")
    case let .last(count)?: parts.append("limitToLast(\(count))")
    }
    return parts.joined(separator: " ")
  }
}

extension Query.Ordering {
  fileprivate var text: String? {
    switch self {
    case .priority: nil
    case .key: "orderByKey()"
    case .value: "orderByValue()"
    case let .child(path): "orderByChild(\"\(path.relativeText)\")"
    }
  }
}

extension Query.Bound {
  fileprivate var text: String {
    let value = value?.json.text ?? "null"
    return key.map { "(\(value), \(JSON.string($0.string).text))" } ?? "(\(value))"
  }
}
