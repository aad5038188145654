import ClientInterface
import Document
import RunModel
import Testing
import Tree
import Wire

/// What a server makes of one message at a time.
@Suite struct ServerMonitorTests {
  private static let listen = #"> 1 q {"p":"/room","h":""}"#
  private static let window =
    #"> 1 q {"p":"/room","h":"","q":{"l":1,"vf":"l","i":".key"},"t":7}"#
  private static let told = [listen, #"< put room {"a":1}"#, "< 1 ok", "."]
  /// The hash of what is there at the start, as a client that has it names it.
  private static let hash = Node(json: ["a": 1]).hash

  /// What is said over a connection: `> ` of the client, `< ` of the server, `|` ends the connection, `=` is what the
  /// server has when all is done. `? ` is a request of REST that writes, without more one of which that is not known, and
  /// `! ` its answer.
  private static let conversations: [(lines: [String], found: [String])] = [
    (
      told + [
        #"> 2 p {"p":"/room/b","d":2}"#, "< put room/b 2", "< 2 ok", #"= {"room":{"a":1,"b":2}}"#,
      ], []
    ),
    ([window, #"< put room {"a":1} 7"#, "< 1 ok", #"= {"room":{"a":1}}"#], []),
    ([listen, "< 1 ok"], ["WIR-2"]),
    ([#"> 1 q {"p":"/room","h":"\#(hash)"}"#, "< 1 ok", #"= {"room":{"a":1}}"#], []),
    ([#"> 1 q {"p":"/room","h":"of other data"}"#, "< 1 ok"], ["WIR-2"]),
    (told + [#"> 2 p {"p":"/room/b","d":2}"#, "< 2 ok"], ["WIR-3"]),
    (
      told + [
        #"> 2 m {"p":"/room","d":{"b":2,"c":3}}"#, "< put room/b 2", "< put room/c 3", "< 2 ok",
      ],
      ["EVT-14"]
    ),
    (
      told + [
        #"> 3 q {"p":"/room/b","h":""}"#, "< 3 ok", #"> 2 m {"p":"/room","d":{"b":2,"c":3}}"#,
      ]
        + ["< put room/b 2", #"< put room {"a":1,"b":2,"c":3}"#, "< 2 ok"], []
    ),
    ([#"> 2 p {"p":"/room","d":2,"h":"\#(hash)"}"#, "< 2 datastale"], ["TXN-26"]),
    ([#"> 2 p {"p":"/room","d":2,"h":"wrong"}"#, "< 2 ok"], ["TXN-26"]),
    ([#"> 2 p {"p":"/room","d":2,"h":"wrong"}"#, "< 2 datastale"], []),
    (
      told + [#"> 2 p {"p":"/room/b","d":2}"#, "< put room/b 2", "< 2 ok", #"= {"room":{"a":1}}"#],
      ["WRT-1"]
    ),
    ([#"> 2 m {"p":"/room","d":{"b":2}}"#, "< 2 ok", #"= {"room":{"b":2}}"#], ["WRT-4"]),
    ([#"> 2 o {"p":"/room/b","d":2}"#, "< 2 ok", "|", #"= {"room":{"a":1}}"#], ["OND-4"]),
    ([#"> 2 o {"p":"/room/b","d":2}"#, "< 2 ok", "|", #"= {"room":{"a":1,"b":2}}"#], []),
    (
      [#"> 2 o {"p":"/room/b","d":2}"#, "< 2 ok", #"> 3 oc {"p":"/room","d":null}"#, "< 3 ok", "|"]
        + [#"= {"room":{"a":1,"b":2}}"#], ["OND-4"]
    ),
    (
      [#"> 2 p {"p":"/room/a","d":{".sv":{"increment":2}}}"#, "< 2 ok", #"= {"room":{"a":5}}"#],
      ["SRV-8"]
    ),
    ([#"> 2 p {"p":"/room/a","d":{".sv":"timestamp"}}"#, "< 2 ok", #"= {"room":{"a":99}}"#], []),
    (
      told + [
        #"> 2 p {"p":"/else","d":2}"#, "< put room/a 0", "< 2 ok", #"= {"else":2,"room":{"a":1}}"#,
      ],
      ["EVT-14", "EVT-23"]
    ),
    ([#"> 2 p {"p":"/room/b","d":2}"#, "|", #"= {"room":{"a":1,"b":2}}"#], []),
    ([#"> 2 o {"p":"/room/b","d":2}"#, "|", #"= {"room":{"a":1,"b":2}}"#], []),
    ([#"> 2 p {"p":"/room","d":2}"#, "< 2 permission_denied", #"= {"room":{"a":1}}"#], []),
    (
      told + [
        #"? p {"p":"/room/b","d":2}"#, "< put room/b 2", "! 200", #"= {"room":{"a":1,"b":2}}"#,
      ], []
    ),
    ([#"? p {"p":"/room/b","d":2}"#, "! 200", #"= {"room":{"a":1}}"#], ["WRT-1"]),
    ([#"? p {"p":"/room","d":2}"#, "! 401", #"= {"room":{"a":1}}"#], []),
    ([#"? p {"p":"/room","d":2,"h":"wrong"}"#, "! 412", #"= {"room":{"a":1}}"#], []),
    ([#"? p {"p":"/room","d":2,"h":"\#(hash)"}"#, "! 412"], ["TXN-26"]),
    (["?", "! 200", #"= {"room":{"a":9}}"#], []),
  ]

  @Test(arguments: conversations.indices)
  func `what a server owes is judged`(index: Int) throws {
    let (lines, expected) = Self.conversations[index]
    var monitor = ServerMonitor(Node(json: ["room": ["a": 1]]), in: .firebase)
    monitor.opened(1)
    for line in lines { try say(line, to: &monitor) }

    #expect(monitor.takeFindings().map(\.rule) == expected)
  }

  @Test func `data without the tag of a listen are none of it`() throws {
    var monitor = ServerMonitor(Node(json: ["room": ["a": 1]]), in: .firebase)
    monitor.opened(1)
    for line in [Self.window, #"< put room {"a":1}"#, "< 1 ok"] { try say(line, to: &monitor) }

    #expect(
      monitor.takeFindings().map(\.text) == [
        #"the server answers the listen to /room before it has sent {"a":1}; it has sent nothing with the tag 7"#
      ])
  }

  private func say(_ line: String, to monitor: inout ServerMonitor) throws {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    switch words[0] {
    case ".": monitor.done(Node(json: ["room": ["a": 1]]))
    case "|": monitor.closed(1)
    case "?" where words.count == 1: monitor.asked(for: nil, over: 2)
    case "?":
      let text = #"{"t":"d","d":{"r":1,"a":"\#(words[1])","b":\#(words[2])}}"#
      guard case let .request(_, write) = try ClientMessage(json: try JSON(parsing: text)) else {
        return
      }
      monitor.asked(for: write, over: 2)
    case "!": monitor.answered(Int(words[1]) ?? 0, over: 2)
    case "=":
      monitor.settled(Node(json: try JSON(parsing: line.dropFirst(2).description)))
    case ">":
      let text = #"{"t":"d","d":{"r":\#(words[1]),"a":"\#(words[2])","b":\#(words[3])}}"#
      monitor.sent(try ClientMessage(json: try JSON(parsing: text)), over: 1)
    case _ where words[1] == "put":
      let rest = words[3].split(separator: " ").map(String.init)
      let node = Node(json: try JSON(parsing: rest[0]))
      let tag = rest.count > 1 ? Int(rest[1]) : nil
      monitor.received(.put(Path(words[2]), node, tag: tag), over: 1)
    default:
      monitor.received(.response(.init(to: Int(words[1]) ?? 0, status: words[2])), over: 1)
    }
  }
}
