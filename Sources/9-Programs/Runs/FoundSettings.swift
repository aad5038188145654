package import Scenario
import System

extension RunSettings {
  /// The settings with what a hunt needed to find a scenario: profile, seed and shadow, each unless it is stated.
  package func asFound(_ scenario: Scenario) -> RunSettings {
    guard let words = scenario.find?.options.prefix(while: { $0 != "--" }) else { return self }
    func value(of option: String) -> String? {
      words.firstIndex(of: option).flatMap { words[($0 + 1)...].first }
    }
    var settings = self
    if profiles.isEmpty { settings.profiles = [value(of: "--profile")].compactMap(\.self) }
    if seed == nil, seeds == nil { settings.seed = value(of: "--seed").flatMap { UInt64($0) } }
    settings.hasShadow = hasShadow || words.contains("--shadow")
    return settings
  }

  /// The options of `kennel run` that a scenario brings because a hunt has found it; nil for any other scenario.
  package func wordsOfFind(_ scenario: Scenario) -> String? {
    guard scenario.find != nil else { return nil }
    return Self.options.only("profile", "seed", "shadow").words(of: asFound(scenario))
      .joined(separator: " ")
  }
}
