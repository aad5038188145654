import AdapterSessions
import Hunting
import Testing

@testable import Runs

@Suite struct HuntPlanTests {
  private func seconds(timeout: Int?, size: Int = 120) -> Int64 {
    var plan = HuntCampaign.Plan()
    plan.hunt.settings = HuntSettings(size: size)
    if let timeout {
      plan.hunt.adapter = AdapterOptions(command: ["client"]) { _ in }
      plan.hunt.adapter?.timeout = timeout
    }
    return plan.timeout(20) / 1_000_000_000
  }

  @Test("Workers get as much more time as their client, and more for large scenarios")
  func timeouts() {
    #expect(seconds(timeout: nil) == 20)
    #expect(seconds(timeout: 1000) == 20)
    #expect(seconds(timeout: 5000) == 20)
    #expect(seconds(timeout: 60_000) == 240)
    #expect(seconds(timeout: nil, size: 20_000) == 60)
  }
}
