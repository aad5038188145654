import Document
package import System

/// The adapters to begin with, by their names on the command line.
package enum AdapterTemplate: String, CaseIterable {
  case python
  case javascript
  case javascriptSDK = "javascript-sdk"
  case c, go, java, ruby, rust, csharp, dart

  /// Where its files are, below the kit's folder.
  private var folder: String {
    switch self {
    case .python, .javascript, .c, .go, .java, .ruby, .rust, .csharp, .dart:
      "tools/adapters/\(rawValue)"
    case .javascriptSDK: "tools/adapters/javascript/host"
    }
  }

  /// What lies in that folder and is no part of it: tests, what they need, and what is made.
  private var omitted: Set<String> {
    switch self {
    case .javascript: ["host"]
    case .javascriptSDK: ["test.js", "test-sdk"]
    case .c: ["round_trips.c"]
    case .python: ["__pycache__"]
    case .go, .java, .ruby, .rust, .csharp, .dart: []
    }
  }

  /// What starts it when it lies in `directory`.
  package func command(in directory: String) -> [String] {
    switch self {
    case .python: ["python3", Files.join(directory, "adapter.py")]
    case .javascript: ["node", Files.join(directory, "adapter.js")]
    case .javascriptSDK:
      ["node", Files.join(directory, "host.js"), "--api", "firebase", "SDK.js"]
    case .c: [Files.join(directory, "example")]
    case .go, .rust, .dart: [Files.join(directory, "adapter")]
    case .csharp: ["mono", Files.join(directory, "Adapter.exe")]
    case .java: ["java", Files.join(directory, "Adapter.java")]
    case .ruby: ["ruby", Files.join(directory, "adapter.rb")]
    }
  }

  /// What to do with it when it lies in `directory`: lines of a shell, and what to change.
  package func nextSteps(in directory: String) -> String {
    let here = shellWord(directory)
    switch self {
    case .python, .javascript, .java, .ruby:
      let words = command(in: directory)
      return """
          \(programWord) run writes -- \(words.map(shellWord).joined(separator: " "))

        Then change what is below "The client" in \(words.last ?? "").
        """
    case .javascriptSDK:
      return """
          \(programWord) run writes --profile wilddog-2 -- node \(here)/host.js --api wilddog SDK.js
          \(programWord) run writes --profile firebase -- node \(here)/host.js --api firebase SDK.js

        SDK.js is the file of the SDK. \(directory)/README.md lists what it may need.
        """
    case .c:
      return """
          cc -std=c99 -o \(here)/example \(here)/example.c -lm
          \(programWord) run writes -- \(here)/example

        Then put your client's calls into \(directory)/example.c.
        """
    case .go:
      return steps(in: directory, "adapter.go") { "go build -o \($1)/adapter \($0)" }
    case .rust:
      return steps(in: directory, "adapter.rs") {
        "rustc --edition 2021 -O -o \($1)/adapter \($0)"
      }
    case .csharp:
      return steps(in: directory, "Adapter.cs") { "mcs -out:\($1)/Adapter.exe \($0)" }
    case .dart:
      return steps(in: directory, "adapter.dart") { "dart compile exe -o \($1)/adapter \($0)" }
    }
  }
}

extension AdapterTemplate {
  /// What to do with an adapter of one file, which `compile` makes a program.
  private func steps(
    in directory: String, _ name: String, compile: (String, String) -> String
  ) -> String {
    let file = Files.join(directory, name)
    let words = command(in: directory)
    return """
        \(compile(shellWord(file), shellWord(directory)))
        \(programWord) run writes -- \(words.map(shellWord).joined(separator: " "))

      Then change what is below "The client" in \(file).
      """
  }

  /// Copies the files into a directory, which is made where there is none.
  ///
  /// All files are looked at before the first is written, so that a folder in which one of them is in
  /// the way stays as it was.
  ///
  /// - Parameters:
  ///   - directory: Where the files go.
  ///   - home: The kit's folder.
  /// - Returns: How many files were written.
  /// - Throws: `Failure.unusable` when a file is there already, and `Failure` for what cannot be read
  ///   or written.
  package func write(to directory: String, from home: String) throws(Failure) -> Int {
    let source = Files.join(home, folder)
    guard Files.isDirectory(source) else {
      throw .unusable("\(source) does not exist; it belongs to the kit")
    }
    let names = try Self.fileNames(below: source, except: omitted)
    for name in names {
      let path = Files.join(directory, name)
      if Files.exists(path) {
        throw .unusable("\(path) exists already, and nothing was written; name another folder")
      }
    }
    for name in names {
      let path = Files.join(directory, name)
      if let slash = path.lastIndex(of: "/") {
        try Files.makeDirectory(slash == path.startIndex ? "/" : String(path[..<slash]))
      }
      try Files.write(try Files.text(of: Files.join(source, name)), to: path)
    }
    return names.count
  }

  /// The files of a folder, at any depth, relative to it.
  private static func fileNames(
    below directory: String, except omitted: Set<String>
  ) throws(Failure) -> [String] {
    var names: [String] = []
    for name in try Files.entries(of: directory) where !omitted.contains(name) {
      let path = Files.join(directory, name)
      if Files.isDirectory(path) {
        names += try fileNames(below: path, except: omitted).map { Files.join(name, $0) }
      } else {
        names.append(name)
      }
    }
    return names
  }
}
