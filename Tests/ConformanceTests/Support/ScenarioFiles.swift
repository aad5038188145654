import Foundation
import Rules
import Scenario
import ScenarioFiles

/// The scenarios and rules of the project.
enum ScenarioFiles {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every scenario, in the order of the files. They are read once for all tests.
  static func scenarios() -> [Scenario] { all }

  private static let all = readScenarios()

  private static func readScenarios() -> [Scenario] {
    files(below: "Scenarios", suffix: ".yaml").flatMap { file -> [Scenario] in
      guard let data = contents(of: file) else { return [] }
      return ScenarioReader.read(file: file, bytes: data, load: contents).scenarios
    }
  }

  static func rules() -> RuleBook {
    RuleBook(
      files: files(below: "Specs/rules", suffix: ".md").map {
        (name: $0, text: String(decoding: contents(of: $0) ?? [], as: UTF8.self))
      })
  }

  private static func contents(of file: String) -> [UInt8]? {
    (try? Data(contentsOf: root.appending(path: file))).map { Array($0) }
  }

  private static func files(below directory: String, suffix: String) -> [String] {
    let names = FileManager.default.subpaths(atPath: root.appending(path: directory).path) ?? []
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(directory)/\($0)" }
  }
}
