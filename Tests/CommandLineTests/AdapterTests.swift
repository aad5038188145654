import Foundation
import TestKit
import Testing

/// What an interrupted `kennel` does with its adapter.
@Suite struct AdapterTests {
  @Test func `an interrupted kennel leaves no adapter behind`() throws {
    let folder = try Folder()
    try folder.write(
      """
      kennel: 1
      title: A write that is never answered
      rules: [WRT-1]
      clients: [alice]
      steps:
        - alice.set: {path: bad, value: 1, as: w}
        - expect: {alice.w: {ok: true}}
      """, to: "bad.yaml")
    let script = """
      '\(Program.kennel.path)' run '\(folder.path("bad.yaml"))' -- python3 -S \
        Tests/CommandLineTests/Adapters/wrong.py ignores-sigterm $MARK >/dev/null 2>&1 & kennel=$!
      until pgrep -f "[w]rong.py ignores-sigterm $MARK" >/dev/null; do sleep 0.02; done
      kill -TERM $kennel; wait $kennel; echo $?
      pgrep -f "[w]rong.py ignores-sigterm $MARK"
      """
    var shell = Program(path: "/bin/bash")
    shell.directory = SourceTree.root
    shell.environment["MARK"] = folder.url.lastPathComponent

    #expect(try shell.run(["-c", script]).output == "143\n")
  }
}
