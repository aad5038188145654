import AdapterProtocol
import AdapterSessions
import ClientInterface
import Conformance
import Document
import Scenario
import System
import TestKit
import Testing

@Suite struct ClientUnderTestTests {
  @Test func `a client of the kit is known by its name`() throws {
    #expect(try ClientUnderTest(named: nil).adapter == nil)
    #expect(try ClientUnderTest(named: "reference").serverDefect == nil)
  }

  @Test func `a name that nobody has is refused with the nearest one`() {
    #expect {
      _ = try ClientUnderTest(named: "referense")
    } throws: { "\($0)" == "there is no client \"referense\"; did you mean reference?" }
  }

  /// How a scenario ends with a fleet.
  private func verdict(_ words: [String], _ id: String) throws -> Verdict {
    var fleet = Fleet()
    fleet.words = words
    let subject = try ClientUnderTest(fleet, or: nil, clock: nil, among: NamedClients())
    return subject.runner(seed: 0).run(try Kit.projectScenario(id), in: .firebase).verdict
  }

  @Test func `each client of a fleet is played by its own implementation`() throws {
    #expect(try verdict(["alice=lost-echo"], "writes/local-echo") == .fail)
    #expect(try verdict(["bob=lost-echo"], "writes/local-echo") == .pass)
    #expect(try verdict(["lost-echo", "alice=reference"], "writes/local-echo") == .pass)
  }

  @Test func `programs of a fleet share a process only with themselves`() throws {
    let program = "\(Program.kennel.path) adapter"
    var fleet = Fleet()
    fleet.words = ["alice=\(program)", "bob=\(program) --no-frames", "carol=\(program)"]
    let subject = try ClientUnderTest(fleet, or: nil, clock: nil, among: NamedClients())
    let scenario = try Kit.projectScenario("races/three-writers")
    let hashes = (0..<3).map { _ in
      subject.runner(seed: 3).run(scenario, in: .firebase).hash
    }

    #expect(subject.adapters.count == 2)
    #expect(subject.adapter == nil)
    #expect(Set(hashes).count == 1)
    #expect(
      hashes.first
        == ScenarioRunner(seed: 3, client: Kit.reference).run(scenario, in: .firebase).hash)
  }

  private static func client(_ name: String, _ version: String?, _ words: [String]) -> NamedClient {
    NamedClient(
      name: name, command: [Program.kennel.path, "adapter"] + words, version: version,
      location: FileLocation(file: "kennel.yaml", position: Position(line: 1, column: 1)))
  }

  private let named = NamedClients([
    client("old", "1.2", []), client("new", nil, ["--no-frames"]),
  ])

  @Test func `a name stands for its command, and reports have its version`() throws {
    var fleet = Fleet()
    fleet.words = ["bob=new"]
    fleet.roles = [.init(client: "alice", subject: "old"), .init(client: "bob", subject: "old")]
    let subject = try ClientUnderTest(fleet, or: nil, clock: nil, among: named)
    let version = try #require(subject.adapters.first).hello.version

    #expect(
      ["alice", "bob", "carol"].map(subject.name(playing:))
        == ["old 1.2", "new \(version)", "reference"])
    #expect(subject.introduction == "reference, old 1.2, new \(version)")
    let command = "\(Program.kennel.path) adapter"
    #expect(try ClientUnderTest(playing: command, among: named).name == "old 1.2")
    let options = AdapterOptions(command: [Program.kennel.path, "adapter"]) { _ in }
    let alone = try ClientUnderTest(Fleet(), or: options, clock: nil, among: named)
    #expect(alone.name(playing: "alice") == "old 1.2")
  }

  @Test func `a name that is nearly one of a project is refused with it`() {
    #expect {
      _ = try ClientUnderTest(playing: "olld", among: named)
    } throws: { "\($0)" == "there is no client \"olld\"; did you mean old?" }
  }

  @Test func `what a file of others names is not started`() {
    let named = NamedClients(named.all, objection: "others may have written it")
    #expect {
      _ = try ClientUnderTest(playing: "old", among: named)
    } throws: { "\($0)" == "others may have written it" }
  }

  @Test(
    arguments: [
      (
        "bob=referense",
        "--client bob=referense: there is no client \"referense\"; did you mean reference?"
      ),
      (
        "bob=",
        "--client bob=: nothing says what plays the client; expected a client of the kit or a command"
      ),
      (
        "bob=foo",
        "--client bob=foo: there is no client \"foo\"; kennel mutants --list names them, and a command "
          + "without arguments is a path, such as ./foo"
      ),
      (
        "bob=python3 no-such.py",
        "--client 'bob=python3 no-such.py': python3 no-such.py ended at once (exit code 2): there is no "
          + "file no-such.py; expected an adapter, which"
      ),
      (
        "bob=server-tells-old-data",
        "--client bob=server-tells-old-data: server-tells-old-data is a defect of the server, which serves all clients; expected a client, "
          + "such as reference"
      ),
      (
        "bob=./no-such",
        "--client bob=./no-such: cannot start ./no-such: No such file or directory; expected the path of a program, from this "
          + "folder"
      ),
    ])
  func `what cannot play one of several clients is refused`(word: String, message: String) {
    #expect {
      _ = try verdict([word], "writes/local-echo")
    } throws: { "\($0)".hasPrefix(message) }
  }

  @Test func `a fleet is named in files as a command line names it`() {
    var fleet = Fleet()
    fleet.words = ["lost-echo", "bob=node a.js"]

    #expect(Fleet().subject(or: nil) == nil)
    #expect(fleet.subject(or: nil) == "--client lost-echo --client 'bob=node a.js'")
    fleet.rest = nil
    #expect(
      fleet.subject(or: AdapterOptions(command: ["./new"]) { _ in })
        == "--client 'bob=node a.js' -- ./new")
  }

  @Test func `the command is the subject in files`() {
    var options = AdapterOptions(command: ["python3", "my adapter.py"]) { _ in }
    options.hasOwnTimeout = true
    options.timeout = 1500
    options.isChecked = true

    #expect(options.subject == "-- python3 'my adapter.py'")
    #expect(options.words == ["--timeout", "1.5", "--validate", "--", "python3", "my adapter.py"])
  }
}
