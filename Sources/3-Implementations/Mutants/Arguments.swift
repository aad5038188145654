internal import ClientInterface
internal import RunModel
internal import Tree
internal import Wire

// What is refused at the call, and where it is not.

extension Mutant {
  static let argumentMutants: [Mutant] = [
    Mutant(
      "bad-paths-are-taken", "A path with a forbidden key is not refused.", violating: "ERR-2 KEY-1"
    ).accepting { operation, code in
      code == "invalid_path" && operation.path?.keys.first != .info
        && operation.path?.keys.contains { $0.problem != nil } ?? false
    },
    Mutant(
      "long-paths-are-taken", "A path that is too deep or too long is not refused.",
      violating: "KEY-6"
    ).accepting { operation, code in
      code == "invalid_path" && operation.path?.keys.first != .info
        && operation.path?.keys.allSatisfy { $0.problem == nil } ?? false
    },
    Mutant("own-tree-is-written", "A write below .info is not refused.", violating: "ERR-7")
      .accepting { operation, code in
        code == "invalid_path" && operation.path?.keys.first == .info
      },
    Mutant(
      "bad-values-are-taken", "A value that cannot be stored is not refused.", violating: "ERR-3"
    ).accepting { _, code in code == "invalid_value" },
    Mutant("any-priority-is-taken", "A boolean as a priority is not refused.", violating: "PRI-4")
      .accepting { operation, code in
        let given = operation.arguments
        return code == "invalid_value"
          && (given.priority?.bool ?? given.value?.priority?.json.bool) != nil
      },
    Mutant(
      "set-alone-checks", "Arguments are checked in a set, and in no other call.",
      violating: "ERR-8"
    ).accepting { operation, _ in operation.kind != .set && operation.kind.family != .inspection },
    Mutant(
      "overlapping-names-are-taken", "An update may name a location and one below it.",
      violating: "WRT-25", in: [.wilddog2, .firebase]
    ).accepting { operation, _ in
      let names = operation.arguments.changes?.map(\.path) ?? []
      return names.indices.contains { index in
        names[..<index].contains { $0.isRelated(to: names[index]) }
      }
    },
    Mutant(
      "bad-queries-are-taken", "A query that contradicts itself is not refused.",
      violating: "QRY-2 ERR-4 ERR-9"
    ).outputs { step in
      step.outputs.map { output in
        guard case .threw(let call, "invalid_query") = output else { return output }
        return .answered(call, true)
      }
    },
    Mutant(
      "refusals-come-late", "A bad argument of a write is reported by its completion.",
      violating: "ERR-1"
    ).outputs { step in
      guard step.operation?.kind.family == .writing else { return nil }
      return step.outputs.map { output in
        guard case let .threw(call, code) = output else { return output }
        return .completed(call, Completion(error: code))
      }
    },
    Mutant(
      "refused-updates-are-shown", "An update that is refused at the call is shown all the same.",
      violating: "ERR-11"
    ).outputs { step in
      guard case let .update(path, _)? = step.operation, step.outputs.contains(where: \.isThrow)
      else { return nil }
      return step.outputs + step.before.values { $0.target.path == path }
    },
    Mutant(
      "refused-listens-throw", "The refusal of a listen throws an exception that no one catches.",
      violating: "ERR-14"
    ).outputs(when: \.isRefusal) { step in
      guard case .listen? = step.answered else { return nil }
      return step.outputs + [.uncaught(UncaughtException("no listener for the refused listen"))]
    },
    Mutant(
      "one-name-for-all-errors", "Whatever the server answers, a write fails with \"failure\".",
      violating: "ERR-5 ACC-6"
    ).outputs(when: { $0.response != nil }) { step in
      step.completions { if $1.error != nil { $1.error = "failure" } }
    },
  ]

  /// Does not refuse what it should: the call does nothing and succeeds.
  private func accepting(
    _ isAccepted: @escaping @Sendable (Operation, ErrorCode) -> Bool
  ) -> Mutant {
    outputs { step in
      step.outputs.compactMap { output in
        guard case let .threw(call, code) = output, let operation = step.operation,
          isAccepted(operation, code)
        else { return output }
        return operation.ending == .none ? nil : .completed(call, .ok)
      }
    }
  }
}

extension ClientOutput {
  fileprivate var isThrow: Bool {
    if case .threw = self { true } else { false }
  }
}
