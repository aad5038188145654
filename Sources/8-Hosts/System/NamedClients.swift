package import Document

/// An implementation to which a project file gives a name.
package struct NamedClient: Hashable {
  /// What `--client` and reports call it.
  package var name: String
  /// The command of its adapter.
  package var command: [String]
  /// Which version it is; nil for the one that its adapter states.
  package var version: String?
  /// The list of its known failures; nil for none.
  package var known: String?
  /// Where the project file describes it.
  package var location: FileLocation

  package init(
    name: String, command: [String], version: String? = nil, known: String? = nil,
    location: FileLocation
  ) {
    (self.name, self.command, self.version) = (name, command, version)
    (self.known, self.location) = (known, location)
  }
}

/// The implementations to which a project file gives names.
package struct NamedClients {
  /// In the order of the file.
  package var all: [NamedClient]
  /// Why none of them must be started; nil where the file is trusted.
  private let objection: String?

  package init(_ all: [NamedClient] = [], objection: String? = nil) {
    (self.all, self.objection) = (all, objection)
  }

  /// The one with a name; nil where there is none.
  ///
  /// - Throws: `Failure.unusable` for one that must not be started.
  package func named(_ name: String) throws(Failure) -> NamedClient? {
    guard let client = all.first(where: { $0.name == name }) else { return nil }
    if let objection { throw .unusable(objection) }
    return client
  }

  /// The one that a command starts; nil where none has this command.
  package func started(by command: [String]) -> NamedClient? {
    all.first { $0.command == command }
  }
}
