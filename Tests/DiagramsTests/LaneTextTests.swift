import Documentation
import TestKit
import Testing

/// Space-time pictures as text.
@Suite struct LaneTextTests {
  @Test func `a run is told in lanes`() throws {
    let text = try Kit.picture(Kit.cut).text

    #expect(
      text.hasPrefix(
        """
        An <example> & "more"

                       alice                                     server
                 0 ms  :connect -->                              |
                10 ms  :                                         |--> connect
                       :                                         |<-- hello  session session1
                       :connected                                |
                20 ms  |hello  session session1 <--              |
          -- step 1  alice.set: {path: n, value: 1, as: w}
                40 ms  |> set /n 1  as w                         |
                       |put /n 1 #2 -->                          |
          -- step 2  network.cut: alice
                40 ms  |# cut                                    |
                       |--x lost: put /n 1 #2                    |
                       |                                         |  connection closed  session \
        session1
                       |  connection lost                        |
          -- step 3  wait: 2s
            83.839 ms  :connect -->                              |

        """))
  }

  @Test(arguments: [1, 2, 3, 6]) func `no line is wider than 100 columns`(count: Int) throws {
    let names = (0..<count).map { "client\($0)" }
    let steps = names.map {
      """
        - \($0).listen: {path: room, as: feed}
        - \($0).set: {path: room/\($0), value: "\(String(repeating: "长 ", count: 90))"}
      """
    }
    let text = try Kit.picture(
      "clients: \(names)\njudge: invariants\nsteps:\n\(steps.joined(separator: "\n"))\n  - settle"
    ).text

    for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    #expect(text.utf8.allSatisfy { $0 == 10 || (0x20..<0x7F).contains($0) })
  }

  @Test func `the row by which a failure became apparent is marked`() throws {
    let text = try Kit.picture(Kit.refill, client: "no-refill").text

    #expect(text.split(separator: "\n").count { $0.hasPrefix("! ") } == 1)
    #expect(text.contains("  ! expected child_added /room/c, but the client raised value /room"))
  }
}
