internal import ClientInterface
internal import Wire

/// What lies between the client and the server of one connection.
struct ConnectionPipe: Sendable {
  /// Whose it is.
  let client: Int
  /// Whether it is a stream of events, which learns of data only.
  let isStream: Bool
  /// Whether it is among the open ones of its client.
  var isCounted = true
  /// Whether nothing gets through any more.
  var isDead = false
  /// Whether the client's end is closed.
  var isGone = false
  /// The fault because of which nothing gets through.
  var deathMark: Int?
  /// The fault because of which the server notices the end later than the client.
  var lateMark: Int?
  /// The actions of requests that arrived while a fault was armed, by their numbers.
  var asked: [Int: Request.Action] = [:]
  /// When the last thing on its way arrives, each way: what is sent later does not arrive sooner.
  var lastToServer = Instant(nanoseconds: 0)
  var lastToClient = Instant(nanoseconds: 0)
}

/// A socket that its client takes for open, of a connection that the server has forgotten.
struct StaleSocket: Sendable {
  let client: Int
  let mark: Int?
}
