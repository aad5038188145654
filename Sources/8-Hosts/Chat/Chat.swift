import Dispatch
import WilddogSync

/// A chat with all others in the same database, which shows who is there: the smallest program that
/// shows the documented SDK at work.
package struct Chat {
  private let name: String
  private let url: String
  private let folder: String?
  private let show: (String) -> Void

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
  }

  /// Is there whenever there is a connection, and gone when it ends, however it ends.
  private func appear(at presence: WDGSyncReference, _ root: WDGSyncReference) {
    var wasOnline = false
    root.child(".info/connected").observe(.value) { [name, show] snapshot in
      guard snapshot.value as? Bool == true else {
        // At first there is none yet, which is no news.
        if wasOnline { show("* offline") }
        return
      }
      wasOnline = true
      show("* online")
      presence.onDisconnectRemoveValue()
      presence.setValue(name)
    }
  }

  private func watch(_ root: WDGSyncReference) {
    root.child("people").observe(.childAdded) { [show] snapshot in
      show("* \(snapshot.value as? String ?? "?") is here")
    }
    root.child("people").observe(.childRemoved) { [show] snapshot in
      show("* \(snapshot.value as? String ?? "?") has gone")
    }
    root.child("messages").queryLimited(toLast: 20).observe(.childAdded) { [show] snapshot in
      let message = snapshot.value as? [String: Any]
      show("\(message?["from"] as? String ?? "?"): \(message?["text"] as? String ?? "")")
    }
  }
}
