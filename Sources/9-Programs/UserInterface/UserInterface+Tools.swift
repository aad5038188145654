import Document
import Glibc
import Runs
import System
import Tree

// Other commands of this program: they go on in processes of their own while the page is answered.

extension UserInterface {
  /// Where texts go that are not saved, for other processes.
  private static let folder = ".kennel/ui"
  private static let small = Files.join(folder, "small.yaml")

  /// Starts `why`, `shrink` or `explore`, in place of what was started before; or nothing, to stop that.
  ///
  /// - Throws: `Failure` when it does not start.
  func startTool(_ body: JSON) throws(Failure) -> JSON {
    workbench.tool = nil
    guard let name = body["tool"]?.string else { return [:] }
    guard ["why", "shrink", "explore"].contains(name) else {
      throw .unusable("tool must be why, shrink or explore, not \(name)")
    }
    let key = try key { name in body[name]?.string }
    var run = RunSettings()
    run.profiles = [key.profile]
    run.seed = key.seed
    run.fleet = workbench.settings.fleet
    run.adapter = workbench.settings.adapter
    if name != "explore", let scenario = workbench.list[key.scenario]?.scenario {
      run.hasShadow = workbench.settings.asFound(scenario).hasShadow
    }
    let words =
      [name, try selector(key, body)] + (try options(of: name, body)) + run.wordsOfRuns
    workbench.tool = try ToolProcess(name, words)
    return try tool()
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
    default: return []
    }
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
    if tool.name == "explore" {
      let lines = output.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
      members.append(.init("surveys", .array(lines.filter { $0["scenario"] != nil })))
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
