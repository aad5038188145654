import ClientInterface
import Foundation
import HostedSDKs
import Runs
import Testing

@Suite struct ScenarioTests {
  /// One group of scenarios for each profile; `tools/test` runs all of them with the optimised
  /// program.
  @Test(arguments: [(Profile.wilddog1, "events"), (.wilddog2, "transactions"), (.firebase, "get")])
  func `scenarios pass through the documented interface, and none lacks one`(
    profile: Profile, group: String
  ) throws {
    let check = try checkClient([group], profiles: [profile]) { makeDocumentedSDK($0) }
    let other = check.text.split(separator: "\n").filter {
      $0.contains("unsupported: ") && !$0.contains("unsupported: it is for ")
    }

    #expect(check.passed, "\(check.text)")
    #expect(other == [])
  }

  @Test func `a range that excludes its only value is not taken for that value`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    try """
    kennel: 1
    title: Nothing lies between a value and itself
    rules: [QRY-12]
    profiles: [firebase]
    clients: [alice]
    data: {room: {a: x}}
    steps:
      - alice.listen:
          path: room
          event: value
          query: {orderBy: .value, startAfter: x, endBefore: x}
          as: feed
      - expect: {alice.feed: [{value: null}]}
    """.write(to: file, atomically: true, encoding: .utf8)

    let check = try checkClient([file.path]) { makeDocumentedSDK($0) }

    #expect(check.passed, "\(check.text)")
  }
}
