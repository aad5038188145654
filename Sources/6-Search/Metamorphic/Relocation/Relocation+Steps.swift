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
      given.function = given.function.map { $0.mapValues { renaming($0) } }
      given.inspection = try given.inspection.map(inspection)
    }
  }
}
