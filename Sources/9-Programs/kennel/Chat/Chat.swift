import Dispatch
import WilddogSync

/// A chat with all others in the same database, which shows who is there: the smallest program that
/// shows the documented SDK at work.
package struct Chat {
  private let name: String
  private let url: String
  private let folder: String?
  private let show: @Sendable (String) -> Void

  /// - Parameters:
  ///   - name: What the others see.
  ///   - url: The database.
  ///   - folder: Where what was not sent is kept; nil for nowhere.
  ///   - show: Shows a line.
  package init(
    name: String, url: String, folder: String?, show: @escaping @Sendable (String) -> Void
  ) {
    self.name = name
    self.url = url
    self.folder = folder
    self.show = show
  }

  /// Takes each line of standard input as a message, until its end. `/offline` and `/online` take the
  /// connection away and bring it back.
  package func run() {
    let queue = DispatchQueue(label: "kennel.chat")
    WDGSync.callbackQueue = queue
    if let folder {
      WDGSync.persistenceEnabled = true
      WDGSync.persistenceFolder = folder
    }
    WDGApp.configure(with: WDGOptions(syncURL: url))
    let root = WDGSync.sync().reference(fromURL: url)
    show("* connecting to \(url)")
    let presence = root.child("people").childByAutoId()
    let participants = Participants()
    appear(at: presence, root, participants)
    watch(root, participants)
    queue.asyncAfter(deadline: .now() + 3) { [show] in
      if !participants.wasOnline {
        show("* no connection yet; it is tried again, and what you write is sent then")
      }
    }
    let sent = DispatchSemaphore(value: 0)
    while let line = readLine() {
      switch line {
      case "/offline": WDGSyncReference.goOffline()
      case "/online": WDGSyncReference.goOnline()
      default:
        root.child("messages").childByAutoId().setValue(["from": name, "text": line]) { error, _ in
          if let error { show("* not sent, \(error): \(line)") }
        }
      }
    }
    presence.removeValue { _, _ in sent.signal() }
    // Offline, there is no answer to wait for.
    _ = sent.wait(timeout: .now() + 2)
    queue.sync {}
  }

  /// Is there whenever there is a connection, and gone when it ends, however it ends.
  private func appear(
    at presence: WDGSyncReference, _ root: WDGSyncReference, _ participants: Participants
  ) {
    root.child(".info/connected").observe(.value) { [name, show] snapshot in
      guard snapshot.value as? Bool == true else {
        // At first there is none yet, which is no news.
        if participants.wasOnline { show("* offline") }
        return
      }
      participants.wasOnline = true
      show("* online")
      presence.onDisconnectRemoveValue()
      presence.setValue(name)
    }
  }

  private func watch(_ root: WDGSyncReference, _ participants: Participants) {
    root.child("people").observe(.childAdded) { [name, show] snapshot in
      let other = snapshot.value as? String ?? "?"
      if other != name, participants.join(other) { show("* \(other) is here") }
    }
    root.child("people").observe(.childRemoved) { [name, show] snapshot in
      let other = snapshot.value as? String ?? "?"
      if other != name, participants.leave(other) { show("* \(other) has gone") }
    }
    root.child("messages").queryLimited(toLast: 20).observe(.childAdded) { [show] snapshot in
      let message = snapshot.value as? [String: Any]
      show("\(message?["from"] as? String ?? "?"): \(message?["text"] as? String ?? "")")
    }
  }
}

/// Who else takes part in the chat. A client that connects again is there twice for a moment.
///
/// Unchecked: it is used on the callback queue only.
private final class Participants: @unchecked Sendable {
  var wasOnline = false
  private var connections: [String: Int] = [:]

  /// - Returns: Whether the name was not there before.
  func join(_ name: String) -> Bool {
    connections[name, default: 0] += 1
    return connections[name] == 1
  }

  /// - Returns: Whether the name is not there any more.
  func leave(_ name: String) -> Bool {
    connections[name, default: 1] -= 1
    return connections[name] == 0
  }
}
