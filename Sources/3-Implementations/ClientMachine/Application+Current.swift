package import ClientEngine
internal import ClientInterface
internal import Wire

extension Application {
  /// The application that is calling: that of the program unless a test has made another one.
  @TaskLocal package static var current = Application { misuse in
    preconditionFailure("\(misuse)")
  } makeEngine: { address, edition, configuration in
    let profile: Profile =
      switch (address.dialect, edition) {
      case (.firebase, _): .firebase
      case (.wilddog, .first): .wilddog1
      case (.wilddog, .second): .wilddog2
      }
    return MachinePlatform.makeEngine(address, profile, configuration)
  }
}
