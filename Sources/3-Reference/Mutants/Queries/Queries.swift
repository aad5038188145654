internal import ClientInterface
internal import Tree

// Which children a query is about.

extension Mutant {
  static let queryMutants = [
    Mutant(
      "single-read-unfiltered", "A single read has all children, whatever its query.", from: "R22"
    ) { input, _ in
      guard case .call(let call, .once(let listener, var target, let event)) = input else {
        return [input]
      }
      target.query = Query(ordering: target.query.ordering)
      return [.call(call, .once(listener, target, event))]
    },
    Mutant(
      "key-of-a-bound-ignored", "A range begins at a value, whatever key it names.",
      from: "R29 R33", violating: "QRY-10 QRY-29"
    ) { input, _ in
      [input.withQuery { $0.start?.key = nil }]
    },
    Mutant(
      "end-key-ignored", "A range ends at a value, whatever key it names.", from: "R33",
      violating: "QRY-10"
    ) {
      input, _ in
      [input.withQuery { $0.end?.key = nil }]
    },
    Mutant(
      "start-after-includes", "In the order of keys a range has the key that it comes after.",
      from: "R30", violating: "QRY-12"
    ) { input, _ in
      [input.withQuery { if $0.ordering == .key { $0.start?.edge = .inclusive } }]
    },
    Mutant(
      "end-before-includes", "A range has what it ends before.", from: "R30", violating: "QRY-12"
    ) { input, _ in
      [input.withQuery { $0.end?.edge = .inclusive }]
    },
    Mutant(
      "successor-of-push-ids",
      "The key after another one is taken for that key with a hyphen: some in between are lost.",
      from: "R31", violating: "QRY-12"
    ) { input, _ in
      [
        input.withQuery { query in
          guard query.ordering == .key, let start = query.start, start.edge == .exclusive,
            case let .string(key)? = start.value
          else { return }
          query.start = Query.Bound(.string(Text(key.string + "-")))
        }
      ]
    },
    Mutant(
      "ranges-are-ignored",
      "A query without a limit has all children.", from: "R19", violating: "QRY-9 QRY-11 SNP-10"
    ) { input, _ in
      [
        input.withQuery { query in
          guard query.limit == nil else { return }
          query.start = nil
          query.end = nil
        }
      ]
    },
    Mutant(
      "orders-by-priority-only", "A query orders by priority whatever it names.", from: "R35 H8",
      violating: "QRY-4"
    ) { input, _ in
      [input.withQuery { if case .child = $0.ordering { $0.ordering = .priority } }]
    },
    Mutant(
      "deep-names-are-keys", "Ordering by a child looks for its first name only.", from: "R35",
      violating: "QRY-4"
    ) { input, _ in
      [
        input.withQuery { query in
          guard case let .child(path) = query.ordering, let key = path.keys.first else { return }
          query.ordering = .child(Path([key]))
        }
      ]
    },
    Mutant(
      "ranges-within-one-kind",
      "A range has only values of the kind of its bounds, as in the first edition.", from: "R29",
      violating: "QRY-14",
      in: [.wilddog2, .firebase], reading: { $0.ranges = .withinKind }),
  ]
}

extension ClientInput {
  /// What is listened to or read.
  var target: Operation.Target? {
    if case let .call(_, operation) = self { operation.registration?.target } else { nil }
  }

  /// The same with another query, where something is listened to, read, removed or held.
  func withQuery(_ change: (inout Query) -> Void) -> ClientInput {
    guard case let .call(call, operation) = self else { return self }
    return .call(
      call,
      operation.mapArguments { given in
        guard var query = given.query else { return }
        change(&query)
        given.query = query
      })
  }
}
