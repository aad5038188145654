import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct KeepAliveTests {
  private func later(_ driver: inout CaseDriver, by seconds: Int) {
    driver.now = driver.now + .seconds(seconds)
  }

  @Test func `after silence the client asks for a keep-alive, and waits again when it comes`() {
    var driver = CaseDriver.connected()
    later(&driver, by: 45)

    #expect(driver.feed(.timer(3)).map { $0.hasPrefix("send") } == [true, false])
    #expect(driver.feed(.frame(.pong)) == [])
    #expect(driver.feed(.timer(3)) == ["timer 3 keep-alive"])
  }

  @Test func `what is reported puts the question off, what is sent does not`() {
    var driver = CaseDriver.connected()
    later(&driver, by: 30)
    _ = driver.feed(.frame(.notice("text")))
    later(&driver, by: 15)
    #expect(driver.feed(.timer(3)) == ["timer 3 keep-alive"])
    later(&driver, by: 30)
    _ = driver.set("w", "a", 1)
    #expect(driver.feed(.timer(3)).count == 2)
  }

  @Test func `without a keep-alive the connection is lost`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("info", ".info/connected", to: [.value])
    later(&driver, by: 45)
    _ = driver.feed(.timer(3))
    later(&driver, by: 30)

    #expect(
      driver.feed(.timer(3)) == [
        "disconnect", "cancel timer 3", "timer 1 now", "info value false",
      ])
    #expect(driver.feed(.timer(3)) == [])
  }

  @Test func `a connection without a hello is given up`() {
    var driver = CaseDriver()
    _ = driver.feed(.opened)
    later(&driver, by: 45)

    #expect(driver.feed(.timer(3)) == ["disconnect", "cancel timer 3", "timer 1 now"])
  }

  @Test func `a clock that jumps back does not hide silence`() {
    var driver = CaseDriver.connected()
    later(&driver, by: -100_000)
    var outputs: [ClientOutput] = []
    driver.client.handle(.timer(3), at: driver.now, into: &outputs)

    #expect(outputs == [.send(.ping), .setTimer(3, after: .seconds(30), .keepAlive)])
    outputs = []
    driver.client.handle(.closed, at: driver.now, into: &outputs)
    let delays = outputs.compactMap { output -> Interval? in
      if case let .setTimer(1, delay, _) = output { delay } else { nil }
    }
    #expect(delays.count == 1 && delays[0] <= .seconds(1))
  }

  @Test func `after a redirect every connection goes to the new host`() {
    var driver = CaseDriver.connected()
    _ = driver.feed(.frame(.reset(host: "other")))
    _ = driver.feed(.refused)
    #expect(driver.feed(.timer(1)) == ["connect to other"])
    _ = driver.feed(.opened)
    _ = driver.hello()
    _ = driver.call("off", .goOffline)
    #expect(driver.call("on", .goOnline) == ["connect to other"])
  }
}
