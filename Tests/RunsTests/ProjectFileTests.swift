import Document
import Runs
import System
import TestKit
import Testing
import Workspace

@Suite struct ProjectFileTests {
  private func read(_ text: String) -> (project: ProjectFile, problems: [SourceError]) {
    ProjectFile.read(
      file: "/nowhere/kennel.yaml", bytes: Array(text.utf8), RunSettings.inProjects)
  }

  @Test(arguments: try Mistake.files(of: "project-files"))
  func `mistakes in project files are told with their places`(mistake: Mistake) throws {
    let problems = read(try mistake.text).problems
    try mistake.check(problems.map { "\($0.position): \($0.message)" })
  }

  private static let text = """
    kennel: 1
    known: known.yaml
    jobs: 2
    settings:
      ci: {jobs: 4, junit: kennel.xml, exclude: [limits/*, races]}
      local: {profiles: firebase}

    """

  private func values(_ name: String?) throws -> [String: SettingValue] {
    try read(Self.text).project.values(of: name.map { SettingValue([$0], .commandLine) })
  }

  @Test func `named settings come before those of the top level`() throws {
    #expect(try values(nil)["jobs"]?.texts == ["2"])
    #expect(try values(nil)["junit"] == nil)
    let chosen = try values("ci")
    #expect(chosen["jobs"]?.texts == ["4"])
    #expect(chosen["exclude"]?.texts == ["limits/*", "races"])
    #expect(chosen["jobs"]?.origin.words.from == "settings ci")
    #expect(chosen["jobs"]?.origin.words.place == "/nowhere/kennel.yaml:5:14")
    #expect(try values("local")["profiles"]?.texts == ["firebase"])
    #expect(try values("local")["jobs"]?.origin.words.place == "/nowhere/kennel.yaml:3:7")
  }

  @Test func `clients have commands, versions and lists, and roles are theirs or those of the kit`()
  {
    let (project, problems) = read(
      """
      kennel: 1
      clients:
        old: {command: python3 old.py -v, version: 1.10}
        new: {command: [./new, a b], version: "2.0 é", known: new.yaml}
      roles: {bob: new, carol: sdk, dave: old}

      """)
    let clients = project.clients.all

    #expect(problems.map(\.message) == [])
    #expect(clients.map(\.name) == ["old", "new"])
    #expect(clients.map(\.command) == [["python3", "old.py", "-v"], ["./new", "a b"]])
    #expect(clients.map(\.version) == ["1.10", "2.0 é"])
    #expect(clients.map(\.known) == [nil, "/nowhere/new.yaml"])
    #expect(
      clients.map { "\($0.location)" } == [
        "/nowhere/kennel.yaml:3:18", "/nowhere/kennel.yaml:4:18",
      ])
    #expect(project.values["roles"]?.texts == ["bob=new", "carol=sdk", "dave=old"])
    #expect(project.commands.count == 2)
  }

  @Test func `paths start from the folder of the file`() throws {
    #expect(try values("ci")["junit"]?.texts == ["/nowhere/kennel.xml"])
    #expect(try values(nil)["known"]?.texts == ["/nowhere/known.yaml"])
  }

  @Test func `the command of a server goes to the folder of the file`() {
    let (project, problems) = read(
      "kennel: 1\nserver: http://127.0.0.1:5000/?ns=test\nserver-command: ./serve {port}\n")
    #expect(problems.map(\.message) == [])
    #expect(project.values["server"]?.texts == ["http://127.0.0.1:5000/?ns=test"])
    #expect(project.values["server-command"]?.texts == ["cd /nowhere && ./serve {port}"])
  }

  @Test(arguments: [
    (text, "cii", "settings \"cii\", which --settings names; did you mean \"ci\"?"),
    (text, "nightly", "settings \"nightly\", which --settings names; expected one of ci, local"),
    ("kennel: 1", "ci", "settings \"ci\", which --settings names; add settings: {ci: {...}}"),
  ])
  func `settings that there are not are told with those that there are`(
    text: String, name: String, message: String
  ) {
    let failure = #expect(throws: Failure.self) {
      try read(text).project.values(of: SettingValue([name], .commandLine))
    }
    #expect(failure?.description == "/nowhere/kennel.yaml has no \(message)")
  }

  @Test(arguments: [
    ("JOBS", "many", "a whole number from 1 to 256"),
    ("SHARD", "5/4", "a part from 1/N to N/N such as 1/4"),
    ("SEEDS", "9..1", "two whole numbers, the smaller first, such as 1..1000"),
    ("PROFILES", "wild", "wilddog-1, wilddog-2 or firebase"),
    ("TIMEOUT", "0", "a number of seconds from 0.1 to 3600"),
    ("ROLES", "bob", "a client and what plays it, such as bob=old"),
  ])
  func `values of variables that mean nothing are told`(
    key: String, text: String, expected: String
  ) {
    let failure = #expect(throws: Failure.self) {
      try RunSettings.inProjects.values(in: ["KENNEL_\(key)": text])
    }
    #expect(
      failure?.report
        == "KENNEL_\(key) is \"\(text)\"; expected \(expected); set it so, or unset it\n"
        + "kennel: 1 problem in the environment; nothing was run")
    #expect(failure?.exitCode == .usage)
  }

  @Test(arguments: [
    ("KENNEL_JOB", "KENNEL_JOBS"), ("KENNEL_SETTING", "KENNEL_SETTINGS"),
    ("KENNEL_EXCLUDES", "KENNEL_EXCLUDE"),
  ])
  func `a variable that is a slip is told with what was meant`(name: String, meant: String) {
    let failure = #expect(throws: Failure.self) {
      try RunSettings.inProjects.values(in: [name: "1"])
    }
    #expect(
      failure?.report.hasPrefix(
        "the variable \(name) is no setting; did you mean \"\(meant)\"? Rename it, or unset it\n")
        == true)
  }

  @Test func `variables are settings, and others are left alone`() throws {
    let values = try RunSettings.inProjects.values(in: [
      "KENNEL_JOBS": "3", "KENNEL_EXCLUDE": "limits races", "KENNEL_JUNIT": "", "KENNEL_HOME": "/",
      "KENNEL_REPOSITORY": "a", "JOBS": "x",
    ])

    #expect(
      values == [
        "jobs": SettingValue(["3"], .environment("KENNEL_JOBS")),
        "exclude": SettingValue(["limits", "races"], .environment("KENNEL_EXCLUDE")),
      ])
  }
}
