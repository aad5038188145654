import Foundation

/// A part of a transcript, run in an empty directory.
package struct TranscriptRun {
  /// What came back from each command, in the form of the file.
  package let observed: [[String]]

  private let transcript: Transcript

  /// Runs all commands in one shell, with `kennel` as a command. The variables `KENNEL`, `KIT` and
  /// `FOLDER` name the program, the source tree and the directory; in what comes back the last two
  /// stand for them.
  package init(_ transcript: Transcript, kennel: Program = .kennel) throws {
    let (work, scratch) = (try Folder(), try Folder())
    let commands = transcript.setup + transcript.commands
    try scratch.write(Self.script(commands, kennel, scratch), to: "script")
    var shell = Program(path: "/usr/bin/timeout")
    shell.environment = kennel.environment
    shell.environment["KIT"] = SourceTree.root.path
    shell.environment["FOLDER"] = work.url.path
    shell.environment["KENNEL"] = kennel.path
    shell.environment["LC_ALL"] = "C.UTF-8"
    shell.directory = work.url
    // Far more than it takes on a machine that is busy: only what hangs for ever is ended.
    _ = try shell.run(["1800", "/bin/bash", scratch.path("script")])
    self.transcript = transcript
    observed = commands.indices.map { index in
      Self.report(of: index, in: scratch).map { line in
        line.replacingOccurrences(of: work.url.path, with: "$FOLDER")
          .replacingOccurrences(of: SourceTree.root.path, with: "$KIT")
      }
    }
  }

  /// The first difference, in words; `nil` if there is none.
  package var difference: String? {
    for (command, lines) in zip(transcript.setup + transcript.commands, observed)
    where !TranscriptPattern.matches(command.expected, lines) {
      return """
        \(transcript.file):\(command.line): $ \(command.text)
        expected:
        \(command.expected.map { "  " + $0 }.joined(separator: "\n"))
        found:
        \(lines.map { "  " + $0 }.joined(separator: "\n"))
        """
    }
    return nil
  }

  /// Each command writes into files of its own, so that two outputs can be told apart.
  private static func script(
    _ commands: [Transcript.Command], _ kennel: Program, _ scratch: Folder
  ) -> String {
    var script = "kennel() { \"$KENNEL\" \"$@\"; }\n"
    for (index, command) in commands.enumerated() {
      let file = scratch.path("\(index)")
      script +=
        "{\n\(command.text)\n} </dev/null >\(file).out 2>\(file).err\necho $? >\(file).code\n"
    }
    return script
  }

  private static func report(of index: Int, in scratch: Folder) -> [String] {
    guard let code = try? scratch.text("\(index).code") else { return ["[the shell ended]"] }
    let output = lines((try? scratch.text("\(index).out")) ?? "[no UTF-8]")
    let messages = lines((try? scratch.text("\(index).err")) ?? "[no UTF-8]")
    var report = output.map { isMarked($0) ? "\\" + $0 : $0 }
    report += messages.map { $0.isEmpty ? "!" : "! " + $0 }
    while report.last == "" { report.removeLast() }
    let status = code.trimmingCharacters(in: .whitespacesAndNewlines)
    return status == "0" ? report : report + ["[\(status)]"]
  }

  /// Whether a line of output looks like something else of a session.
  private static func isMarked(_ line: String) -> Bool {
    ["$ ", "> ", "\\"].contains { line.hasPrefix($0) } || [">", "...", "! ..."].contains(line)
      || TranscriptPattern.isMessageOrCode(line)
  }

  /// Lines that a text file can hold: control characters and spaces at the end as `\u{..}`, and
  /// `\c` where the last line does not end.
  private static func lines(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(printable)
    if text.hasSuffix("\n") { lines.removeLast() } else { lines[lines.count - 1] += "\\c" }
    return lines
  }

  private static func printable(_ line: Substring) -> String {
    var text = ""
    for scalar in line.unicodeScalars {
      let isControl = scalar.value < 32 || scalar.value == 127
      text += isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return text.hasSuffix(" ") ? text.dropLast() + "\\u{20}" : text
  }
}
