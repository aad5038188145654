import Adapters
import ClientInterface
import Foundation
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct ReplayTests {
  @Test func `dev report`() throws {
    let root = ProcessInfo.processInfo.environment["RECORDINGS"] ?? ""
    guard !root.isEmpty else { return }
    var byTheme: [String: (Int, Int, Int, Int)] = [:]
    for client in ["wilddog-js-2.0.0", "firebase-js-12.18"] {
      let profile: Profile = client.hasPrefix("w") ? .wilddog2 : .firebase
      for file in try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(client)").sorted() {
        let text = try String(contentsOfFile: "\(root)/\(client)/\(file)", encoding: .utf8)
        let replay = Replay(
          of: try Recording(text), with: ReferenceClient(profile: profile), in: profile.dialect)
        let key = client + " " + file.prefix { $0 != "-" }
        let old = byTheme[key] ?? (0, 0, 0, 0)
        byTheme[key] = (
          old.0 + replay.groups, old.1 + replay.groupsWithOutput, old.2 + replay.differences.count,
          old.3 + replay.frameDifferences.count
        )
        for d in replay.differences.prefix(2) {
          print("--- \(client)/\(file):\(d.line) \(String(describing: d.input).prefix(200))")
          for e in d.expected where !d.observed.contains(e) { print("   want \(e.text.prefix(230))") }
          for e in d.observed where !d.expected.contains(e) { print("   got  \(e.text.prefix(230))") }
          if d.expected.count == d.observed.count, d.expected.allSatisfy({ d.observed.contains($0) }) {
            for e in d.expected { print("   want \(e.text.prefix(130))") }
            for e in d.observed { print("   got  \(e.text.prefix(130))") }
          }
        }
        for d in replay.frameDifferences.prefix(1) {
          print("=== \(client)/\(file):\(d.line) frames \(String(describing: d.input).prefix(100))")
          for e in d.expected { print("   want \(e.text.prefix(230))") }
          for e in d.observed { print("   got  \(e.text.prefix(230))") }
        }
      }
    }
    for (key, value) in byTheme.sorted(by: { $0.key < $1.key }) { print(key, value) }
  }
}
