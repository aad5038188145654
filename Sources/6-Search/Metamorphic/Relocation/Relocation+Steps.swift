internal import ClientInterface
internal import Scenario
internal import Tree

extension Relocation {
  func steps(_ steps: [Step]) throws(UnsupportedReason) -> [Step] {
    var mapping = ActionMapping<UnsupportedReason>()
    mapping.call = { call throws(UnsupportedReason) in
      var copy = call
      copy.operation = try operation(call.operation)
      return copy
    }
    mapping.path = path
    mapping.node = node
    mapping.assignments = assignments
    var moved: [Step] = []
    for step in steps {
      var copy = try step.mapped(mapping)
      copy.expectation = try step.expectation.map(expectation)
      moved.append(copy)
    }
    return moved
  }

  private func operation(
    _ operation: ClientInterface.Operation
  ) throws(UnsupportedReason) -> ClientInterface.Operation {
    try operation.mapArguments { given throws(UnsupportedReason) in
      let location = given.path ?? .root
      given.path = try given.path.map(path)
      given.query = try given.query.map(query)
      given.value = try given.value.map { value throws(UnsupportedReason) in
        try node(value, at: location)
      }
      given.changes = try given.changes.map { parts throws(UnsupportedReason) in
        try assignments(parts, at: location)
      }
      given.function = given.function.map(function)
      given.inspection = try given.inspection.map(inspection)
    }
  }

  private func function(_ function: TransactionFunction) -> TransactionFunction {
    switch function {
    case let .set(value): .set(renaming(value))
    case let .setIfNull(value): .setIfNull(renaming(value))
    case let .merge(value): .merge(renaming(value))
    case let .setIfNullOrFail(value): .setIfNullOrFail(renaming(value))
    case .increment, .abort, .fail: function
    }
  }
}
