import Foundation
import TestKit
import Testing

/// The start script, in a tree of its own with a `swift` that leaves a binary without compiling.
@Suite struct StartTests {
  private let tree: Folder

  init() throws {
    tree = try Folder()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    for name in ["kennel", "prepare"] {
      let script = try String(contentsOf: root.appending(path: "tools/\(name)"), encoding: .utf8)
      try tree.write(script, to: "tools/" + name, isExecutable: true)
    }
    try tree.write("", to: "Package.swift")
    try tree.write("", to: "Sources/kennel/main.swift")
    try tree.write("", to: "Sources/kennel/other.swift")
    try provide("pkg-config", "exit 0")
    try provide("swift", Self.swift)
    let tools = [
      "bash", "cat", "find", "grep", "head", "ldd", "ln", "mkdir", "mktemp", "mv", "readlink", "rm",
      "sed",
      "sha256sum", "sort", "touch", "xargs",
    ]
    for tool in tools {
      try FileManager.default.createSymbolicLink(
        atPath: tree.url.appending(path: "bin/" + tool).path,
        withDestinationPath: "/usr/bin/" + tool)
    }
  }

  /// Says what it was asked to build, and leaves a binary that shows how it was started.
  private static let swift = """
    [ "$1" = build ] || exit 0
    echo "$3" >>"$3/builds"
    mkdir -p "$3/.build/release"
    printf '#!/bin/sh\\necho "$KENNEL_HOME" "$@"\\nexit 3\\n' >"$3/.build/release/kennel"
    /usr/bin/chmod +x "$3/.build/release/kennel"
    """

  private func provide(_ tool: String, _ script: String) throws {
    try tree.write("#!/usr/bin/bash\n" + script + "\n", to: "bin/" + tool, isExecutable: true)
  }

  private func start(
    _ arguments: String..., through script: String = "tools/kennel"
  ) throws
    -> Outcome
  {
    var program = Program(path: "/usr/bin/bash")
    program.environment = ["PATH": tree.url.appending(path: "bin").path]
    return try program.run([tree.url.appending(path: script).path] + arguments)
  }

  private var builds: Int {
    get throws { try tree.text("builds").split(separator: "\n").count }
  }

  @Test func `the first start builds and the second does not`() throws {
    let first = try start("run", "a b")
    let second = try start("run", "a b")

    let output = "\(tree.url.path) run a b\n"
    let progress = "kennel: building (some minutes at the first time)\n"
    #expect(first == Outcome(status: 3, output: output, messages: progress))
    #expect(second == Outcome(status: 3, output: output, messages: ""))
    #expect(try builds == 1)
  }

  @Test func `a changed, added or removed source is built again`() throws {
    _ = try start()
    try tree.write("changed", to: "Sources/kennel/main.swift")
    _ = try start()
    try tree.write("", to: "Sources/kennel/new.swift")
    _ = try start()
    try FileManager.default.removeItem(at: tree.url.appending(path: "Sources/kennel/other.swift"))
    _ = try start()
    _ = try start()

    #expect(try builds == 4)
  }

  @Test func `sources that are only newer are not built again`() throws {
    _ = try start()
    try tree.write("", to: "Sources/kennel/main.swift")
    try tree.write("", to: "Package.swift")
    let again = try start()

    #expect(again.messages.isEmpty)
    #expect(try builds == 1)
  }

  @Test func `a moved tree runs its binary, and is built from nothing after a change`() throws {
    _ = try start()
    let moved = tree.url.appending(path: "moved")
    try FileManager.default.createDirectory(at: moved, withIntermediateDirectories: false)
    for name in [".build", "Package.swift", "Sources", "tools"] {
      try FileManager.default.moveItem(
        at: tree.url.appending(path: name), to: moved.appending(path: name))
    }
    let asItIs = try start(through: "moved/tools/kennel")
    try tree.write("changed", to: "moved/Sources/kennel/main.swift")
    let changed = try start(through: "moved/tools/kennel")

    #expect(asItIs == Outcome(status: 3, output: moved.path + "\n", messages: ""))
    #expect(
      changed.messages
        == "kennel: built in \(tree.url.path) before; everything is built again here\n"
        + "kennel: building (some minutes at the first time)\n")
  }

  @Test func `an old toolchain is refused before it fails`() throws {
    try provide("swift", "echo 'Swift version 5.9.2 (swift-5.9.2-RELEASE)'")

    let outcome = try start()

    #expect(outcome.status == 4)
    #expect(
      outcome.messages
        == "kennel: found Swift 5.9; expected 6.2 or newer\n"
        + "kennel: install it from https://www.swift.org/install/linux/ "
        + "and start this command again\n")
  }

  @Test func `without apt the names of Debian's packages are given`() throws {
    try provide("pkg-config", "[ \"$2\" != jansson ]")
    try provide("id", "echo 0")

    #expect(
      try start().messages == "kennel: cannot build without: libjansson-dev\nkennel: these are "
        + "Debian's names; install the same with this system's package manager\n")
  }

  @Test func `a link to the script starts the same tree`() throws {
    try tree.write("", to: "elsewhere/file")
    try FileManager.default.createSymbolicLink(
      atPath: tree.url.appending(path: "elsewhere/kennel").path,
      withDestinationPath: "../tools/kennel")

    #expect(try start(through: "elsewhere/kennel").output == "\(tree.url.path)\n")
  }

  @Test func `the program is told how it was called, for commands that it prints`() throws {
    try provide(
      "swift",
      """
      mkdir -p "$3/.build/release"
      printf '#!/bin/sh\\necho "$KENNEL_PROGRAM"\\n' >"$3/.build/release/kennel"
      /usr/bin/chmod +x "$3/.build/release/kennel"
      """)
    var inside = Program(path: "/usr/bin/bash")
    inside.environment = ["PATH": tree.url.appending(path: "bin").path]
    inside.directory = tree.url
    _ = try inside.run(["tools/kennel"])
    let file = tree.url.appending(path: "tools/kennel").path

    #expect(try inside.run(["tools/kennel"]).output == "tools/kennel\n")
    #expect(try inside.run([file]).output == "tools/kennel\n")
    #expect(try start().output == "\(file)\n")
    try FileManager.default.createSymbolicLink(
      atPath: tree.url.appending(path: "bin/kennel").path, withDestinationPath: file)
    #expect(try start(through: "bin/kennel").output == "kennel\n")
  }

  @Test func `a failed build is shown and tried again`() throws {
    try provide("swift", "echo 'main.swift:1: no such thing'; exit 1")
    let failed = try start()
    try provide("swift", Self.swift)
    let repaired = try start()

    #expect(
      failed
        == Outcome(
          status: 70, output: "",
          messages: "kennel: building (some minutes at the first time)\n"
            + "main.swift:1: no such thing\nkennel: the build failed; its output is above and in "
            + "\(tree.url.path)/.build/kennel.log\n"))
    #expect(repaired.status == 3)
  }

  @Test func `a missing toolchain is told`() throws {
    try FileManager.default.removeItem(at: tree.url.appending(path: "bin/swift"))

    let outcome = try start()

    #expect(
      outcome
        == Outcome(
          status: 4, output: "",
          messages: "kennel: the Swift toolchain (6.2 or newer) is not installed, or 'swift' is "
            + "not on the PATH\nkennel: install it from https://www.swift.org/install/linux/ "
            + "and start this command again\n"))
  }

  @Test func `who may not install packages is told the command`() throws {
    try provide("pkg-config", "[ \"$2\" != jansson ]")
    try provide("id", "echo 1000")
    try provide("apt-get", "exit 1")

    let outcome = try start()

    #expect(
      outcome
        == Outcome(
          status: 4, output: "",
          messages: "kennel: cannot build without: libjansson-dev\n"
            + "kennel: install them and start this command again:\n"
            + "kennel:   sudo apt-get update && sudo apt-get install -y libjansson-dev\n"))
  }

  @Test func `who may install packages gets them`() throws {
    let installed = tree.url.appending(path: "installed").path
    try provide("pkg-config", "[ -e \(installed) ]")
    try provide("id", "echo 0")
    try provide("apt-get", "echo \"$@\" >>\(installed)-log; [ $1 = update ] || touch \(installed)")

    let outcome = try start()

    #expect(outcome.status == 3)
    #expect(
      outcome.messages.hasPrefix(
        "kennel: installing libjansson-dev libyaml-dev nettle-dev libwebsockets-dev libsqlite3-dev "
          + "zlib1g-dev\n"
      ))
    #expect(
      try tree.text("installed-log") == "update -qq\ninstall -y -qq --no-install-recommends "
        + "libjansson-dev libyaml-dev nettle-dev libwebsockets-dev libsqlite3-dev zlib1g-dev\n")
  }
}
