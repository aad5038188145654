package import System

/// What a command line means that leaves it open: what a project file says.
package struct CommandDefaults {
  /// Values of options, by the keys of the project file.
  package var values: [String: [String]] = [:]
  /// The scenarios of a command that is about all of them.
  package var scenarios: [String] = []
  /// The command of the adapter; empty for none.
  package var adapter: [String] = []
  /// Why the adapter must not be started; `nil` where it may be.
  package var objection: String?

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
    for option in grammar.options {
      guard let values = option.projectKey.flatMap({ defaults.values[$0] }) else { continue }
      let isOpen = !given.contains(option.name) && !option.excludes.contains(where: given.contains)
      if !isOpen || option.needsAdapter && adapter == nil { continue }
      // A list says nothing about a command that takes one.
      if values.count > 1, !option.isRepeatable { continue }
      options += values.map { (option.name, $0) }
    }
    if operands.isEmpty, grammar.operands.hasPrefix("[PATH|ID") { operands = defaults.scenarios }
  }
}
