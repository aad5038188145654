import TestKit
import Testing

@Suite struct TidyTests {
  private func source(_ text: String, file: String = "Sources/Tree/A.swift") -> SourceText {
    SourceText(file: file, text: text)
  }

  @Test func `a file that is too long is told`() {
    let lines = String(repeating: "// line\n", count: 801)

    #expect(
      Tidy.length(of: source(lines)) == [
        "Sources/Tree/A.swift: 801 lines; a file has at most 800: "
          + "move one of its ideas to a file of its own"
      ])
    #expect(Tidy.length(of: source(String(repeating: "// line\n", count: 800))) == [])
  }

  @Test func `a module that is too large is told, and the executable earlier`() {
    let module = Modules.Module(group: "4-Judging", name: "Rules", imports: [])
    let executable = Modules.Module(group: "9-Programs", name: "kennel", imports: [])

    #expect(Tidy.size(of: module, lines: 6999) == [])
    #expect(Tidy.size(of: executable, lines: 3999) == [])
    #expect(
      Tidy.size(of: module, lines: 7000) == [
        "4-Judging/Rules: 7000 lines; it has less than 7000: "
          + "move one of its ideas to a module of its own"
      ])
    #expect(Tidy.size(of: executable, lines: 4000).count == 1)
  }

  @Test func `a function that is too long is told`() {
    let body = String(repeating: "    work()\n", count: 39)
    let text = "struct A {\n  func long(\n    a: Int\n  ) {\n\(body)  }\n  func short() {}\n}\n"

    #expect(
      Tidy.functionLengths(in: source(text)) == [
        "Sources/Tree/A.swift:2: long has 43 lines; a function has at most 40: "
          + "give its steps names and functions of their own"
      ])
  }

  @Test func `an unchecked conformance without a reason is reported`() {
    let reason = "/// Unchecked: `a` never changes.\n"
    let text = "/// A.\nfinal class A: @unchecked Sendable {}\n"

    #expect(
      Tidy.unexplained(in: source(text)) == [
        "Sources/Tree/A.swift:2: @unchecked is not explained; "
          + "add a paragraph \"Unchecked: …\" to the comment, or use a Mutex"
      ])
    #expect(Tidy.unexplained(in: source(reason + text)) == [])
    #expect(Tidy.unexplained(in: source("// @unchecked Sendable\n")) == [])
  }

  @Test func `functions of every form are found and measured`() {
    let text = """
      protocol P {
        func required() -> Int
        var stored: Int { get set }
      }
      public init?(a: Int = [1].map { $0 }[0]) {
      }
      @Test(arguments: [1]) private static func `a name`<T>(x: T)
        -> Int
      {
        1
      }
      public var computed: Int {
        "{ \\(a { 1 }) }"
      }
      var value = make {
      }
      subscript(i: Int) -> Int { i }
      """

    #expect(
      Function.all(in: source(text).code) == [
        Function(name: "init", line: 5, lineCount: 2),
        Function(name: "a name", line: 7, lineCount: 5),
        Function(name: "computed", line: 12, lineCount: 3),
        Function(name: "subscript", line: 17, lineCount: 1),
      ])
  }

  @Test(arguments: [
    ("let a = Date()", "Date( is not used; take the virtual time as a parameter"),
    ("Int.random(in: 0...1)", ".random( is not used; draw from the choice tape"),
    ("let a = UUID()", "UUID( is not used; draw from the choice tape"),
    ("print(1)", "print( is not used; return the text to the command line"),
    ("try! f()", "try! is not used; handle the error, or declare it with throws"),
    ("a as! B", "as! is not used; match with a case or as?"),
    (
      "fatalError()", "fatalError( is not used; throw for bad input, precondition for a broken law"
    ),
    (
      "import Foundation",
      "import Foundation is not used; use the standard library, or Glibc in kennel"
    ),
    ("// TODO later", "TODO is not used; do it, or write the scenario that fails"),
  ])
  func `banned code is told with what to write instead`(code: String, complaint: String) {
    #expect(Tidy.bannedCode(in: source("\n" + code)) == ["Sources/Tree/A.swift:2: " + complaint])
  }

  @Test(arguments: [
    "fingerprint(1)", "// print(1)", "let a = \"print(1) try! \\\" print(2)\"", "UpDate(1)",
    "let a = #\"\"\"\n Date( \" \"\"\" print( \n\"\"\"#", "/* as! */ let a = 1",
  ])
  func `words within other words, comments and strings are no code`(code: String) {
    #expect(Tidy.bannedCode(in: source(code)) == [])
  }

  @Test func `code within a string is code`() {
    let found = Tidy.bannedCode(in: source("let a = \"x \\(b(\"y\") + Date())\""))

    #expect(found.count == 1)
  }

  @Test func `reports and the command line may print`() {
    #expect(
      Tidy.bannedCode(in: source("print(1)", file: "Sources/7-Presentation/Reports/A.swift")) == [])
    #expect(
      Tidy.bannedCode(in: source("print(1)", file: "Sources/9-Programs/kennel/A.swift")) == [])
  }

  @Test func `imports against the arrows are told`() {
    let text = "import Tree\npublic import Simulator\nimport struct Wire.Frame\n"
    let modules = Modules(manifest: "\n  module(\"4-Judging/Rules\", \"Tree\"),\n")

    #expect(
      Tidy.imports(in: source(text), module: "Rules", of: modules) == [
        "Sources/Tree/A.swift:2: Rules may not import Simulator, only Tree; "
          + "move the code to where the arrows lead",
        "Sources/Tree/A.swift:3: Rules may not import Wire, only Tree; "
          + "move the code to where the arrows lead",
      ])
    #expect(
      Tidy.imports(in: source(text), module: "Other", of: modules) == [
        "Sources/Tree/A.swift: module Other is not in Package.swift; add it there"
      ])
  }

  @Test func `a module that is declared and not imported is told`() {
    let module = Modules.Module(group: "4-Judging", name: "Rules", imports: ["Tree", "Wire"])

    #expect(
      Tidy.unused(of: module, in: [source("import Tree\n// import Wire\n")]) == [
        "Package.swift: Rules declares Wire, which none of its files imports; remove it there"
      ])
  }

  @Test func `the table of modules is read from the manifest`() {
    let manifest = """
      let modules: [Target] = [
        module("1-Values/Tree", "CNettle", linking: "m"),
        module(
          "2-Protocol/Wire",
          "Document "
            + "Tree"),
        module(
          "7-Presentation/Pages", "Tree",
          embedding: "a.js "
            + "b.js"),
      ]
      let tests: [Target] = [
        test("WireTests", "Tree Wire"),
      ]
      """

    #expect(
      Modules(manifest: manifest).table == [
        Modules.Module(group: "1-Values", name: "Tree", imports: ["CNettle"]),
        Modules.Module(group: "2-Protocol", name: "Wire", imports: ["Document", "Tree"]),
        Modules.Module(group: "7-Presentation", name: "Pages", imports: ["Tree"]),
      ])
    #expect(
      Modules(manifest: manifest).tests == [
        Modules.Module(group: "Tests", name: "WireTests", imports: ["Tree", "Wire"])
      ])
  }

  @Test func `public declarations without a doc comment are reported`() {
    let text = """
      public import Tree
      /// A thing.
      @frozen
      public struct A {
        public let b: Int
        @inlinable public init() {}
        public var description: String { "" }
        let c = 1
      }
      """
    let reason = "has no doc comment; say what a caller cannot see from the name"

    #expect(
      Tidy.undocumented(in: source(text)) == [
        "Sources/Tree/A.swift:5: public let b: Int \(reason)",
        "Sources/Tree/A.swift:6: public init() {} \(reason)",
      ])
  }

  @Test func `stray entries at the top level are told`() {
    #expect(
      Tidy.topLevel([".git", "Package.swift", "Sources", "notes"]) == [
        "notes: does not belong at the top level; put it into "
          + "Package.swift, README.md, Scenarios, Sources, Specs, Tests, tools"
      ])
  }

  @Test func `rules are found in comments and nowhere else`() {
    let source = SourceText(
      file: "Sources/Tree/A.swift",
      text: "/// Law (EVT-99). See WRT-1, ISO-8601.\nlet a = \"VAL-9\"  // KEY-2\n  // KEY-3: x\n")

    #expect(Tidy.citedRules(in: source) == ["EVT-99", "WRT-1", "KEY-3"])
  }

  @Test func `modules are found in the table of a README`() {
    let readme = "| Folder | x |\n|---|---|\n| `CYAML` `CArgp` | C |\n| `Tree` | `paths` |\n"

    #expect(Tidy.mapRows(in: readme) == ["CYAML", "CArgp", "Tree"])
  }
}
