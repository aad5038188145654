import Document
import LiveServer
import Runs
import Scenario
import ScenarioFiles
import System
import Tree
import Workspace

// The texts of the editor.

extension UserInterface {
  /// What is wrong with a text, line by line.
  func check(_ body: JSON) -> JSON {
    let read = workbench.read(
      body["text"]?.string ?? "", file: body["file"]?.string ?? "new.yaml")
    return [
      "problems": .array(read.problems.map(json)),
      "scenarios": .strings(read.scenarios.map(\.id)),
    ]
  }

  private func json(_ problem: SourceError) -> JSON {
    [
      "line": .number(Double(problem.location.line ?? 1)),
      "column": .number(Double(problem.location.column ?? 1)),
      "file": .string(problem.file), "message": .string(problem.message),
    ]
  }

  /// The text with what the reference client does as what it expects.
  ///
  /// - Throws: `Failure` with the reason where nothing is recorded.
  func record(_ body: JSON) throws(Failure) -> JSON {
    let (file, text) = try draft(in: body)
    let recorded = try RecordedExpectations(file, text, workbench.library.rules)
    return [
      "text": .string(recorded.text), "difference": .string(recorded.difference(.plain)),
    ]
  }

  private func draft(in body: JSON) throws(Failure) -> (file: String, text: String) {
    guard let file = body["file"]?.string, let text = body["text"]?.string else {
      throw .unusable("the request needs file and text")
    }
    return (file, text)
  }

  /// Writes a scenario file: one that was read, or a new one below the current directory.
  ///
  /// Nothing is written over what another program has written: the request states the text that its own
  /// is based on, `base`, and the file must have that text, or not exist where none is stated.
  ///
  /// - Returns: 409 and the text of the file, `disk`, where the file has another text.
  /// - Throws: `Failure` for any other file, and when it cannot be read or written.
  func save(_ body: JSON) throws(Failure) -> HTTPResponse {
    let (file, text) = try draft(in: body)
    let isKnown =
      workbench.library.sources[file] != nil
      || workbench.list.entries.contains { $0.file == file }
    let isBelow = !file.hasPrefix("/") && !file.split(separator: "/").contains("..")
    guard isKnown || isBelow && ScenarioLibrary.suffixes.contains(where: file.hasSuffix) else {
      throw .unusable("a new file must be below this directory and end with .yaml, not \(file)")
    }
    // What others have changed is noticed before this changes something.
    workbench.refresh()
    let disk = Files.exists(file) ? try Files.regularText(of: file) : nil
    if let conflict = conflict(of: disk, with: body["base"]?.string, file) { return conflict }
    try Files.makeDirectory(of: file)
    try Files.write(text, to: file)
    let isNamed = workbench.refresh(afterWriting: file)
    let entry = workbench.list.entries.first { $0.file == file }
    return HTTPResponse(
      200,
      json: [
        "file": .string(file), "id": .optional(entry?.id), "isNamed": .bool(isNamed),
        "version": .number(Double(workbench.version)),
      ])
  }

  private func conflict(of disk: String?, with base: String?, _ file: String) -> HTTPResponse? {
    // By bytes: texts that differ in how a letter is composed are equal as texts.
    if disk.map({ Array($0.utf8) }) == base.map({ Array($0.utf8) }) { return nil }
    let message =
      if disk == nil {
        "\(file) is no longer there, and was not written; keep the text as another file"
      } else if base == nil {
        "\(file) exists already, and was not written; choose another name"
      } else {
        "\(file) has changed on disk, and was not written; load it, or keep the text as another file"
      }
    return HTTPResponse(409, json: ["error": .string(message), "disk": .optional(disk)])
  }
}
