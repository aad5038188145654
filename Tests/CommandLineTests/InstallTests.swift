import Foundation
import TestKit
import Testing

/// The script that installs, with the binary of this build.
@Suite struct InstallTests {
  private let folder: Folder
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws { folder = try Folder() }

  private func install(_ arguments: String...) throws -> Outcome {
    try Program(path: "/usr/bin/bash").run([root.appending(path: "tools/install").path] + arguments)
  }

  @Test func `what is installed runs from anywhere, also after a move and through a link`() throws {
    let prefix = folder.url.appending(path: "a folder").path
    let installed = try install(
      "--prefix", prefix, "--binary", Program.kennel.path)
    let moved = folder.url.appending(path: "moved")
    try FileManager.default.moveItem(atPath: prefix, toPath: moved.path)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "link"),
      withDestinationURL: moved.appending(path: "bin/kennel"))
    var program = Program(path: folder.url.appending(path: "link").path)
    program.directory = folder.url

    #expect(
      installed.output == "installed \(prefix)/bin/kennel\n"
        + "add \(prefix)/bin to the PATH to start it as \"kennel\"\n")
    let ran = try program.run(["run", "values"])
    #expect(ran.status == 0, "\(ran.output)\(ran.messages)")
    #expect(ran.output.contains(" passed, 0 failed, "))
    for file in [
      "lib/kennel/tools/adapters/README.md", "share/man/man1/kennel.1",
      "share/bash-completion/completions/kennel", "share/zsh/site-functions/_kennel",
      "share/fish/vendor_completions.d/kennel.fish",
    ] {
      #expect(FileManager.default.fileExists(atPath: moved.appending(path: file).path), "\(file)")
    }
  }

  @Test func `wrong arguments are named`() throws {
    #expect(
      try install("--prefx").messages == "tools/install: unknown argument \"--prefx\"; expected "
        + "--prefix, --binary or --quiet\n")
    #expect(try install("--prefix").messages == "tools/install: --prefix needs a value\n")
    #expect(try install("--prefix").status == 2)
  }
}
