import AdapterSessions
import Foundation
import System
import Testing

@Suite struct AdapterTemplateTests {
  private let home = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "kennel-\(UInt64.random(in: 0...UInt64.max))")

  @Test(arguments: AdapterTemplate.allCases)
  func `the files of an adapter are copied`(template: AdapterTemplate) throws {
    defer { try? FileManager.default.removeItem(at: folder) }

    let count = try template.write(to: folder.path, from: home)

    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { !Files.isDirectory(Files.join(folder.path, $0)) }
    #expect(count == files.count)
    #expect(count > 0)
  }

  @Test func `nothing is written when one of the files is there`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "adapter.py")
    try "mine".write(to: file, atomically: true, encoding: .utf8)

    #expect {
      _ = try AdapterTemplate.python.write(to: folder.path, from: home)
    } throws: {
      "\($0)"
        == "\(file.path) exists already, and nothing was written; name another folder"
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["adapter.py"])
  }
}
