import ClientInterface
import HostedSDKs
import Runs
import Testing

@Suite struct ScenarioTests {
  @Test(arguments: [Profile.wilddog1, .wilddog2, .firebase])
  func `every scenario passes through the documented interface, and none lacks one`(
    profile: Profile
  ) throws {
    let check = try checkClient(profiles: [profile]) { makeDocumentedSDK($0) }
    let other = check.text.split(separator: "\n").filter {
      $0.contains("unsupported: ") && !$0.contains("unsupported: it is for ")
    }

    #expect(check.passed, "\(check.text)")
    #expect(other == [])
  }
}
