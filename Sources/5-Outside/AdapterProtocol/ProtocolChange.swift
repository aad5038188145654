internal import ClientInterface
internal import Document

/// What was added to the protocol within its version.
///
/// The one table of changes: the changelog is written from it, and the doctor names those that are
/// newer than an adapter. An adapter goes on as it is; what it does not know it answers with
/// `not-supported`.
public struct ProtocolChange: Sendable {
  /// The revision with which it came, from 1; several changes may share one.
  public let revision: Int
  /// The day of the revision.
  public let date: String
  /// What it is, as a sentence in Markdown without its full stop.
  public let text: String
  /// The capability or feature by whose declaration an adapter shows that it knows the change.
  let name: String?

  private init(_ revision: Int, _ date: String, _ text: String, shownBy name: String? = nil) {
    (self.revision, self.date, self.text, self.name) = (revision, date, text, name)
  }

  /// The changes, the oldest first.
  public static let all = [
    ProtocolChange(
      1, "2026-11-21", "Clients with a clock and sockets of their own: `clock`, `transport`, `kill`"
    ),
    ProtocolChange(2, "2026-11-22", "`lacks` names what the programming interface does not offer"),
    ProtocolChange(
      2, "2026-11-22", "`uncaught` reports an exception that the client did not catch"),
    ProtocolChange(2, "2026-11-22", "`get` reads once from the server", shownBy: "get"),
    ProtocolChange(
      2, "2026-11-22", "`on` makes calls from inside callbacks: `calling`, `returned`",
      shownBy: "callbacks"),
    ProtocolChange(
      2, "2026-11-22",
      "`inspect` asks about snapshots before the last one (`nth`) and about completions"),
    ProtocolChange(2, "2026-11-22", "Functions of transactions `keep` and `setThenAbort`"),
    ProtocolChange(
      2, "2026-11-22", "Timers have a `label`, by which a run knows what it waits for"),
    ProtocolChange(3, "2026-11-23", "`cancelTimer` of a timer that is not set does nothing"),
    ProtocolChange(
      4, "2026-11-26", "`purge-writes` gives up what the server has not answered", shownBy: "purge"),
    ProtocolChange(
      5, "2026-11-27",
      "Values whose keys are indexes are lists, also where fewer than half are missing"),
    ProtocolChange(
      5, "2026-11-27", "The codes `no_snapshot` and `invalid_url` of `inspect` are stated"),
    ProtocolChange(
      5, "2026-11-27",
      "`calls` in `hello` shows what calls look like in the interface of the client"),
    ProtocolChange(
      5, "2026-11-27", "`revision` in `hello` states up to which change the adapter was written"),
    ProtocolChange(
      6, "2026-11-27", "Messages that follow each other may come in one request: `frames`, `next`",
      shownBy: "frames"),
    ProtocolChange(6, "2026-11-27", "`lacks` may name `keys.canonical-equivalence`"),
  ]

  /// The revision of this kit.
  public static let revision = all.map(\.revision).max() ?? 0

  /// The changes that an adapter does not show to know.
  ///
  /// - Parameter hello: How it introduces itself.
  /// - Returns: The oldest first.
  public static func news(for hello: AdapterHello) -> [ProtocolChange] {
    all.filter { change in
      change.revision > hello.revision
        && !(change.name.map(hello.declares) ?? false)
    }
  }
}
