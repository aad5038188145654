import Foundation
import System
import Testing

@Suite struct FilesTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"

  @Test func `what is written can be read, and folders above a file are made`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
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

  @Test func `a byte that is not UTF-8 is named by line and column`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeDirectory(folder)
    let file = Files.join(folder, "bad.yaml")
    try Data([0x61, 0x0A, 0x62, 0xFF]).write(to: URL(fileURLWithPath: file))

    let failure = #expect(throws: Failure.self) { try Files.text(of: file) }
    #expect(
      failure?.description == "\(file):2:2: this byte is not UTF-8; expected text in UTF-8")
  }

  @Test func `a file that is not there is a failure with the reason of the system`() {
    let failure = #expect(throws: Failure.self) { try Files.text(of: "/nowhere/at/all") }
    #expect(failure?.description == "cannot read /nowhere/at/all: No such file or directory")
    #expect(failure?.exitCode == .usage)
  }

  @Test func `a folder that cannot be made is a failure with the reason of that call`() throws {
    let failure = #expect(throws: Failure.self) { try Files.makeDirectory("/proc/kennel") }
    #expect(failure?.description == "cannot write /proc/kennel: No such file or directory")
    let file = #expect(throws: Failure.self) { try Files.makeDirectory("/etc/passwd/kennel") }
    #expect(file?.description == "cannot write /etc/passwd: it is not a directory")
    let link = #expect(throws: Failure.self) { try Files.makeDirectory("/sys/kennel") }
    #expect(link?.description == "cannot write /sys/kennel: Operation not permitted")
  }
}
