import AdapterProtocol
import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Glibc
import System
import Tree

/// The command `kennel adapter`.
struct ReferenceAdapterCommand: Command {
  /// The client that answers; nil means the reference client.
  var client: String?
  /// Whether a process is good for more than one run.
  var canReset = true
  /// Whether to print the schema of lines instead.
  var printsSchema = false
  /// Whether the client has a clock, sockets and files of its own.
  var hasSockets = false
  /// Where such a client keeps its files; nil for a folder that is removed at the end.
  var folder: String?

  static var options: [Option<Self>] {
    [
      .value(
        "client", "NAME", \.client, .text,
        "Answer with the client NAME instead of the reference client."),
      .flag(
        "schema", \.printsSchema,
        "Print the JSON Schema of lines, Specs/adapter-protocol.schema.json, and exit."),
      .flag("no-reset", \.canReset, is: false, "Do not offer to be reset between runs."),
      .flag(
        "sockets", \.hasSockets,
        "With --client sdk: with the clock, the sockets and the files of this machine."),
      .value(
        "keep", "DIR", \.folder, .text,
        "With --sockets: keep the files of clients in DIR over the end of the program."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel adapter", operands: "",
    summary: """
      Implements the adapter protocol on standard input and output for the reference client. Use \
      it to see what an adapter answers, and to compare your adapter with it.
      """,
    notes: """
      Specs/adapter-protocol.md describes the protocol.

      Examples:
        kennel adapter
        kennel run writes/local-echo -- kennel adapter --client no-refill
        kennel run --jobs 8 -- kennel adapter --client sdk --sockets
      """, exitCodes: .withoutVerdicts)

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if hasSockets, client != "sdk" {
      throw arguments.failure("--sockets needs --client sdk, the client that has sockets")
    }
    if hasSockets, !canReset {
      throw arguments.failure("--no-reset is for clients without --sockets")
    }
    if folder != nil, !hasSockets {
      throw arguments.failure("--keep needs --sockets; other clients have their files from the kit")
    }
  }

  /// Answers each line of standard input, until its end or `bye`.
  func perform() throws(Failure) -> ExitCode {
    if printsSchema {
      try Console.output(AdapterSchema.json.indentedText)
      return .success
    }
    if hasSockets {
      SocketAdapter(folder).serve(version: kitVersion)
      return .success
    }
    let subject = try ClientUnderTest(named: client)
    let hello = AdapterHello(
      name: client ?? "reference", version: kitVersion, capabilities: Capability.all,
      canReset: canReset)
    var host = AdapterHost(hello, client: { subject.makeClientFactory($1, 0).makeClient($0) })
    while !host.isFinished, let line = readLine() {
      try Console.output(String(decoding: host.answer(Array(line.utf8)), as: UTF8.self))
    }
    return .success
  }
}
