import ClientInterface
import Hosting
import TestKit
import Testing
import Tree
import Wire

/// What an SDK gets from the environment, input by input.
@Suite struct EnvironmentTests {
  /// An SDK that does what it is told, and tells with `log` what happened.
  private final class Puppet: HostedSDK {
    let environment: Environment
    let act: (Environment, CallID) -> Void

    init(_ environment: Environment, _ act: @escaping (Environment, CallID) -> Void) {
      self.environment = environment
      self.act = act
    }

    func perform(_ operation: Operation, as call: CallID) { act(environment, call) }
  }

  private func client(_ act: @escaping (Environment, CallID) -> Void) -> HostedClient {
    HostedClient(profile: .firebase, callbacks: { Puppet($0, act) })
  }

  private let call = ClientInput.call("c", .goOnline)

  @Test func `work that is put off is done in the same instant and in order`() {
    let client = client { environment, _ in
      environment.perform {
        environment.log("b")
        environment.perform { environment.log("c") }
      }
      environment.log("a")
    }
    _ = client.outputs(.open(.init()))

    #expect(client.outputs(call) == [.log("a"), .log("b"), .log("c")])
  }

  @Test func `work after an interval is done when its timer is due, once`() {
    let client = client { environment, _ in
      environment.schedule(after: .milliseconds(5), purpose: .backOff) {
        environment.log("at \(environment.now.milliseconds)")
      }
    }
    _ = client.outputs(.open(.init()))

    #expect(client.outputs(call) == [.setTimer(1, after: .milliseconds(5), .backOff)])
    #expect(client.outputs(.timer(1), at: 5) == [.log("at 5.0")])
    #expect(client.outputs(.timer(1), at: 6) == [])
  }

  @Test func `cancelled work is not done`() {
    let client = client { environment, _ in
      let scheduled = environment.schedule(after: .milliseconds(5)) { environment.log("done") }
      scheduled.cancel()
      scheduled.cancel()
    }
    _ = client.outputs(.open(.init()))

    #expect(
      client.outputs(call) == [.setTimer(1, after: .milliseconds(5), .other), .cancelTimer(1)])
    #expect(client.outputs(.timer(1), at: 5) == [])
  }

  @Test func `a connection tells what happens to it until it is closed`() {
    var connection: Connection?
    let client = client { environment, call in
      if call == "close" {
        connection?.close()
        connection?.close()
      } else {
        connection = environment.connect { environment.log("\($0)".prefix(8) + "") }
      }
    }
    _ = client.outputs(.open(.init()))

    #expect(client.outputs(call) == [.connect])
    #expect(client.outputs(.opened) == [.log("opened")])
    #expect(client.outputs(.frame(.pong)) == [.log("received")])
    #expect(client.outputs(.call("close", .goOffline)) == [.disconnect])
    #expect(client.outputs(.frame(.pong)) == [])
    #expect(client.outputs(call) == [.connect])
    #expect(client.outputs(.refused) == [.log("refused")])
    #expect(client.outputs(.closed) == [])
  }

  @Test func `another host is connected to by name`() {
    let client = client { environment, _ in environment.connect(to: "elsewhere") { _ in } }
    _ = client.outputs(.open(.init(host: "home")))

    #expect(client.outputs(call) == [.connectTo("elsewhere")])
  }

  @Test(arguments: [
    (
      #"{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":1}}}"#,
      ClientOutput.send(.request(1, .put(Path("a"), Node(json: 1), hash: nil)))
    ),
    (
      "{",
      .log(
        "what the client sent is not JSON: 1:2: the text ends inside the mapping that begins at "
          + "1:1; expected its end; add the closing bracket: {")
    ),
    (
      #"{"t":"x","d":1}"#,
      .log(
        "the client sent a message the protocol does not allow: "
          + #""t" of the message is "x", expected "c" or "d"; received: {"t":"x","d":1}"#)
    ),
  ])
  func `text is sent as the message that it is, or logged`(text: String, expected: ClientOutput) {
    let client = client { environment, _ in environment.connect { _ in }.send(text: text) }
    _ = client.outputs(.open(.init()))

    #expect(client.outputs(call) == [.connect, expected])
  }

  @Test func `the text of a server's message is what the profile's server writes`() {
    let client = client { environment, _ in
      let connection = environment.connect { _ in }
      environment.log(connection.text(of: .pong))
    }
    _ = client.outputs(.open(.init()))

    #expect(client.outputs(call) == [.connect, .log(#"{"t":"c","d":{"t":"o","d":{}}}"#)])
  }

  @Test func `what is stored is told, and found by the next process`() {
    let client = client { environment, _ in
      environment.log(
        environment.storage.keys.joined(separator: ",") + (environment.storage["b"] ?? ""))
      environment.storage["a"] = "1"
      environment.storage["b"] = nil
    }
    _ = client.outputs(.open(.init(storage: [.init("c", "3"), .init("b", "2")])))

    #expect(
      client.outputs(call)
        == [.log("b,c2"), .store(key: "a", text: "1"), .erase(key: "b")])
  }

  @Test func `what the application is told is told to the kit`() {
    let client = client { environment, call in
      environment.raise(Event(.value, to: "l", key: nil, value: .empty))
      environment.cancel("l", "permission_denied")
      environment.complete(call)
      environment.answer(call, 1)
      environment.refuse(call, "invalid_path")
      environment.ranUpdate(call, input: 2)
    }
    _ = client.outputs(.open(.init()))

    #expect(
      client.outputs(call) == [
        .event(Event(.value, to: "l", key: nil, value: .empty)),
        .cancelled("l", "permission_denied"), .completed("c", .ok), .answered("c", 1),
        .threw("c", "invalid_path"), .updateRan("c", input: 2),
      ])
  }

  @Test func `the seed decides what is random`() {
    let client = client { environment, _ in environment.log("\(environment.random.next())") }
    _ = client.outputs(.open(.init(seed: 1)))
    let first = client.outputs(call)
    _ = client.outputs(.open(.init(seed: 1)))

    #expect(client.outputs(call) == first)
    #expect(client.outputs(call) != first)
  }

  @Test func `an SDK that never settles is stopped and told`() {
    let client = client { environment, _ in
      func again() { environment.perform { again() } }
      again()
    }
    _ = client.outputs(.open(.init()))

    #expect(
      client.outputs(call)
        == [.log("the SDK does not settle: 100000 pieces of work in one instant")])
  }

  @Test func `after its end a process does nothing`() {
    var kept: Environment?
    let client = client { environment, _ in
      kept = environment
      environment.schedule(after: .milliseconds(5)) { environment.log("late") }
    }
    _ = client.outputs(.open(.init()))
    _ = client.outputs(call)

    #expect(client.outputs(.close) == [])
    kept?.log("still here")
    #expect(client.outputs(.timer(1), at: 5) == [])
    #expect(client.outputs(call) == [])
  }
}
