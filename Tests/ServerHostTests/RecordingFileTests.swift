import Foundation
import LiveServer
import TestKit
import Testing
import Tree

@testable import ServerHost

@Suite struct RecordingFileTests {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = try Folder()
    try body(folder.url.path)
  }

  @Test func `a link to nowhere is not followed`() throws {
    try inFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/a.jsonl", withDestinationPath: folder + "/victim")
      let problems = RecordingProblems { Issue.record("\($0)") }
      RecordingFile(freeIn: folder, named: "a", suffix: ".jsonl", problems).write(Array("x\n".utf8))

      #expect(!FileManager.default.fileExists(atPath: folder + "/victim"))
      #expect(try String(contentsOfFile: folder + "/a-2.jsonl", encoding: .utf8) == "x\n")
    }
  }

  @Test(arguments: [("-rf", "_rf"), ("..", "_."), (".hidden", "_hidden"), ("a/b", "a_b")])
  func `names are plain`(name: String, file: String) throws {
    try inFolder { folder in
      let problems = RecordingProblems { Issue.record("\($0)") }
      RecordingFile(freeIn: folder, named: name, suffix: ".jsonl", problems).write([])

      #expect(FileManager.default.fileExists(atPath: folder + "/\(file).jsonl"))
    }
  }

  @Test func `a file that may not grow ends with its last whole line, with a word`() throws {
    try inFolder { folder in
      var warnings: [String] = []
      let file = RecordingFile(
        freeIn: folder, named: "a", suffix: ".jsonl", RecordingProblems { warnings.append($0) })
      signal(SIGXFSZ, SIG_IGN)
      var old = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      file.write(Array("first\n".utf8))
      var limit = rlimit(rlim_cur: 8, rlim_max: old.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      file.write(Array("second\n".utf8))
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
      file.write(Array("third\n".utf8))
      let text = try String(contentsOfFile: folder + "/a.jsonl", encoding: .utf8)

      #expect(text == "first\n")
      #expect(warnings.count == 1)
      #expect(
        warnings.first?.hasSuffix("File too large; the file ends here") == true, "\(warnings)")
    }
  }

  @Test func `a few files are reported`() {
    var warnings: [String] = []
    let problems = RecordingProblems { warnings.append($0) }
    for number in 1...8 { problems.report("\(number)") }

    #expect(warnings == ["1", "2", "3", "4", "5", "other recordings cannot be written either"])
  }

  @Test func `long lines and what follows them are kept as if all were short`() throws {
    let now = SocketLoop.now
    func text(_ size: Int) -> String { String(repeating: "x", count: size) }
    let opening = Effect.Opening(dialect: "firebase", namespace: "default")
    let long = Node(.string(.init(text(100_000))))
    let sent = (1...40).map { number in
      let data = text(number % 7 == 0 ? 200_000 : 10)
      return #"{"t":"d","d":{"r":\#(number),"a":"p","b":{"p":"/a","d":"\#(data)"}}}"#
    }
    let records: [Effect.Record] =
      [.opened(opening)] + sent.map { .sent($0) }
      + [.wrote(Path("b"), long, namespace: "default"), .closed(.client)]
    func kept(_ keep: (RecordingFolder) -> Void) throws -> [String] {
      var texts: [String] = []
      try inFolder { folder in
        keep(try RecordingFolder(folder, .init(data: .empty)) { Issue.record("\($0)") })
        texts = try ["client-1.jsonl", "default.trace.jsonl"].map {
          try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
      }
      return texts
    }

    let plain = try kept { folder in
      for record in records { folder.receive(record, of: 1, at: now) }
    }
    let beside = try kept { folder in
      let thread = RecordingThread(folder)
      for record in records { thread.receive(record, of: 1, at: now) }
      thread.finish()
    }

    #expect(beside == plain)
    #expect(plain.first?.split(separator: "\n").count == 44)
  }
}
