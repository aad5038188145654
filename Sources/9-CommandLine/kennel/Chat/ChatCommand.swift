import ClientEngine
import Commands
import Dispatch
import Glibc
import System
import WilddogSync

/// What `kennel chat` was asked for: the smallest program that shows the documented SDK at work.
struct ChatOptions: Command {
  var name: String
  var url: String
  /// Where what was not sent is kept; nil for nowhere.
  var folder: String?

  /// - Throws: `Failure.usage` without a name, and for what is no address.
  init(_ arguments: Arguments) throws(Failure) {
    guard let name = arguments.operands.first, arguments.operands.count == 1 else {
      throw arguments.failure("chat takes one NAME: what the others see")
    }
    self.name = name
    url = arguments.value(of: "url") ?? "http://127.0.0.1:9000/?ns=chat"
    folder = arguments.value(of: "keep")
    if DatabaseAddress.parse(url) == nil {
      throw arguments.failure("\"\(url)\" is no address; one begins with http:// or https://")
    }
  }

  static let grammar = Grammar(
    command: "kennel chat", operands: "NAME",
    summary: """
      Talks with everybody else in the same database, and shows who is there: a small program with the \
      documented SDK, module WilddogSync, over real sockets.
      """,
    options: [
      .init(
        name: "url", value: "URL",
        summary: "The database, http://127.0.0.1:9000/?ns=chat unless stated."),
      .init(
        name: "keep", value: "DIR",
        summary: "Keep in DIR what was written offline, over the end of the program."),
    ],
    notes: """
      Each line of standard input is a message. /offline and /online take the connection away and bring it \
      back; what is written in between is shown at once and sent later.

      Examples:
        kennel serve
        kennel chat alice
        kennel chat bob --keep /tmp/bob

      \(ExitCode.help)
      """)

  func perform() throws(Failure) -> ExitCode {
    let queue = DispatchQueue(label: "kennel.chat")
    WDGSync.callbackQueue = queue
    if let folder {
      WDGSync.persistenceEnabled = true
      WDGSync.persistenceFolder = folder
    }
    WDGApp.configure(with: WDGOptions(syncURL: url))
    let root = WDGSync.sync().reference(fromURL: url)
    let presence = root.child("people").childByAutoId()
    appear(at: presence, root)
    watch(root)
    let sent = DispatchSemaphore(value: 0)
    while let line = readLine() {
      switch line {
      case "/offline": WDGSyncReference.goOffline()
      case "/online": WDGSyncReference.goOnline()
      default:
        root.child("messages").childByAutoId().setValue(["from": name, "text": line])
      }
    }
    presence.removeValue { _, _ in sent.signal() }
    // Offline, there is no answer to wait for.
    _ = sent.wait(timeout: .now() + 2)
    queue.sync {}
    return .success
  }

  /// Is there whenever there is a connection, and gone when it ends, however it ends.
  private func appear(at presence: WDGSyncReference, _ root: WDGSyncReference) {
    root.child(".info/connected").observe(.value) { [name] snapshot in
      guard snapshot.value as? Bool == true else { return Self.show("* offline") }
      Self.show("* online")
      presence.onDisconnectRemoveValue()
      presence.setValue(name)
    }
  }

  private func watch(_ root: WDGSyncReference) {
    root.child("people").observe(.childAdded) { snapshot in
      Self.show("* \(snapshot.value as? String ?? "?") is here")
    }
    root.child("people").observe(.childRemoved) { snapshot in
      Self.show("* \(snapshot.value as? String ?? "?") has gone")
    }
    root.child("messages").queryLimited(toLast: 20).observe(.childAdded) { snapshot in
      let message = snapshot.value as? [String: Any]
      Self.show("\(message?["from"] as? String ?? "?"): \(message?["text"] as? String ?? "")")
    }
  }

  private static func show(_ line: String) {
    // Without a reader of its output the program still ends with its input.
    try? Console.output(line + "\n")
  }
}
