import AdapterProtocol
import ClientInterface
import ReferenceClient
import Testing

/// A client of this process behind the protocol.
@Suite struct AdapterHostTests {
  @Test func `what is unknown is answered not-supported, and the rest as it should be`() {
    var host = AdapterHost(
      AdapterHello(name: "n", version: "1", capabilities: ["set"], canReset: true)
    ) { ReferenceClient(profile: $1) }
    func answer(_ line: String) -> [String] {
      String(decoding: host.answer(Array(line.utf8)), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }
    let now = #""client":"a","now":1480000000000"#

    #expect(
      answer(#"{"id":1,"hello":{"protocol":1,"profile":"firebase","seed":"0"}}"#) == [
        #"{"hello":{"protocol":1,"name":"n","version":"1","capabilities":["set","reset"]}}"#,
        #"{"idle":1}"#,
      ])
    #expect(
      answer(#"{"id":2,\#(now),"open":{"host":"h","seed":"1"},"weather":"fine"}"#) == [
        #"{"connect":{}}"#, #"{"idle":2}"#,
      ])
    #expect(answer(#"{"id":3,"wave":{}}"#) == [Self.unsupported, #"{"idle":3}"#])
    #expect(
      answer(#"{"id":4,\#(now),"call":{"id":"c","op":"swim"}}"#) == [
        Self.unsupported, #"{"idle":4}"#,
      ])
    #expect(
      answer(#"{"id":5,\#(now),"call":{"id":"c","op":"set"}}"#) == [
        #"{"error":{"code":"invalid","message":"\"path\" is missing"}}"#, #"{"idle":5}"#,
      ])
    #expect(
      answer(#"{"id":6,"client":"b","now":0,"opened":{}}"#) == [
        #"{"error":{"code":"invalid","message":"\"b\" is no client that was opened"}}"#,
        #"{"idle":6}"#,
      ])
    #expect(answer(#"{"id":7,"reset":{"profile":"wilddog-2","seed":"0"}}"#) == [#"{"idle":7}"#])
    #expect(
      answer(#"{"id":8,\#(now),"opened":{}}"#) == [
        #"{"error":{"code":"invalid","message":"\"a\" is no client that was opened"}}"#,
        #"{"idle":8}"#,
      ])
  }

  @Test(arguments: ["9e18", "1e15", "-9e18", "1e300", "null"])
  func `a time that no clock shows is answered as invalid`(time: String) {
    var host = AdapterHost(AdapterHello(name: "n", version: "1", capabilities: [])) {
      ReferenceClient(profile: $1)
    }
    let line = #"{"id":1,"client":"a","now":\#(time),"open":{"host":"h","seed":"1"}}"#
    let answer = String(decoding: host.answer(Array(line.utf8)), as: UTF8.self)

    #expect(answer.hasPrefix(#"{"error":{"code":"invalid","message":"\"now\" is "#), "\(answer)")
    #expect(answer.contains(", expected milliseconds since 1970"))
    #expect(answer.hasSuffix("{\"idle\":1}\n"))
  }

  @Test func `it is over when bye is said`() {
    var host = AdapterHost(AdapterHello(name: "n", version: "1", capabilities: [])) {
      ReferenceClient(profile: $1)
    }

    #expect(host.answer(Array(#"{"bye":{}}"#.utf8)).isEmpty)
    #expect(host.isFinished)
  }

  private static let unsupported =
    #"{"error":{"code":"not-supported","message":"this is no verb or operation that is known here"}}"#
}
