import ClientInterface
import HostedSDKs
import Runs
import TestKit
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
    let folder = try Folder()
    try folder.write(
      """
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
      """, to: "range.yaml")

    let check = try checkClient([folder.path("range.yaml")]) { makeDocumentedSDK($0) }

    #expect(check.passed, "\(check.text)")
  }
}
