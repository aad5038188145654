import AdapterSessions
import Foundation
import System
import TestKit
import Testing

@Suite struct AdapterTemplateTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test(arguments: AdapterTemplate.allCases)
  func `the files of an adapter are copied`(template: AdapterTemplate) throws {
    let count = try template.write(to: folder.url.path, from: SourceTree.root.path)

    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
      .filter { !Files.isDirectory(Files.join(folder.url.path, $0)) }
    #expect(count == files.count)
    #expect(count > 0)
  }

  @Test func `nothing is written when one of the files is there`() throws {
    try folder.write("mine", to: "adapter.py")

    #expect {
      _ = try AdapterTemplate.python.write(to: folder.url.path, from: SourceTree.root.path)
    } throws: {
      "\($0)"
        == "\(folder.path("adapter.py")) exists already, and nothing was written; name another folder"
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["adapter.py"])
  }
}
