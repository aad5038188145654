package import System

/// What a command line means that leaves it open: what a project file says.
package struct CommandDefaults {
  /// Values of options, by their names.
  package var options: [(name: String, value: String)] = []
  /// The scenarios of a command that is about all of them.
  package var scenarios: [String] = []
  /// The command of the adapter; empty for none.
  package var adapter: [String] = []
  /// Why the adapter must not be started; `nil` where it may be.
  package var objection: String?
  /// Options of which one makes an option meaningless that is not given.
  package var exclusions: [String: [String]] = [:]

  package init() {}
}

extension Arguments {
  /// Takes over what is not on the command line and the command has: values of options, the adapter
  /// unless another client is named, and scenarios unless any are.
  ///
  /// - Throws: `Failure.unusable` for an adapter that must not be started.
  package mutating func take(_ defaults: CommandDefaults, by grammar: Grammar) throws(Failure) {
    if grammar.takesAdapter, adapter == nil, !contains("client"), !defaults.adapter.isEmpty {
      if let objection = defaults.objection { throw .unusable(objection) }
      adapter = defaults.adapter
    }
    let given = options.map(\.name)
    for (name, value) in defaults.options
    where !given.contains(name) && grammar.options.contains(where: { $0.name == name }) {
      let others = defaults.exclusions[name] ?? []
      if others.contains(where: given.contains) { continue }
      if name == "timeout", adapter == nil { continue }
      options.append((name, value))
    }
    if operands.isEmpty, grammar.operands.hasPrefix("[PATH|ID") { operands = defaults.scenarios }
  }
}
