import Foundation
import TestKit
import Testing
import Tree

/// Files that the page and other programs write.
@Suite struct ChangedFilesTests {
  private let folder: Folder
  private let file: String
  private let page: Page

  init() throws {
    folder = try Folder()
    try folder.write(Page.text, to: "one.yaml")
    try folder.write(Page.text, to: "two.yaml")
    file = folder.path("one.yaml")
    page = try Page(selectors: [folder.path("")])
    page.runAll()
  }

  private var id: String { String(file.dropFirst().dropLast(5)) }
  private var other: String { String(folder.path("two.yaml").dropFirst().dropLast(5)) }

  @Test func `a text is saved over the one on which it is based`() throws {
    let text = Page.text.replacing("A write", with: "One write")

    let answer = try page.save(file, text, base: Page.text)

    #expect(answer.status == 200)
    #expect(try folder.text("one.yaml") == text)
    #expect(answer.json["id"]?.string == id)
    #expect(answer.json["isNamed"] == true)
    #expect(try page.entry(id)?["title"]?.string == "One write")
  }

  private static let changed =
    "has changed on disk, and was not written; load it, or keep the text as another file"
  private static let refusals: [(disk: String?, base: String?, message: String)] = [
    ("# outside\n", Page.text, changed),
    (nil, Page.text, "is no longer there, and was not written; keep the text as another file"),
    (Page.text, nil, "exists already, and was not written; choose another name"),
    ("e\u{301}", "\u{e9}", changed),
  ]

  @Test(arguments: refusals)
  func `nothing is written over what another program has written`(
    disk: String?, base: String?, message: String
  ) throws {
    if let disk {
      try folder.write(disk, to: "one.yaml")
    } else {
      try FileManager.default.removeItem(atPath: file)
    }

    let answer = try page.save(file, "mine", base: base)

    #expect(answer.status == 409)
    #expect(answer.json["error"]?.string == "\(file) \(message)")
    #expect(answer.json["disk"] == disk.map { .string($0) } ?? .null)
    #expect((try? folder.text("one.yaml")) == disk)
  }

  @Test func `a file with a mistake keeps its last verdict, marked as old`() throws {
    try folder.write(Page.text.replacing("steps:", with: "stepz:"), to: "one.yaml")
    let changed = try page.progress()
    page.runAll()
    let broken = try page.scenario(id)
    let entry = try page.entry(id)
    try folder.write(Page.text.replacing("A write", with: "Again"), to: "one.yaml")
    _ = try page.progress()
    page.runAll()

    #expect(changed["version"] == 1)
    #expect(entry?["isBroken"] == true)
    #expect(entry?["title"]?.string == "A write")
    #expect(broken["text"]?.string?.contains("stepz") == true)
    #expect(broken["problems"]?.text.contains("did you mean steps?") == true)
    #expect(broken["results"]?.elements?.map { $0["verdict"] } == ["pass"])
    #expect(broken["results"]?.elements?.map { $0["isOld"] } == [true])
    #expect(try page.scenario(other)["results"]?.elements?.map { $0["isOld"] } == [false])
    #expect(try page.entry(id)?["isBroken"] == false)
    #expect(try page.entry(id)?["title"]?.string == "Again")
    #expect(try page.scenario(id)["results"]?.elements?.map { $0["isOld"] } == [false])
  }

  @Test func `a file that has had mistakes from the beginning can be opened and corrected`() throws
  {
    let wrong = Page.text.replacing("steps:", with: "stepz:")
    try folder.write(wrong, to: "one.yaml")
    let page = try Page(selectors: [folder.path("")])

    let before = try page.scenario(file)
    let run = try page.ask("POST", "/api/run", ["id": .string(file), "profile": "firebase"])
    let answer = try page.save(file, Page.text, base: wrong)

    #expect(before["text"]?.string == wrong)
    #expect(run.json["error"]?.string?.contains("did you mean steps?") == true)
    #expect(answer.json["id"]?.string == id)
    #expect(try page.entry(file) == nil)
  }

  @Test(arguments: [false, true])
  func `a scenario that has changed is run again, and no other`(isSavedByPage: Bool) throws {
    let text = Page.text.replacing("value: 1", with: "value: 2")

    if isSavedByPage {
      _ = try page.save(folder.path("two.yaml"), text, base: Page.text)
    } else {
      try folder.write(text, to: "two.yaml")
    }
    let progress = try page.progress()

    #expect(progress["version"] == 1, "a page notices its own change once")
    #expect(progress["running"]?["id"]?.string == other)
    #expect(progress["total"] == 1)
    #expect(try page.scenario(id)["results"]?.elements?.map { $0["isOld"] } == [false])
    #expect(try page.scenario(other)["results"]?.elements?.map { $0["isOld"] } == [true])
    page.runAll()
    #expect(try page.scenario(other)["results"]?.elements?.map { $0["isOld"] } == [false])
  }

  @Test func `what waits is still run when a scenario is saved`() throws {
    let page = try Page(selectors: [folder.path("")])

    _ = try page.save(folder.path("two.yaml"), Page.text + "# more\n", base: Page.text)
    let progress = try page.progress()

    #expect(progress["total"] == 2)
    #expect(progress["running"]?["id"]?.string == other)
  }

  @Test func `everything is run again when the list of known failures has changed`() throws {
    let lists = try Folder()
    try lists.write("kennel: 1\nknown: []\n", to: "known.yaml")
    let page = try Page(selectors: [folder.path("")], list: lists.path("known.yaml"))
    page.runAll()
    try lists.write("kennel: 1\nknow: []\n", to: "known.yaml")
    let trouble = try page.progress()
    try lists.write("kennel: 1\nknown: []  # nothing\n", to: "known.yaml")
    let progress = try page.progress()

    #expect(trouble["trouble"]?.string?.contains("known.yaml") == true)
    #expect(progress["trouble"] == .null)
    #expect(progress["total"] == 2)
    #expect(try page.scenario(id)["results"]?.elements?.map { $0["isOld"] } == [true])
  }

  @Test func `a new file is listed although the command line does not name it`() throws {
    let new = ".kennel/test-\(UInt64.random(in: 0...UInt64.max))/small.yaml"
    defer { try? FileManager.default.removeItem(atPath: String(new.dropLast(11))) }
    let page = try Page(selectors: [file])

    let answer = try page.save(new, Page.text, base: nil)
    let again = try page.save(new, Page.text + "# more\n", base: Page.text)

    #expect(answer.json["isNamed"] == false)
    #expect(answer.json["id"]?.string == String(new.dropLast(5)))
    #expect(try page.entry(String(new.dropLast(5))) != nil)
    #expect(try page.entry(id) != nil)
    #expect(again.status == 200)
    #expect(try page.progress()["running"]?["id"]?.string == String(new.dropLast(5)))
  }

  @Test func `what cannot be read again is reported until it can`() throws {
    let page = try Page(selectors: [file, folder.path("two.yaml")])
    page.runAll()
    try FileManager.default.removeItem(atPath: file)
    let troubles = try (0..<2).map { _ in try page.progress()["trouble"]?.string ?? "" }
    try folder.write(Page.text, to: "one.yaml")

    #expect(troubles[0].contains("there is no file, directory or scenario"))
    #expect(troubles[1] == troubles[0])
    #expect(try page.entry(id) != nil)
    #expect(try page.progress()["trouble"] == .null)
  }
}
