import ClientInterface
import Testing
import Tree
import Wire

/// What is stated of each kind of operation agrees: its parameters, the arguments that an operation
/// has, and the operation that is made of them.
@Suite struct OperationTests {
  private static let everything: Operation.Arguments = {
    var arguments = Operation.Arguments()
    arguments.listener = "first"
    arguments.path = "room/a"
    arguments.query = Query(ordering: .key)
    arguments.events = [.childAdded]
    arguments.event = .childMoved
    arguments.value = Node(.number(1))
    arguments.changes = [Assignment("b", Node(.bool(true)))]
    arguments.priority = .some(.null)
    arguments.function = .increment(2)
    arguments.localEvents = .hidden
    arguments.synchronization = .on
    arguments.token = "secret"
    arguments.inspection = Inspection(.reference("a"), "key")
    arguments.reaction = Reaction(in: .completion("w"), [.init("x", .remove("room/b"))])
    return arguments
  }()

  @Test(arguments: Operation.Kind.allCases)
  func `an operation has the arguments that its kind has parameters for`(
    _ kind: Operation.Kind
  )
    throws
  {
    let operation = try #require(Operation(kind, Self.everything))

    #expect(operation.kind == kind)
    #expect(Operation(kind, operation.arguments) == operation)
    let names = kind.parameters.map { Self.keyPath(of: $0) }
    for parameter in Self.parameters {
      let isStated = Self.isStated(parameter, in: operation.arguments)
      #expect(isStated == names.contains(Self.keyPath(of: parameter)), "\(parameter)")
    }
  }

  @Test(arguments: Operation.Kind.allCases)
  func `no operation is made without an argument that it needs`(_ kind: Operation.Kind) {
    for parameter in kind.parameters {
      var arguments = Self.everything
      Self.remove(parameter, from: &arguments)
      let canDoWithout = [.query, .optionalPath, .optionalValue].contains(parameter)

      #expect((Operation(kind, arguments) != nil) == canDoWithout, "\(parameter)")
    }
  }

  private static let lists: [(written: JSON, handed: JSON)] = [
    (["0": "a", "2": "b"], ["a", .null, "b"]), (["1": "a", "2": "b"], [.null, "a", "b"]),
    (["0": "a", "3": "b"], ["0": "a", "3": "b"]), (["00": "a"], ["00": "a"]),
    (["-1": "a", "0": "b"], ["-1": "a", "0": "b"]), (["0": "a", "x": "b"], ["0": "a", "x": "b"]),
  ]

  @Test(arguments: lists)
  func `a list is handed over with null where one of its elements is missing`(
    written: JSON, handed: JSON
  ) throws {
    let operation = Operation.set("room", Node(json: written))

    #expect(operation.json["value"] == handed)
    #expect(try Operation(json: operation.json) == operation)
  }

  private static let parameters: [Operation.Parameter] = [
    .listener, .path, .query, .events, .event, .value, .changes, .priority, .function, .localEvents,
    .synchronization, .token, .inspection, .reaction,
  ]

  private static func keyPath(of parameter: Operation.Parameter) -> AnyKeyPath {
    switch parameter {
    case .listener: \Operation.Arguments.listener
    case .path, .optionalPath: \Operation.Arguments.path
    case .query: \Operation.Arguments.query
    case .events: \Operation.Arguments.events
    case .event: \Operation.Arguments.event
    case .value, .optionalValue: \Operation.Arguments.value
    case .changes: \Operation.Arguments.changes
    case .priority: \Operation.Arguments.priority
    case .function: \Operation.Arguments.function
    case .localEvents: \Operation.Arguments.localEvents
    case .synchronization: \Operation.Arguments.synchronization
    case .token: \Operation.Arguments.token
    case .inspection: \Operation.Arguments.inspection
    case .reaction: \Operation.Arguments.reaction
    }
  }

  private static func isStated(
    _ parameter: Operation.Parameter, in arguments: Operation.Arguments
  ) -> Bool {
    var without = arguments
    remove(parameter, from: &without)
    return without != arguments
  }

  private static func remove(
    _ parameter: Operation.Parameter, from arguments: inout Operation.Arguments
  ) {
    switch parameter {
    case .listener: arguments.listener = nil
    case .path, .optionalPath: arguments.path = nil
    case .query: arguments.query = nil
    case .events: arguments.events = nil
    case .event: arguments.event = nil
    case .value, .optionalValue: arguments.value = nil
    case .changes: arguments.changes = nil
    case .priority: arguments.priority = nil
    case .function: arguments.function = nil
    case .localEvents: arguments.localEvents = nil
    case .synchronization: arguments.synchronization = nil
    case .token: arguments.token = nil
    case .inspection: arguments.inspection = nil
    case .reaction: arguments.reaction = nil
    }
  }
}
