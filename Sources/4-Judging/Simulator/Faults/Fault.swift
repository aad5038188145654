public import ClientInterface
public import ReferenceServer
public import Trace
public import Tree

/// Something that goes wrong in a run, or gets well again.
///
/// Plain data: a run with the same faults at the same moments is the same run. What each of them
/// means is said in Specs/faults.md.
public enum Fault: Hashable, Sendable {
  // MARK: Connection

  /// The connection breaks, what is in flight is lost, both ends see it at once, and new connections
  /// are refused until `heal`.
  case cut(ClientIndex)
  /// As `cut`, but the client can connect again at once.
  case drop(ClientIndex)
  /// New connections work again, and what was stalled goes on.
  case heal(ClientIndex)
  /// New connections are refused until `heal`; the one that is open stays.
  case refuse(ClientIndex)
  /// Messages sent from now on take this long; without a client, those of everyone.
  case latency(Latency, ClientIndex?)
  /// Nothing gets through the open connection any more, in either direction and for ever.
  case halfOpen(ClientIndex, notices: Side)
  /// What arrives from now on waits, in order, until `resume`: messages, requests for a connection
  /// and the end of one.
  case stall(ClientIndex, Flow)
  case resume(ClientIndex, Flow)
  /// As `drop`, when this many more messages have been delivered.
  case closeAfter(ClientIndex, messages: Int, Flow)
  /// The server does the next write that it accepts from this client, and the connection drops
  /// before the answer arrives.
  case lostAcknowledgement(ClientIndex)
  /// The client sees the connection close now, the server only after the interval.
  case lateClose(ClientIndex, after: Interval)
  /// The server sends the client to another host, where it is served from now on (CON-15).
  case redirect(ClientIndex, host: String)
  /// The server tells the client not to come back by itself (CON-18).
  case shutdown(ClientIndex, reason: String)

  // MARK: Process

  case kill(ClientIndex)
  case start(ClientIndex, StorageCondition)

  // MARK: Clock

  /// The client's clock shows this much more than it should; zero sets it right.
  case skew(ClientIndex, Interval)
  /// The client's clock goes too fast, or too slowly, from now on.
  case drift(ClientIndex, Drift)
  /// The client's clock is moved forwards, or back, by this much.
  case jump(ClientIndex, Interval)
  /// The server's clock shows this much more than it should; zero sets it right.
  case serverSkew(Interval)

  // MARK: Storage

  /// The next so many texts that the client stores are not stored. What stood there stays.
  case writeError(ClientIndex, count: Int)
  /// What would make the stored texts longer than this many bytes together is not stored.
  case storageFull(ClientIndex, bytes: Int)
  /// The text that was stored last is cut in half when the next process starts.
  case tornRecord(ClientIndex)
  /// The storage takes everything again.
  case storageWorks(ClientIndex)

  // MARK: Server

  /// Access is refused from now on.
  case deny(SecurityRule)
  /// The listens at a place and below end.
  case revoke(Path)
  /// The token with which the client has signed in is worth nothing any more.
  case revokeCredential(ClientIndex)
  /// The next so many conditional writes are refused as stale, whatever their hash.
  case staleHash(count: Int, ReferenceServer.NewData)
  /// All connections break, with the loss of what is in flight, and none is accepted for the
  /// interval. The data stay.
  case restart(down: Interval, ReferenceServer.LeftBehind)

  // MARK: Somebody else

  /// Somebody else writes, straight at the server. No fault, but it can wait for a trigger as one.
  case write(ReferenceServer.Write)

  /// Who sees at once that a connection is half-open; the others find out by the silence.
  public enum Side: String, CaseIterable, Hashable, Sendable {
    case nobody
    case client
    case server
  }

  /// Which of a connection's directions.
  public enum Flow: String, CaseIterable, Hashable, Sendable {
    case toServer = "to-server"
    case toClient = "to-client"
    case both
  }

  /// How wrong a clock goes, as a fraction: it gains `gain` in each `per` that passes. Negative, it
  /// loses.
  public struct Drift: Hashable, Sendable {
    public let gain: Int
    public let per: Int

    /// - Precondition: `per` is positive and at most 10^9, and the clock does not stand or go back.
    public init(gain: Int, per: Int) {
      precondition((1...1_000_000_000).contains(per), "a clock cannot drift per \(per)")
      precondition(gain > -per && gain <= 1_000_000, "a clock cannot gain \(gain) per \(per)")
      self.gain = gain
      self.per = per
    }

    /// The clock goes right.
    public static let none = Drift(gain: 0, per: 1)
  }
}
