import Foundation
import TestKit
import Testing

/// Whether every command that the documents and the helps name is one that can be run.
@Suite struct DocumentedCommandTests {
  /// A folder like that of the project, with the files that the documents speak of.
  private final class Sandbox {
    let folder: Folder

    init() throws {
      folder = try Folder()
      let root = Program.project.directory
      for name in ["Specs", "Scenarios", "README.md"] {
        try FileManager.default.copyItem(
          at: root.appending(path: name), to: folder.url.appending(path: name))
      }
      try folder.write(
        "#!/bin/sh\nexec '\(Program.kennel.path)' \"$@\"\n", to: "tools/kennel",
        isExecutable: true)
      try FileManager.default.createSymbolicLink(
        at: folder.url.appending(path: "kennel"),
        withDestinationURL: folder.url.appending(path: "tools/kennel"))
      for name in ["tools/adapters", "tools/live", "Tests"] {
        try FileManager.default.createSymbolicLink(
          at: folder.url.appending(path: name),
          withDestinationURL: root.appending(path: name))
      }
      try folder.write(Self.session, to: "session/default.trace.jsonl")
      try folder.write("- network.latency: 20ms..80ms\n", to: "faults.yaml")
      try folder.write("kennel: 1\nknown: []\n", to: "known-failures.yaml")
      try folder.write(Self.project, to: "kennel.yaml")
      for command in Self.preparation {
        let outcome = try run(command)
        guard outcome.status <= 1 else { throw Missing(command: command, outcome: outcome) }
      }
    }

    private static let project = """
      kennel: 1
      clients:
        old: {command: [python3, tools/adapters/python/adapter.py]}
        new: {command: [python3, Tests/Fleets/newer.py]}
        web: {command: [node, tools/adapters/javascript/adapter.js]}
      settings: {ci: {jobs: 2}}

      """
    private static let failing =
      "limits/refill-after-foreign-removal --profile firebase --client no-refill"
    private static let preparation = [
      "kennel new adapter python my-adapter", "cp -r my-adapter/. .", "cp -r my-adapter old",
      "kennel new adapter javascript js", "cp -r js/. .", "cp adapter.js my-adapter.js",
      "kennel new adapter c", "cp -r kennel-c/. .",
      "cp -r session recordings", "cp known-failures.yaml client.known.yaml",
      "kennel run \(failing) --trace t --record r --jsonl report.jsonl",
      "cp t/*.jsonl trace.jsonl", "cp r/*.alice.jsonl session.jsonl",
      "mkdir traces", "cp trace.jsonl traces",
      "for name in old new main branch ours theirs part-1 part-2; do "
        + "cp report.jsonl $name.jsonl; done",
      "cp trace.jsonl traces/races_three-writers.firebase.trace.jsonl", "mkdir -p Scenarios/found",
      "kennel hunt --seeds 1..20 --no-shrink --output results", "mkdir -p results/found",
      "cp -r results results-1", "kennel hunt --minimise results --output corpus",
      "kennel hunt --seeds 21..40 --no-shrink --output results-2",
      "kennel shrink \(failing) -o small.yaml",
      "cp small.yaml results/found/inv-12-listener.yaml",
      "cp small.yaml results/found/inv-4-listener-on-data.yaml",
      "cp small.yaml results/found/inv-4-listener.yaml",
      "cp small.yaml Scenarios/found/inv-4-listener.yaml",
      "cp small.yaml Scenarios/found/live.yaml",
      "cp Scenarios/limits/refill-after-foreign-removal.yaml "
        + "Scenarios/limits/removed-child-is-replaced.yaml",
    ]

    func run(_ command: String) throws -> Outcome {
      var shell = Program(path: "/bin/bash")
      shell.directory = folder.url
      shell.environment["KENNEL_HOME"] = nil
      let path = shell.environment["PATH"] ?? "/usr/bin:/bin"
      shell.environment["PATH"] = folder.url.path + ":" + path
      return try shell.run(["-O", "extglob", "-O", "dotglob", "-c", command])
    }

    private static let session = [
      #"{"trace":1,"kennel":"0.1.0","scenario":"","title":"t","file":"","profile":"firebase","#
        + #""seed":"0","client":"live","clients":["ann"],"judge":"expectations","choices":[],"#
        + #""sources":[],"live":{"epoch":0,"data":{"a":5}}}"#,
      #"{"n":0,"t":0,"step":-1,"client":"ann","out":{"connect":{}}}"#,
      #"{"n":1,"cause":0,"t":0,"step":-1,"client":"ann","serverOpened":"session1"}"#,
      #"{"n":2,"cause":0,"t":0,"step":-1,"client":"ann","in":{"opened":{}}}"#,
      #"{"n":3,"t":50,"step":-1,"serverWrite":{"path":"/a","value":6}}"#, "",
    ].joined(separator: "\n")
  }

  private struct Missing: Error {
    var command: String
    var outcome: Outcome
  }

  private nonisolated(unsafe) static let sandbox = Result { try Sandbox() }

  /// What is not run, and why.
  private static let omitted = [
    "attach": "it waits for a debugger", "mutants": "it takes minutes", "bench": "it takes minutes",
    "host.js": "the SDKs are not part of the kit", "Specs/clients/": "neither are its hosts",
    "Specs/servers/": "servers of others are not part of the kit",
    "kennel-tsan": "it needs a build of its own",
    "syncPointSpec.json": "the file of Firebase is not part of the kit",
    "-o DIR": "it is about directories of the reader", "tools/test": "this is one of its tests",
  ]

  /// What stands for something of the reader, and something that it can be.
  private static let examples = [
    ("PATH|ID", "writes/local-echo"), ("COMMAND ARGUMENT...", "python3 my-adapter/adapter.py"),
    ("COMMAND", "python3 my-adapter/adapter.py"), ("RECORDING...", "session.jsonl"),
    ("RECORDING", "session.jsonl"), ("--trace DIR", "--trace out"),
    ("--record DIR", "--record out"),
    ("-o FILE.html", "-o out.html"), ("--html FILE", "--html out.html"), ("-o FILE", "-o out"),
    ("TRACE", "trace.jsonl"), ("known FILE", "known known-failures.yaml"),
    ("--update FILE", "--update known-failures.yaml"), ("--issue LINK", "--issue https://e.org/1"),
    ("--client NAME", "--client no-refill"), ("[NAME=]REPORT...", "one=report.jsonl"),
    ("--port 9000", "--port 0"), ("--control 9001", "--control 0"), ("PATH...", "Scenarios/limits"),
    ("traces/*.jsonl", "trace.jsonl"),
  ]

  /// The commands of the documents, as a reader would type them. Those of the tutorial depend on each
  /// other: a test of their own runs them.
  static let documented: [String] = {
    let root = Program.project.directory
    let names =
      ["README.md", "tools/adapters/README.md"]
      + ((try? FileManager.default.subpathsOfDirectory(
        atPath: root.appending(path: "Specs").path)) ?? [])
      .filter {
        $0.hasSuffix(".md") && !$0.hasPrefix("event-order/") && $0 != "guides/first-client.md"
      }.sorted()
      .map { "Specs/" + $0 }
    let texts = names.compactMap {
      try? String(contentsOf: root.appending(path: $0), encoding: .utf8)
    }
    return unique(texts.flatMap(commands))
  }()

  /// The examples of the helps.
  static let helped: [String] = {
    guard let help = try? Program.kennel.run(["help", "man"]).output else { return [] }
    let lines = help.split(separator: "\n").map { line in
      "  "
        + line.replacing("\\-", with: "-").replacing("\\e", with: "\\").replacing(
          "\\(aq", with: "'")
    }
    return unique(lines.compactMap(command)).filter { !$0.contains("[") }
  }()

  private static func unique(_ commands: [String]) -> [String] {
    var seen: Set<String> = []
    return commands.filter { command in
      seen.insert(command).inserted && !omitted.keys.contains { command.contains($0) }
    }
  }

  /// The commands in the fenced parts of a page.
  private static func commands(_ page: String) -> [String] {
    var isFenced = false
    return page.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isFenced.toggle()
        return nil
      }
      return isFenced ? command(String(line)) : nil
    }
  }

  /// The command on a line, without a description behind it; nil for a line of a synopsis.
  private static func command(_ line: String) -> String? {
    var text = line.trimmingCharacters(in: .whitespaces)
    if text.hasPrefix("$ ") { text.removeFirst(2) }
    guard
      text.hasPrefix("kennel ") && !text.hasPrefix("kennel - ") || text.hasPrefix("tools/kennel ")
    else { return nil }
    if let end = text.firstRange(of: "  ") { text = String(text[..<end.lowerBound]) }
    for end in [" --client …", " ...", " \\", " &"] where text.hasSuffix(end) {
      text.removeLast(end.count)
    }
    for (placeholder, example) in examples {
      text = text.replacing(placeholder, with: example)
    }
    let isSynopsis =
      text.contains("…") || text.contains("[") || text.contains("|") || text.contains(",")
    let hasName = text.split(separator: " ").contains {
      $0.count > 2 && $0.allSatisfy { $0.isUppercase || $0 == "." }
    }
    return isSynopsis || hasName ? nil : text
  }

  @Test func `there are many commands`() {
    #expect(Self.documented.count > 60)
    #expect(Self.helped.count > 60)
  }

  @Test(arguments: documented + helped)
  func `a command that is documented can be run`(command: String) throws {
    // What writes files has a copy of its own; no command writes into a rule or a scenario that is there.
    let verb = command.split(separator: " ").dropFirst().first ?? ""
    let isReading = Self.reading.contains(verb) && !command.contains("--jsonl")
    let copy =
      "copy=$(mktemp -d) && cp -rl Specs Scenarios \"$copy\" && cp -r !(Specs|Scenarios) \"$copy\" "
      + "&& cd \"$copy\" && PATH=$PWD:$PATH && \(Self.removal(beforeWriting: command))"
    let outcome = try Self.sandbox.get().run(
      "copy=; \(isReading ? "" : copy)timeout --kill-after 60 0.5 \(command); status=$?; "
        + "rm -rf \"$copy\"; exit $status")

    // What takes longer is stopped: it got over everything that can be wrong with a command line.
    let isRight = [0, 1, 3, 124, 143].contains(outcome.status)
    #expect(isRight || Self.excuses.contains(where: outcome.messages.contains), "\(outcome)")
    #expect(!outcome.messages.contains("Try '"), "\(outcome)")
  }

  /// Takes away the scenario that a command will write: other commands read one of this name.
  private static func removal(beforeWriting command: String) -> String {
    let words = command.split(separator: " ")
    guard let option = words.firstIndex(of: "-o"), let file = words[(option + 1)...].first,
      file.hasSuffix(".yaml")
    else { return "" }
    return "rm -f \(file) && "
  }

  private static let reading: Set<Substring> = [
    "run", "smoke", "list", "check", "explain", "coverage", "explore", "why", "replay", "doctor",
    "help", "monitor", "serve", "show", "bench",
  ]

  /// What is wrong with the examples for something of the reader, and not with the command.
  private static let excuses = [
    "has another hunt", "has the results of a hunt already", "is not free",
    "does not fail (pass in",
    "has no runs", "only requests are compared", "was one of another program",
    "expected parts of one run", "exists already, and nothing was written",
    "no server accepts connections at",
    "fails with the reference client", "fails with this client", "there is no hunt below",
    "there is no folder", "failed when it was last run here",
  ]
}
