import Document
import Glibc
import Runs
import Scenario
import ScenarioFiles
package import System
package import Tree

// Other commands of this program: they go on in processes of their own while the page is answered.

extension UserInterface {
  /// Where texts go that are not saved, for other processes.
  private static let folder = ".kennel/ui"
  private static let small = Files.join(folder, "small.yaml")

  private static let names = ["why", "shrink", "explore", "matrix"]

  /// Starts `why`, `shrink`, `explore` or `matrix`, in place of what was started before; or nothing, to stop that.
  ///
  /// - Throws: `Failure` when it does not start.
  func startTool(_ body: JSON) throws(Failure) -> JSON {
    workbench.tool = nil
    guard let name = body["tool"]?.string else { return [:] }
    workbench.tool = try ToolProcess(name, words(of: name, body))
    return try tool()
  }

  /// The command line of one of these commands.
  ///
  /// - Throws: `Failure` for another command, and for a request that lacks something.
  package func words(of name: String, _ body: JSON) throws(Failure) -> [String] {
    guard Self.names.contains(name) else {
      throw .unusable("tool must be one of \(Self.names.joined(separator: ", ")), not \(name)")
    }
    let key = try key { name in body[name]?.string }
    var run = RunSettings()
    run.profiles = [key.profile]
    run.seed = key.seed
    run.adapter = workbench.settings.adapter
    if name == "matrix" {
      try takeImplementations(body, &run)
    } else {
      // Clients that this scenario does not have would be mistakes.
      run.fleet = try workbench.players.fleet(key.players).playing(clients(key, body))
    }
    if ["why", "shrink"].contains(name), let scenario = workbench.list[key.scenario]?.scenario {
      run.hasShadow = workbench.settings.asFound(scenario).hasShadow
    }
    return [name, try selector(key, body)] + (try options(of: name, body)) + run.wordsOfRuns
  }

  private func options(of name: String, _ body: JSON) throws(Failure) -> [String] {
    switch name {
    case "shrink":
      try Files.makeDirectory(Self.folder)
      unlink(Self.small)
      return ["-o", Self.small]
    case "explore":
      let open = ["deliveries", "faults"].filter { body[$0] == true }
      return ["--format", "json", "--max", "2000"] + open.map { "--" + $0 }
    case "matrix":
      return ["--format", "json"]
        + implementations(body).filter { !isProgram($0) }.flatMap { ["--with", $0.name] }
    default: return []
    }
  }

  /// The clients of the scenario that a request is about.
  private func clients(_ key: Workbench.Key, _ body: JSON) -> [String] {
    let scenario =
      body["text"]?.string.flatMap { text in
        workbench.read(text, file: body["file"]?.string ?? "new.yaml").scenarios.first
      } ?? workbench.list[key.scenario]?.scenario
    return scenario?.clients ?? []
  }

  /// The implementations that a matrix is asked for.
  private func implementations(_ body: JSON) -> [Players.Player] {
    (body["with"]?.elements ?? []).compactMap { $0.string.flatMap(workbench.players.player) }
  }

  /// Whether it is the client under test, and a command line ends with its command.
  private func isProgram(_ player: Players.Player) -> Bool {
    player.subject.isEmpty && workbench.settings.adapter != nil
  }

  /// Keeps the command of the client under test if it is one of the implementations.
  private func takeImplementations(_ body: JSON, _ run: inout RunSettings) throws(Failure) {
    let all = implementations(body)
    guard all.count > 1 else { throw .unusable("a matrix needs two implementations") }
    if !all.contains(where: isProgram) { run.adapter = nil }
  }

  /// What the command that was started last has written by now.
  ///
  /// - Throws: `Failure` when there is none, and when its results cannot be read.
  func tool() throws(Failure) -> JSON {
    guard let tool = workbench.tool else { throw .unusable("no command is running") }
    tool.advance()
    let output = tool.text(of: .output)
    var members: [JSON.Member] = [
      .init("tool", .string(tool.name)),
      .init("command", .string((["kennel"] + tool.words).joined(separator: " "))),
      .init("output", .string(output)), .init("complaint", .string(tool.text(of: .error))),
      .init("hasEnded", .bool(tool.hasEnded)),
    ]
    if ["explore", "matrix"].contains(tool.name) {
      let lines = output.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
      members.append(.init("lines", .array(lines.filter { $0["scenario"] != nil })))
    }
    if tool.name == "shrink", tool.hasEnded, Files.exists(Self.small) {
      members.append(.init("text", .string(try Files.text(of: Self.small))))
    }
    return .object(members)
  }

  /// The scenario for another process: its id, or a file with the text of the request.
  private func selector(_ key: Workbench.Key, _ body: JSON) throws(Failure) -> String {
    guard let text = body["text"]?.string else { return key.scenario }
    try Files.makeDirectory(Self.folder)
    let file = Files.join(Self.folder, "edited.yaml")
    try Files.write(text, to: file)
    return file
  }
}
