import AdapterSessions
import Hunting
import ServerHost
import Testing

@testable import Runs

@Suite struct HuntPlanTests {
  private func seconds(timeout: Int?, size: Int = 120, server: String? = nil) -> Int64 {
    var plan = HuntCampaign.Plan()
    plan.hunt.settings = HuntSettings(size: size)
    plan.hunt.server.url = server
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
    #expect(seconds(timeout: nil, server: "http://127.0.0.1:1/") == 200)
  }

  @Test func `a hunt of a server goes on with that server, and with how it was made`() {
    var first = HuntOptions()
    first.settings.profile = "firebase"
    first.server.command = "serve {port}"
    first.server.usesREST = true
    first.server.lacks = ["get", "push"]
    first.settings.chunkLength = 7
    #expect(first.problem == nil)

    var second = HuntOptions()
    guard case let .settings(settings) = HuntSettings.read(first.settings.json) else {
      Issue.record("the settings cannot be read")
      return
    }
    second.resume(settings)

    #expect(second.server.command == "serve {port}" && second.server.usesREST)
    #expect(second.server.lacks == ["get", "push"])
    #expect(second.settings == first.settings)
    #expect(!second.settings.isGuided && !second.settings.hasShadow)
    second.server.url = "http://127.0.0.1:1/"
    #expect(second.settings.difference(from: first.settings)?.hasPrefix("the server ") == true)
  }
}
