public import ClientInterface
public import Tree
public import Wire

/// Something that befalls the process of a client, or the machine that it runs on.
public enum ProcessAction: Hashable, Sendable {
  /// It vanishes; only what it has stored stays.
  case kill(client: String)
  /// A new one begins.
  case start(client: String, storage: Storage)
  /// The machine's clock goes wrong.
  case clock(client: String, ClockFault)
  /// The machine's storage goes wrong, or well again.
  case storage(client: String, StorageFault)

  /// What a new process finds of what the one before it has stored.
  public enum Storage: String, CaseIterable, Hashable, Sendable {
    case kept
    case lost
    /// As it was at the last expectation or settling before the end of the old process.
    case rolledBack = "rolled-back"
  }

  public enum ClockFault: Hashable, Sendable {
    /// From now on it shows this much more than the time of the run; less, if negative.
    case skew(Interval)
    /// It is set forward by this much; back, if negative.
    case jump(Interval)
    /// From now on it gains this much in each second; it loses, if negative. Less than a second.
    case drift(Interval)
  }

  public enum StorageFault: Hashable, Sendable {
    /// This many of the next texts that the client stores are not stored; what stood there stays.
    case writes(failing: Int)
    /// The text that was stored last is found cut in half by the next process.
    case torn
    /// What would make the stored texts longer than this together is not stored.
    case full(bytes: Int)
    /// Everything is stored again.
    case sound
  }
}

/// Something that befalls the network.
public enum NetworkAction: Hashable, Sendable {
  /// The client's connection breaks, what is in flight is lost, and new connections are refused.
  case cut(client: String)
  /// The client's connection breaks and what is in flight is lost; it can connect again at once.
  case drop(client: String)
  /// New connections work again, and what was stalled goes on.
  case heal(client: String)
  /// New connections are refused; the one that is open stays.
  case refuse(client: String)
  /// Messages sent from now on take this long; `nil` means every client.
  case latency(ClosedRange<Interval>, client: String?)
  /// What arrives from now on waits, in order, until the network resumes.
  case stall(client: String, Direction)
  case resume(client: String, Direction)
  /// Nothing gets through the open connection any more, in either direction and for ever.
  case halfOpen(client: String, notices: Notice)
  /// The connection breaks as soon as this many more messages were delivered over it.
  case closeAfter(client: String, messages: Int, Direction)
  /// The server does the next write that it accepts from the client, and the connection breaks
  /// before the answer arrives.
  case loseAcknowledgement(client: String)
  /// The connection breaks. The client sees it now, the server only after this long.
  case lateClose(client: String, after: Interval)

  /// Which messages are meant.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    case toServer = "to-server"
    case toClient = "to-client"
    case both
  }

  /// Who sees at once that the connection is dead; the others find out by the silence.
  public enum Notice: String, CaseIterable, Hashable, Sendable {
    case nobody
    case client
    case server
  }
}

/// Something that happens at the server without any client.
public enum ServerAction: Hashable, Sendable {
  case set(Path, Node)
  case update(Path, [Assignment])
  case remove(Path)
  /// Access is refused from now on.
  case reject(Scenario.Restriction)
  /// The listens at a place and below end.
  case revoke(Path)
  /// The token with which a client has signed in is worth nothing any more.
  case revokeCredential(client: String)
  /// All connections break; for a while nobody can connect, and then it is there again with its
  /// data.
  case restart(down: Interval, onDisconnects: OnDisconnects)
  /// It tells a client, or every client, to connect to another host.
  case redirect(client: String?, host: String)
  /// It tells a client, or every client, to go and not to come back.
  case shutdown(client: String?)
  /// From now on its clock shows this much more than the time of the run; less, if negative.
  case clock(skew: Interval)
  /// It answers this many of the next conditional writes with `datastale`, whatever they are based
  /// on.
  case stale(writes: Int, data: StaleData)

  /// What becomes of the operations that clients have left for the end of their connections.
  public enum OnDisconnects: String, CaseIterable, Hashable, Sendable {
    case done
    case lost
  }

  /// Whether the server sends the present data before it says `datastale`.
  public enum StaleData: String, CaseIterable, Hashable, Sendable {
    case sent
    case withheld
  }
}
