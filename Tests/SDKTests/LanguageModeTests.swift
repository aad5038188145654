import Foundation
import TestKit
import Testing

/// Blocks are called on the callback queue. So in the mode of Swift 6 the compiler refuses a block that
/// belongs to an actor or changes what it has captured; in that of Swift 5 a block is what the
/// documents print.
@Suite struct LanguageModeTests {
  @Test(arguments: ["Wilddog", "WilddogSync"])
  func `a printed block is taken in the mode of Swift 5, and has to be sendable in that of Swift 6`(
    module: String
  ) throws {
    let page = DeclarationPage(try SourceTree.text(of: "Specs/sdk.md"))
    let calls = page.rows.filter {
      $0.module == module && $0.document != nil && $0.declaration.contains("lock: ")
    }.enumerated().map { Self.call($0.element, as: "call\($0.offset)") }
    let text = (["import \(module)"] + calls).joined(separator: "\n")
    let lines = Set(calls.indices.map { "calls.swift:\($0 + 2)" })

    let accepted = try ProgramCompiler(mode: 5).complaints(about: ["calls.swift": text])
    let refused = try ProgramCompiler(mode: 6).complaints(about: ["calls.swift": text])
    let errors = refused.filter { $0.contains(": error: ") && $0.contains("@Sendable") }

    #expect(calls.count > 15)
    #expect(accepted == [])
    #expect(Set(errors.map { $0.components(separatedBy: ": ")[0] }) == lines)
  }

  /// A function with the parameters of a declaration, which calls that with them.
  private static func call(_ row: DeclarationPage.Row, as function: String) -> String {
    let parts = row.declaration.components(separatedBy: "func ")[1]
    let name = String(parts.prefix { $0 != "(" })
    let open = parts.dropFirst(name.count)
    var (depth, end) = (0, open.startIndex)
    for index in open.indices {
      if open[index] == "(" { depth += 1 } else if open[index] == ")" { depth -= 1 }
      if depth == 0 {
        end = index
        break
      }
    }
    let parameters = String(open[open.index(after: open.startIndex)..<end])
    let arguments = split(parameters).map { parameter in
      let words = parameter.components(separatedBy: ":")[0].split(separator: " ")
      return words[0] == "_" ? "\(words[1])" : "\(words[0]): \(words.last ?? "")"
    }
    return "extension \(row.symbol) { func \(function)(\(parameters)) { "
      + "\(name)(\(arguments.joined(separator: ", "))) } }"
  }

  /// The parts of a list of parameters, whose types may have commas of their own.
  private static func split(_ parameters: String) -> [String] {
    var (parts, depth) = ([""], 0)
    for character in parameters {
      if "([".contains(character) { depth += 1 } else if ")]".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

// Programs.

extension LanguageModeTests {
  /// A program that would race or end on the callback queue, and the error of Swift 6.
  struct Refused: CustomTestStringConvertible {
    var testDescription: String
    var code: String
    var error: String
  }

  private static let model = "@MainActor private final class Model { var items: [String] = []\n"
  private static let mainActor =
    "main actor-isolated property 'items' can not be mutated from a Sendable closure"

  static let refused = [
    Refused(
      testDescription: "a listener changes a model of the main actor",
      code: model
        + "func show(_ ref: WDGSyncReference) { ref.observe(.childAdded, with: { self.items.append($0.key) }) } }",
      error: mainActor),
    Refused(
      testDescription: "the end of a write changes a model of the main actor",
      code: model
        + "func show(_ ref: WDGSyncReference) { ref.setValue(1, withCompletionBlock: { _, _ in self.items = [] }) } }",
      error: mainActor),
    Refused(
      testDescription: "the cancel block changes a model of the main actor",
      code: model
        + "func show(_ ref: WDGSyncReference) { ref.observe(.value, with: { _ in }, withCancel: { _ in self.items = [] }) } }",
      error: mainActor),
    Refused(
      testDescription: "the end of a transaction changes a model of the main actor",
      code: model
        + "func show(_ ref: WDGSyncReference) { ref.runTransactionBlock({ .success(withValue: $0) }, andCompletionBlock: { _, _, _ in self.items = [] }) } }",
      error: mainActor),
    Refused(
      testDescription: "what waits for pending writes changes a model of the main actor",
      code: model
        + "func show(_ sync: WDGSync) { sync.waitForPendingWrites { self.items = [] } } }",
      error: mainActor),
    Refused(
      testDescription: "signing in changes a model of the main actor",
      code: model
        + "func show(_ sync: WDGSync) { sync.signIn(withToken: \"\") { _ in self.items = [] } } }",
      error: mainActor),
    Refused(
      testDescription: "a read changes a model of the main actor",
      code: model
        + "func show(_ ref: WDGSyncReference) { ref.getData { _, _ in self.items = [] } } }",
      error: mainActor),
    Refused(
      testDescription: "a listener changes an actor",
      code:
        "private actor Model { var items: [String] = []\nfunc show(_ ref: WDGSyncReference) { ref.observe(.childAdded, with: { self.items.append($0.key) }) } }",
      error: "actor-isolated property 'items' can not be mutated from a Sendable closure"),
    Refused(
      testDescription: "a block says that it belongs to the main actor",
      code: model
        + "func show(_ ref: WDGSyncReference) { ref.observe(.value, with: { @MainActor _ in self.items = [] }) } }",
      error: "loses global actor 'MainActor'"),
    Refused(
      testDescription: "a block is a method of the main actor",
      code: model
        + "func show(_ ref: WDGSyncReference) { ref.observe(.value, with: take) }\nfunc take(_ snapshot: WDGDataSnapshot) {} }",
      error: "loses global actor 'MainActor'"),
    Refused(
      testDescription: "a listener counts in a variable of its function",
      code:
        "private func count(_ ref: WDGSyncReference) { var count = 0; ref.observe(.value, with: { _ in count += 1 }); print(count) }",
      error: "mutation of captured var 'count' in concurrently-executing code"),
    Refused(
      testDescription: "the function of a transaction counts in a variable",
      code:
        "private func count(_ ref: WDGSyncReference) { var count = 0; ref.runTransactionBlock { count += 1; return .success(withValue: $0) }; print(count) }",
      error: "mutation of captured var 'count' in concurrently-executing code"),
    Refused(
      testDescription: "a listener changes an object that only one thread may use",
      code:
        "private final class Model { var items = 0; func show(_ ref: WDGSyncReference) { ref.observe(.value, with: { _ in self.items += 1 }) } }",
      error: "capture of 'self' with non-Sendable type 'Model' in a '@Sendable' closure"),
  ]

  @Test func `what would race or end the program is an error of Swift 6, and none of Swift 5`()
    throws
  {
    var files: [String: String] = [:]
    for (index, program) in Self.refused.enumerated() {
      files["p\(index + 10).swift"] = "import WilddogSync\n" + program.code
    }

    #expect(try ProgramCompiler(mode: 5).complaints(about: files) == [])
    for isMainActor in [false, true] {
      let compiler = ProgramCompiler(mode: 6, isMainActor: isMainActor)
      let complaints = try compiler.complaints(about: files)
      for (index, program) in Self.refused.enumerated()
      // A package of the main actor has no other variables of functions and no other objects.
      where !(isMainActor && program.error.contains("non-Sendable type")) {
        let found = complaints.filter { $0.hasPrefix("p\(index + 10).swift:") }
        let isFound = found.contains {
          $0.contains(": error: ") && $0.contains(program.error)
        }
        #expect(isFound, "\(program.testDescription), main actor \(isMainActor): \(found)")
      }
    }
  }

  static let accepted = [
    "a model of the main actor takes blocks of the main queue": """
    @MainActor private final class Model { var items: [String] = []
      func show(_ ref: WDGSyncReference) {
        ref.observe(.childAdded, with: { snapshot in
          MainActor.assumeIsolated { self.items.append(snapshot.key) } })
      } }
    """,
    "a model of the main actor follows events in a task": """
    @MainActor private final class Model { var items: [String] = []
      func show(_ ref: WDGSyncReference) async throws {
        for try await (snapshot, _) in ref.events(.childAdded) { items.append(snapshot.key) }
        try await ref.set(["a": 1, "b": [true]])
      } }
    """,
    "an actor follows events, and is asked by blocks": """
    private actor Model { var items: [String] = []
      func add(_ key: String) { items.append(key) }
      func show(_ ref: WDGSyncReference) async throws {
        for try await (snapshot, _) in ref.events(.childAdded) { add(snapshot.key) }
        _ = try await ref.transaction { data in
          data.value = (data.int ?? 0) + 1
          return .success(withValue: data)
        }
      }
      nonisolated func listen(_ ref: WDGSyncReference) {
        ref.observe(.childAdded, with: { snapshot in Task { await self.add(snapshot.key) } })
      } }
    """,
    "a block changes what a lock guards": """
    import Synchronization
    private final class Model: Sendable { let items = Mutex(0)
      func show(_ ref: WDGSyncReference) {
        ref.observe(.value, with: { _ in self.items.withLock { $0 += 1 } })
      } }
    """,
    "blocks call the SDK": """
    private func save(_ ref: WDGSyncReference) {
      ref.observe(.value, with: { snapshot in snapshot.ref.child("seen").setValue(true) })
      ref.setValue(1, withCompletionBlock: { error, ref in
        if let error { print(error) } else { ref.removeAllObservers() } })
    }
    """,
  ]

  @Test(arguments: [(5, false), (6, false), (6, true)])
  func `programs that are right compile in both modes`(mode: Int, isMainActor: Bool) throws {
    var files: [String: String] = [:]
    for (index, name) in Self.accepted.keys.sorted().enumerated() {
      files["p\(index).swift"] = "import WilddogSync\n" + (Self.accepted[name] ?? "")
    }
    files["main.swift"] = """
      import WilddogSync
      let ref = WDGSync.sync().reference()
      ref.setValue(1, withCompletionBlock: { error, _ in print(error.map { "\\($0)" } ?? "done") })
      ref.observe(.value, with: { snapshot in ref.child("copy").setValue(snapshot.value) })
      """

    let complaints = try ProgramCompiler(mode: mode, isMainActor: isMainActor).complaints(
      about: files)

    #expect(complaints == [])
  }

  @Test func `a variable of main_swift belongs to the main actor, so a block may not change it`()
    throws
  {
    let program = """
      import WilddogSync
      var count = 0
      WDGSync.sync().reference().observe(.value, with: { _ in count += 1 })
      """

    #expect(try ProgramCompiler(mode: 5).complaints(about: ["main.swift": program]) == [])
    #expect(
      try ProgramCompiler(mode: 6).complaints(about: ["main.swift": program]) == [
        "main.swift:3: error: main actor-isolated var 'count' can not be mutated from a nonisolated context"
      ])
  }
}
