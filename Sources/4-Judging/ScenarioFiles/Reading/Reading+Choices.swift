import ClientInterface
import Document
import Scenario
import Tree
import Wire

extension Reading {
  /// `[{message: 3, from: CLIENT, late: D}, {order: calls, is: [0, 1]}]` and the like, each choice
  /// once. An empty list is right: it makes every choice the benign one.
  mutating func readChoices(_ node: DocumentNode) -> [Scenario.Choice] {
    guard case let .list(elements) = node.content else {
      mismatch("choices", node, expected: "a list of choices; [] makes all of them benign")
      return []
    }
    var choices: [Scenario.Choice] = []
    for element in elements {
      guard let choice = choice(element) else { continue }
      if choices.contains(where: { $0.isSameChoice(as: choice) }) {
        report(element.position, "\(choice) is a choice made above; expected each once")
      } else {
        choices.append(choice)
      }
    }
    return choices
  }

  private static let choiceKinds = ["seed", "message", "connection", "form", "order"]

  private mutating func choice(_ node: DocumentNode) -> Scenario.Choice? {
    guard case let .mapping(entries) = node.content else {
      mismatch(
        "an element of choices", node,
        expected: "a mapping such as {message: 3, from: alice, late: 2ms}")
      return nil
    }
    guard let kind = entries.first?.key, Self.choiceKinds.contains(kind) else {
      let found = entries.first.map { "begins with \(quoted($0.key))" } ?? "is empty"
      report(
        node.position,
        "an element of choices \(found); expected \(alternatives(Self.choiceKinds)) first")
      return nil
    }
    switch kind {
    case "seed": return seedChoice(node)
    case "message": return messageChoice(node)
    case "connection": return connectionChoice(node)
    case "form": return formChoice(node)
    default: return orderChoice(node)
    }
  }

  private mutating func seedChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard let value = fields(of: node, "a seed", keys: ["seed"])?["seed"] else { return nil }
    if case let .string(text) = value.content, let seed = UInt64(text) { return .seed(seed) }
    if let number = value.json.number, let seed = UInt64(exactly: number), seed < 1 << 53 {
      return .seed(seed)
    }
    report(
      value.position,
      "seed is \(value.flowText); expected a whole number, in quotes from 2^53 up")
    return nil
  }

  private mutating func messageChoice(_ node: DocumentNode) -> Scenario.Choice? {
    let what = "the choice for a message"
    guard
      let fields = fields(
        of: node, what, keys: ["message", "from", "to", "late"], required: ["late"])
    else { return nil }
    let from = fields.entry("from")
    let to = fields.entry("to")
    if let from, to != nil {
      report(from.keyPosition, "from and to are both given; expected one of them")
    }
    guard let end = from ?? to else {
      report(node.position, "\(what) has neither from nor to; expected from: CLIENT or to: CLIENT")
      return nil
    }
    let client = knownClient(end.value, end.key)
    guard let number = fields["message"].flatMap({ count($0, "message", atLeast: 1) }),
      let late = fields["late"].flatMap({ lateness($0) }), let client
    else { return nil }
    return .message(number, from == nil ? .toClient : .fromClient, client: client, late: late)
  }

  private mutating func connectionChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard
      let fields = fields(
        of: node, "the choice for a connection", keys: ["connection", "of", "late"],
        required: ["of", "late"])
    else { return nil }
    let client = fields["of"].flatMap { knownClient($0, "of") }
    guard let number = fields["connection"].flatMap({ count($0, "connection", atLeast: 1) }),
      let late = fields["late"].flatMap({ lateness($0) }), let client
    else { return nil }
    return .connection(number, client: client, late: late)
  }

  private mutating func formChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard
      let fields = fields(
        of: node, "the choice of a form", keys: ["form", "to", "is"], required: ["to", "is"])
    else { return nil }
    let client = fields["to"].flatMap { knownClient($0, "to") }
    guard let number = fields["form"].flatMap({ count($0, "form", atLeast: 1) }),
      let form = fields["is"].flatMap({ choice($0, "is", as: WireForm.self) }), let client
    else { return nil }
    return .form(number, client: client, form)
  }

  private mutating func orderChoice(_ node: DocumentNode) -> Scenario.Choice? {
    guard
      let fields = fields(of: node, "an order", keys: ["order", "is"], required: ["is"]),
      let scope = fields["order"].flatMap({ choice($0, "order", as: Scenario.OrderScope.self) }),
      let value = fields["is"]
    else { return nil }
    guard case let .list(elements) = value.content else {
      mismatch("is", value, expected: "a list of whole numbers")
      return nil
    }
    return .order(scope, elements.compactMap { count($0, "a move", atLeast: 0) })
  }

  private mutating func knownClient(_ node: DocumentNode, _ what: String) -> String? {
    guard let name = string(node, what), checkClient(name, at: node.position) else {
      return nil
    }
    return name
  }

  private mutating func lateness(_ node: DocumentNode) -> Interval? {
    guard let late = interval(node, "late") else { return nil }
    guard late.nanoseconds.isMultiple(of: Scenario.Choice.latencyUnit.nanoseconds) else {
      report(node.position, "late is \(node.flowText); expected tenths of a millisecond")
      return nil
    }
    return late
  }
}
