import Chat
import ClientEngine
import Commands
import System

/// The command `kennel chat`: the smallest program that shows the documented SDK at work.
struct ChatCommand: Command {
  var name = ""
  var url = "http://127.0.0.1:9000/?ns=chat"
  /// Where what was not sent is kept; nil for nowhere.
  var folder: String?

  static var options: [Option<Self>] {
    [
      .value(
        "url", "URL", \.url, .text,
        "The database, http://127.0.0.1:9000/?ns=chat unless stated."),
      .value(
        "keep", "DIR", \.folder, .text,
        "Keep messages written offline in DIR, also after the program ends."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel chat", operands: "NAME",
    summary: """
      Chats with all other users of the same database, and shows who is online: a small program with the \
      documented SDK, module WilddogSync, over real sockets.
      """,
    notes: """
      Each line of standard input is a message. /offline and /online take the connection away and bring it \
      back; what is written in between is shown at once and sent later.

      Examples:
        kennel serve
        kennel chat alice
        kennel chat bob --keep /tmp/bob
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    name = try arguments.onlyOperand(else: "chat takes one NAME: what the others see")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if DatabaseAddress.parse(url) == nil {
      throw arguments.failure("\"\(url)\" is no address; one begins with http:// or https://")
    }
  }

  func perform() throws(Failure) -> ExitCode {
    let chat = Chat(name: name, url: url, folder: folder) { line in
      // Without a reader of its output the program still ends with its input.
      try? Console.output(line + "\n")
    }
    chat.run()
    return .success
  }
}
