import Foundation
import Glibc
import System
import TestKit
import Testing

@Suite struct FilesTests {
  private let scratch: Folder
  private var folder: String { scratch.path("files") }

  init() throws { scratch = try Folder() }

  @Test func `what is written can be read, and folders above a file are made`() throws {
    let inner = Files.join(folder, "a/b")
    try Files.makeDirectory(inner)
    try Files.write("one", to: Files.join(inner, "x.txt"))
    try Files.replace("two", at: Files.join(inner, "y.txt"))
    try Files.replace("three", at: Files.join(inner, "y.txt"))

    #expect(try Files.text(of: Files.join(inner, "x.txt")) == "one")
    #expect(try Files.text(of: Files.join(inner, "y.txt")) == "three")
    #expect(try Files.entries(of: inner) == ["x.txt", "y.txt"])
    #expect(try Files.files(below: folder, suffix: "x.txt") == [Files.join(inner, "x.txt")])
  }

  @Test func `a folder has regular files, and links to them within it`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let manager = FileManager.default
    try Files.makeDirectory(Files.join(folder, "inner"))
    try Files.write("one", to: Files.join(folder, "inner/x.txt"))
    for (name, target) in [
      ("device.txt", "/dev/zero"), ("inner/up", ".."), ("link.txt", "inner/x.txt"),
      ("loop.txt", "loop.txt"), ("out", "/etc"),
    ] {
      try manager.createSymbolicLink(
        atPath: Files.join(folder, name), withDestinationPath: target)
    }
    let listing = try FolderListing(of: folder, suffixes: [".txt"])

    #expect(listing.files == ["inner/x.txt", "link.txt"].map { Files.join(folder, $0) })
    #expect(
      listing.leftOut.map { "\($0.path.dropFirst(folder.count + 1)): \($0.reason)" } == [
        "device.txt: a link out of the folder", "loop.txt: a link that leads to itself",
        "out: a link out of the folder",
      ])
  }

  @Test func `a regular file is read with its owner, and nothing else is`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeDirectory(folder)
    let file = Files.join(folder, "x.txt")
    try Files.write("one", to: file)
    let content = try Files.regularContent(of: file)

    #expect(content.text == "one")
    #expect(content.ownership.user == geteuid())
    #expect(content.ownership == (try Files.ownership(of: file)))
    for (path, found) in [
      ("/dev/zero", "a device, expected a regular file; copy what it gives to one, and name that"),
      (folder, "a folder; expected a file"),
    ] {
      let failure = #expect(throws: Failure.self) { try Files.regularText(of: path) }
      #expect(failure?.description == "cannot read \(path): it is \(found)")
    }
  }

  @Test func `a byte that is not UTF-8 is named by line and column`() throws {
    try Files.makeDirectory(folder)
    let file = Files.join(folder, "bad.yaml")
    try Data([0x61, 0x0A, 0x62, 0xFF]).write(to: URL(fileURLWithPath: file))

    let failure = #expect(throws: Failure.self) { try Files.text(of: file) }
    #expect(
      failure?.description
        == "\(file):2:2: the byte 0xFF is not UTF-8; expected text in UTF-8; save it as that in your editor, "
        + "or with 'iconv -f ISO-8859-1 -t UTF-8 \(file)' if that is what it is")
  }

  @Test func `a file that is not text gets no advice about encodings`() throws {
    try Files.makeDirectory(folder)
    let file = Files.join(folder, "program.yaml")
    try Data([0x7F, 0x45, 0x4C, 0x46, 0x00, 0xFF]).write(to: URL(fileURLWithPath: file))

    let failure = #expect(throws: Failure.self) { try Files.text(of: file) }
    #expect(failure?.description == "\(file):1:1: the file is not text; expected text in UTF-8")
    #expect(failure?.report == failure?.description)
  }

  @Test func `a file that is not there is a failure with the reason of the system`() {
    let failure = #expect(throws: Failure.self) { try Files.text(of: "/nowhere/at/all") }
    #expect(failure?.description == "cannot read /nowhere/at/all: No such file or directory")
    #expect(failure?.exitCode == .usage)
  }

  @Test(arguments: [
    ("/nowhere/at/all", "there is no folder /nowhere/at; make it with 'mkdir -p /nowhere/at'"),
    ("/etc", "it is a folder; expected a file"),
  ])
  func `a file that cannot be written is a failure that says what is there`(
    path: String, reason: String
  ) {
    let failure = #expect(throws: Failure.self) { try Files.write("", to: path) }
    #expect(failure?.description == "cannot write \(path): \(reason)")
  }

  @Test(arguments: [
    ("/proc/kennel", "/proc/kennel: No such file or directory; expected a folder that can be made"),
    ("/etc/passwd/kennel", "/etc/passwd: it is no folder; expected one, or the name of a new one"),
    ("/sys/kennel", "/sys/kennel: Operation not permitted; expected a folder that can be made"),
  ])
  func `a folder that cannot be made is wrong usage, with the reason of that call`(
    path: String, message: String
  ) {
    let failure = #expect(throws: Failure.self) { try Files.makeDirectory(path) }
    #expect(failure?.description == "cannot write \(message)")
    #expect(failure?.exitCode == .usage)
  }

  @Test func `the whole disk is not searched, however it is called`() throws {
    for path in ["/", "//", "/etc/.."] {
      let failure = #expect(throws: Failure.self) { try FolderListing(of: path, suffixes: ["x"]) }
      #expect(
        failure?.description
          == "cannot read \(path): it is the whole disk; expected a folder below it")
    }
  }
}
