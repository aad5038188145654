internal import ClientInterface
internal import Faults
internal import Scenario
public import Tree

/// What the page about the format and editors say of scenarios, made from the tables by which they
/// are read and written.
public enum ScenarioGrammar {
  /// The files that are made from the tables, from the folder of the repository.
  public static let schemaFile = "Specs/scenario.schema.json"
  /// The page whose tables are made from those of the reader.
  public static let pageFile = "Specs/scenario-format.md"

  /// The JSON Schema, for editors. It accepts all that the reader accepts; what a value means and what
  /// fits together only the reader knows.
  public static var schema: JSON {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A scenario",
      "description": .string(
        "One story with a checked outcome; see Specs/scenario-format.md. 'kennel check' finds what "
          + "a schema cannot."),
      "type": "object",
      "additionalProperties": false,
      "required": .array(Scenario.table.required.map { .string($0) }),
      "properties": properties(Scenario.table.keys),
      "$defs": [
        "parameter": ["type": "string", "pattern": #"\$\("#],
        "step": ["anyOf": [mapping, word]],
        "expectation": expectation,
        "trigger": ["type": "object", "properties": properties(Step.Trigger.kinds.keys)],
        "pattern": Matcher.schema,
      ],
    ]
  }

  static func properties(_ keys: [FieldKey]) -> JSON {
    .object(
      keys.map { key in
        let description = JSON.Member("description", .string(key.summary))
        return .init(key.name, .object([description] + (key.schema.members ?? [])))
      })
  }
}

// MARK: - Steps

extension ScenarioGrammar {
  private static let client = "[A-Za-z][A-Za-z0-9_-]*"

  /// What stands before the description of a step that a schema names for a client.
  private static var calls: [FieldKey] {
    Operation.Kind.allCases.map { FieldKey($0.rawValue, $0.summary) }
      + FaultVerb.all(of: .process).map(\.key)
  }

  /// The steps that begin with `network` or `server`.
  private static var faults: [FieldKey] {
    FaultVerb.all.filter { $0.group != .process }.map {
      FieldKey($0.step, $0.key.schema, $0.key.summary)
    }
  }

  /// What a step of a fault states: a client or a path alone, nothing, or these keys.
  static func fault(_ keys: [FieldKey]) -> JSON {
    ["type": ["string", "null", "object"], "properties": properties(keys + [trigger])]
  }

  private static let trigger = FieldKey(
    Reading.triggerKey, ["$ref": "#/$defs/trigger"],
    "When a fault happens: `{after: 30ms}` and the like.")

  private static var steps: [FieldKey] {
    Action.plain.map(\.key) + Expectation.Timing.keys
  }

  private static var mapping: JSON {
    // An editor completes these names; it checks those of all clients.
    let named = ["alice", "bob"].flatMap { client in
      calls.map { FieldKey("\(client).\($0.name)", $0.summary) }
    }
    return [
      "type": "object",
      "minProperties": 1,
      "properties": properties(faults + steps + named),
      "patternProperties": [
        "^\(client)\\.(\(calls.map(\.name).joined(separator: "|")))$": [
          "anyOf": [
            ["type": ["string", "null"]],
            ["type": "object", "properties": properties(arguments)],
          ]
        ],
        #"\$\("#: [:],
      ],
      "additionalProperties": false,
    ]
  }

  /// What calls state, each key once.
  private static var arguments: [FieldKey] {
    var keys: [FieldKey] = []
    for key in Operation.Kind.allCases.flatMap(\.table.keys)
    where !keys.contains(where: { $0.name == key.name }) {
      keys.append(key)
    }
    return keys + [trigger]
  }

  /// A step that is a plain word, because it needs no arguments.
  private static var word: JSON {
    let calls = Operation.Kind.allCases.filter(\.table.required.isEmpty).map(\.rawValue)
    let free = FaultVerb.all(of: .server).filter(\.isWord).map { #"server\.\#($0.key.name)"# }
    let words = Action.plain.map(\.key).filter { $0.schema == true } + Expectation.Timing.keys
    let plain = words.map(\.name) + free
    let own = calls + FaultVerb.all(of: .process).filter(\.isWord).map(\.key.name)
    return [
      "type": "string",
      "pattern": .string(
        "^(\(plain.joined(separator: "|"))|\(client)\\.(\(own.joined(separator: "|"))))$|\\$\\("),
    ]
  }
}

// MARK: - Expectations

extension ScenarioGrammar {
  private static var expectation: JSON {
    let keys = ExpectedEvent.table.keys
    let event: JSON = ["type": "object", "properties": properties(keys)]
    return [
      "type": ["object", "string", "null"],
      "properties": properties(StatedExpectation.table.keys),
      "patternProperties": [
        "^\(client)\\.": [
          "description":
            "The events of a listener as a list, or the outcome of a call: {ok: true}.",
          "anyOf": [
            ["type": "array", "items": ["anyOf": [event, ["$ref": "#/$defs/parameter"]]]],
            ["type": "object", "properties": properties(OutcomeExpectation.table.keys)],
            ["$ref": "#/$defs/parameter"],
          ],
        ],
        #"\$\("#: [:],
      ],
    ]
  }
}
