package import ClientEngine

extension Application {
  /// The application that is calling: that of the program unless a test has made another one.
  @TaskLocal package static var current = make()

  private static func make() -> Application {
    Application { error in
      error.endProgram()
    } makeEngine: { address, edition, configuration in
      MachinePlatform.makeEngine(address, address.profile(in: edition), configuration)
    }
  }

  private static let others = Others()

  /// Another application of the program, which is made when it is first asked for: with connections, users
  /// and files of its own, and the settings that the first one has then.
  package static func named(_ name: String) -> Application {
    others.application(name) {
      let application = make()
      application.configuration = current.configuration
      application.configuration.name = name
      return application
    }
  }

  /// Unchecked: what is known is used with `lock` taken.
  private final class Others: @unchecked Sendable {
    private let lock = SerialLock()
    private var known: [String: Application] = [:]

    func application(_ name: String, orMake make: () -> Application) -> Application {
      lock.locked {
        if let application = known[name] { return application }
        let new = make()
        known[name] = new
        return new
      }
    }
  }
}
