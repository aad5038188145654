import Foundation
import TestKit

/// What the compiler says of a program that uses the modules that were built with these tests, and sees of
/// them what is public, as any program does.
struct ProgramCompiler {
  /// The mode of the language.
  var mode: Int
  /// Whether what has no isolation of its own belongs to the main actor, as a package can ask for.
  var isMainActor = false

  /// Warnings and errors as `FILE:LINE: error: what is wrong`, sorted; the texts are those of files by their
  /// names.
  func complaints(about files: [String: String]) throws -> [String] {
    let folder = try Folder()
    for (name, text) in files { try folder.write(text, to: name) }
    var compiler = Program(path: "/usr/bin/env")
    compiler.directory = folder.url
    let outcome = try compiler.run(
      ["swiftc", "-typecheck", "-wmo", "-swift-version", String(mode)]
        + ["-module-name", "Application"]
        + (isMainActor ? ["-default-isolation", "MainActor"] : [])
        + ["-I", Self.modules] + (try Self.moduleMaps) + files.keys.sorted())
    let messages = outcome.messages.components(separatedBy: "\n").compactMap(Self.complaint)
    if outcome.status != 0, messages.isEmpty { return [outcome.messages] }
    return Array(Set(messages)).sorted()
  }

  /// Where the interfaces of the modules are.
  static var modules: String {
    URL(filePath: Program.kennel.path).deletingLastPathComponent().path + "/Modules"
  }

  /// The options by which the compiler finds the C libraries.
  static var moduleMaps: [String] {
    get throws {
      try SourceTree.entries(of: "Sources/0-CLibraries").flatMap { library in
        let map = "Sources/0-CLibraries/\(library)/module.modulemap"
        return ["-Xcc", "-fmodule-map-file=" + SourceTree.root.appending(path: map).path]
      }
    }
  }

  /// `a.swift:3:14: error: x` without the column; nothing for other lines.
  private static func complaint(_ line: String) -> String? {
    let parts = line.components(separatedBy: ":")
    guard parts.count > 4, parts[0].hasSuffix(".swift"), Int(parts[1]) != nil,
      [" error", " warning"].contains(parts[3])
    else { return nil }
    return "\(parts[0]):\(parts[1]):" + parts[3...].joined(separator: ":")
  }
}
