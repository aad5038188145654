import Glibc
import System
import TestKit
import Testing

@Suite struct ProcessTests {
  /// Everything that a process writes until it ends.
  private func all(of process: ChildProcess) -> [ChildProcess.Stream: String] {
    var texts: [ChildProcess.Stream: [UInt8]] = [:]
    while process.hasOpenStreams {
      for arrival in ProcessOutput.next(from: [process], within: nil) {
        texts[arrival.stream, default: []] += arrival.bytes
      }
    }
    return texts.filter { !$1.isEmpty }.mapValues { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `what a process writes arrives by stream`() throws {
    let process = try ChildProcess("/bin/sh", ["-c", "cat; echo wrong >&2; exit 3"])

    #expect(process.write("right\n"))
    process.closeInput()

    #expect(all(of: process) == [.output: "right\n", .error: "wrong\n"])
    #expect(process.wait() == .exited(3))
    #expect(process.wait().description == "exit code 3")
  }

  @Test func `a process that was killed tells the signal`() throws {
    let process = try ChildProcess("/bin/sh", ["-c", "kill -SEGV $$"])

    #expect(process.wait() == .killed(SIGSEGV))
    #expect(process.wait().description == "signal 11 (Segmentation fault)")
  }

  @Test func `all that a process started ends with it`() throws {
    let process = try ChildProcess("/bin/sh", ["-c", "sleep 1000 & echo up; wait"])
    #expect(ProcessOutput.next(from: [process], within: nil).map(\.bytes) == [Array("up\n".utf8)])

    process.kill()

    #expect(process.wait() == .killed(SIGKILL))
    // The output ends only when the last process that holds it has ended.
    #expect(all(of: process).isEmpty)
  }

  @Test func `writing to a process that has ended is no end of this one`() throws {
    let process = try ChildProcess("/bin/sh", ["-c", "exit 0"])
    _ = process.wait()

    // What is started by another test at this moment has its input too, until it begins its program.
    #expect(holdsEventually { !process.write("anybody?") })
  }

  @Test func `a variable is given besides those of this process`() throws {
    let process = try ChildProcess(
      "/bin/sh", ["-c", "echo $KENNEL_TEST; test -n \"$PATH\""],
      environment: ["KENNEL_TEST": "given"])

    #expect(all(of: process) == [.output: "given\n"])
    #expect(process.wait() == .exited(0))
  }

  @Test(arguments: [
    ("ModuleNotFoundError: No module named 'callbacks'", "it finds no module callbacks", "beside"),
    ("Error: Cannot find module './a.js'", "it finds no module ./a.js", "at the path"),
    ("[X]: Cannot find package 'zzz' imported from z.mjs", "it finds no module zzz", "in node_"),
    ("x.rb:1: cannot load such file -- zzz (LoadError)", "it finds no module zzz", "at the path"),
  ])
  func `a part that a program lacks is named, and where it is expected`(
    line: String, lack: String, place: String
  ) throws {
    let part = try #require(Interpreter.missingPart(in: ["Traceback:", line, "end"]))

    #expect(part.lack == lack)
    #expect(part.expected.hasPrefix("expected it \(place)"))
    #expect(Interpreter.missingPart(in: ["usage: tool URL"]) == nil)
  }

  @Test func `a program that does not exist is told`() {
    #expect(throws: Failure.self) { try ChildProcess("/nowhere/at/all") }
    do throws(Failure) {
      _ = try ChildProcess("/nowhere/at/all")
    } catch {
      #expect(
        error.description
          == "cannot start /nowhere/at/all: No such file or directory; "
          + "expected the path of a program")
      #expect(error.exitCode == .notStarted)
    }
  }
}
