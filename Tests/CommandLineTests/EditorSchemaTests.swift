import Foundation
import TestKit
import Testing

/// Whether the schemas for editors fit the files that there are, and no others.
@Suite struct EditorSchemaTests {
  /// Reads YAML by the core schema, in which `on` and dates are texts.
  private static let validator = """
    import json, sys
    import jsonschema, yaml
    class Core(yaml.SafeLoader): pass
    kept = {"tag:yaml.org,2002:" + name for name in ("null", "int", "float", "merge")}
    for letter, resolvers in list(Core.yaml_implicit_resolvers.items()):
        Core.yaml_implicit_resolvers[letter] = [pair for pair in resolvers if pair[0] in kept]
    for letter in "tf":
        Core.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(true|false)$"), letter)
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for name in sys.argv[2:]:
        for error in validator.iter_errors(yaml.load(open(name, encoding="utf-8"), Core)):
            print(name, list(error.path), error.message[:200])
    """

  private let root = Program.project.directory

  private func objections(_ schema: String, to files: [String]) throws -> String {
    let file = root.appending(path: "Specs/\(schema).schema.json").path
    let outcome = try Program(path: "/usr/bin/python3").run(
      ["-I", "-W", "ignore", "-c", Self.validator, file] + files)
    #expect(outcome.status == 0, "\(outcome.messages)")
    return outcome.output
  }

  private func files(below folder: String, suffix: String) throws -> [String] {
    let path = root.appending(path: folder).path
    return try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(suffix) && !($0.split(separator: "/").last?.hasPrefix("_") ?? false) }
      .sorted().map { path + "/" + $0 }
  }

  @Test func `every scenario of the kit is valid`() throws {
    let scenarios = try files(below: "Scenarios", suffix: ".yaml")

    #expect(scenarios.count > 500)
    #expect(try objections("scenario", to: scenarios) == "")
  }

  @Test func `the lists of known failures of the kit are valid`() throws {
    #expect(
      try objections("known-failures", to: files(below: "Specs/clients", suffix: ".known.yaml"))
        == "")
  }

  @Test func `what init writes is valid`() throws {
    let folder = try Folder()
    var kennel = Program.kennel
    kennel.environment["KENNEL_HOME"] = root.path
    kennel.directory = folder.url
    #expect(try kennel.run(["init", "python"]).status == 0)
    let path = folder.url.path

    #expect(try objections("project", to: [path + "/kennel.yaml"]) == "")
    #expect(try objections("known-failures", to: [path + "/known-failures.yaml"]) == "")
    #expect(
      try folder.text("kennel.yaml").hasPrefix(
        "# yaml-language-server: $schema=.kennel/schemas/project.schema.json\n"))
    #expect(
      try kennel.run(["check", "kennel.yaml", "known-failures.yaml"]).output
        == "checked 2 files: 0 problems\n")
    #expect(try kennel.run(["check", "."]).output == "checked 2 files: 0 problems\n")
  }

  @Test func `the schemas of a project are brought up to date by whatever is run there`() throws {
    let folder = try Folder()
    var kennel = Program.kennel
    kennel.environment["KENNEL_HOME"] = root.path
    kennel.directory = folder.url
    try folder.write("kennel: 1\n", to: "kennel.yaml")
    #expect(try kennel.run(["run", "values/four-kinds"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/.kennel"))
    let line = "# yaml-language-server: $schema=.kennel/schemas/project.schema.json\n"
    try folder.write(line + "kennel: 1\n", to: "kennel.yaml")
    try folder.write("old", to: ".kennel/schemas/scenario.schema.json")

    #expect(try kennel.run(["run", "values/four-kinds"]).status == 0)

    for name in ["scenario", "known-failures", "project"] {
      let original = root.appending(path: "Specs/\(name).schema.json")
      #expect(
        try folder.text(".kennel/schemas/\(name).schema.json")
          == String(contentsOf: original, encoding: .utf8))
    }
  }

  @Test func `mistakes in project files and lists are told like those of scenarios`() throws {
    let folder = try Folder()
    var kennel = Program.kennel
    kennel.environment["KENNEL_HOME"] = root.path
    kennel.environment["KENNEL_PROJECT"] = "none"
    kennel.directory = folder.url
    try folder.write("kennel: 1\ncomand: a\n", to: "kennel.yaml")
    try folder.write("kennel: 1\nknown: [{scenario: no/such}]\n", to: "list.yaml")

    let outcome = try kennel.run(["check", "kennel.yaml", "list.yaml"])

    #expect(outcome.status == 2)
    #expect(
      outcome.output.contains("kennel.yaml:2:1: unknown key \"comand\"; did you mean command?"))
    #expect(outcome.output.contains("list.yaml:2:9: "), "\(outcome)")
    #expect(!outcome.output.contains("a scenario has no"), "\(outcome)")
  }

  @Test(arguments: [
    ("scenario", "kennel: 1\ntitel: T\nsteps: [settle]\n", "'titel' was unexpected"),
    ("scenario", "kennel: 1\ntitle: T\nsteps: [{alice.sett: {path: a}}]\n", "['steps', 0]"),
    ("scenario", "kennel: 1\ntitle: T\nsteps: [{alice.listen: {event: added}}]\n", "['steps', 0]"),
    ("scenario", "kennel: 1\ntitle: T\nprofiles: [firebse]\nsteps: [settle]\n", "['profiles'"),
    ("known-failures", "kennel: 1\nknown: [{scenario: a}]\n", "'signature' is a required"),
    ("project", "kennel: 1\ncomand: node a.js\n", "'comand' was unexpected"),
  ])
  func `a slip is noticed`(schema: String, text: String, objection: String) throws {
    let folder = try Folder()
    try folder.write(text, to: "slip.yaml")

    #expect(
      try objections(schema, to: [folder.url.appending(path: "slip.yaml").path])
        .contains(objection))
  }
}
