import Commands
import Processes
import Reports
import System
import Text

/// What `kennel new` was asked for.
struct NewOptions {
  var template: Template
  /// The folder to write into; it is made where there is none.
  var directory: String

  /// - Throws: `Failure.usage` for something that cannot be made.
  init(_ arguments: Arguments) throws(Failure) {
    let operands = arguments.operands
    guard let kind = operands.first else {
      throw arguments.failure("what is to be made? expected: adapter LANGUAGE")
    }
    guard kind == "adapter" else {
      throw arguments.failure("unknown thing \"\(kind)\"; expected adapter")
    }
    guard operands.count > 1 else {
      throw arguments.failure("in which language? one of \(Self.names.joined(separator: ", "))")
    }
    guard let template = Template(rawValue: operands[1]) else {
      throw arguments.failure(
        unknown("language", operands[1], among: Self.names)
          + "\nThere are \(Self.names.joined(separator: ", ")).")
    }
    guard operands.count < 4 else {
      throw arguments.failure("unexpected argument \"\(operands[3])\"")
    }
    self.template = template
    directory = operands.count > 2 ? operands[2] : "kennel-\(template.rawValue)"
  }

  private static let names = Template.allCases.map(\.rawValue)

  static let grammar = Grammar(
    command: "kennel new", operands: "adapter LANGUAGE [DIR]",
    summary: """
      Writes an adapter to begin with into a folder: DIR, or kennel-LANGUAGE. It runs as it is, \
      with a small client of its own; put yours in place of that one. Files that are there are \
      never overwritten.

      Languages:
        python          an adapter and a complete client, for Python 3.9 or newer
        javascript      the same, for Node 20 or newer
        javascript-sdk  a host in which a shipped JavaScript SDK runs unchanged
        c               a header for everything that links C, and a thin client
      """,
    options: [],
    notes: """
      Examples:
        kennel new adapter python
        kennel new adapter c my-adapter

      \(ExitCode.help)
      """)
}

/// The adapters to begin with, by their names on the command line.
enum Template: String, CaseIterable {
  case python
  case javascript
  case javascriptSDK = "javascript-sdk"
  case c

  /// Where its files are, below the kit's folder.
  var folder: String {
    switch self {
    case .python, .javascript, .c: "tools/adapters/\(rawValue)"
    case .javascriptSDK: "tools/adapters/javascript/host"
    }
  }

  /// What lies in that folder and is no part of it: tests, what they need, and what is made.
  var omitted: Set<String> {
    switch self {
    case .javascript: ["host"]
    case .javascriptSDK: ["test.js", "test-sdk"]
    case .c: ["round_trips.c"]
    case .python: ["__pycache__"]
    }
  }

  /// What to do with it when it lies in `directory`: lines of a shell, and what to change.
  func nextSteps(in directory: String) -> String {
    let here = shellWord(directory)
    switch self {
    case .python:
      return """
          \(programWord) run writes -- python3 \(here)/adapter.py

        Then change what stands below "The client" in \(directory)/adapter.py.
        """
    case .javascript:
      return """
          \(programWord) run writes -- node \(here)/adapter.js

        Then change what stands below "The client" in \(directory)/adapter.js.
        """
    case .javascriptSDK:
      return """
          \(programWord) run writes --profile wilddog-2 -- node \(here)/host.js --api wilddog SDK.js
          \(programWord) run writes --profile firebase -- node \(here)/host.js --api firebase SDK.js

        SDK.js is the file of the SDK. \(directory)/README.md says what it may need.
        """
    case .c:
      return """
          cc -std=c99 -o \(here)/example \(here)/example.c -lm
          \(programWord) run writes -- \(here)/example

        Then put your client's calls into \(directory)/example.c.
        """
    }
  }
}
