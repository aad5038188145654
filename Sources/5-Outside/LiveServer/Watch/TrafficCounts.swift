internal import ClientInterface
internal import WireMonitor

/// What has gone over one connection, as far as a watcher wants to know it.
struct TrafficCounts: Sendable {
  struct Count: Hashable, Sendable {
    var messages = 0
    var bytes = 0

    mutating func add(_ text: String) {
      messages += 1
      bytes += text.utf8.count
    }
  }

  /// How many findings, and requests, are remembered.
  static let maxRemembered = 20

  let number: Int
  let namespace: String
  let dialect: String
  let began: Instant
  var carrier = ""
  /// What its client is called, if that is known.
  var client: String?
  var fromClient = Count()
  var toClient = Count()
  /// The last ones.
  private(set) var findings: [String] = []
  private(set) var findingCount = 0
  /// When it ended.
  var end: Instant?
  /// What the requests were that were reported last, until they are answered.
  private var requests: [Int: String] = [:]

  init(_ number: Int, _ namespace: String, _ dialect: String, at now: Instant) {
    self.number = number
    self.namespace = namespace
    self.dialect = dialect
    began = now
  }

  mutating func add(finding: String) {
    findingCount += 1
    findings.append(finding)
    if findings.count > Self.maxRemembered { findings.removeFirst() }
  }

  mutating func asked(_ reading: MessageSummary) {
    guard let number = reading.request else { return }
    if requests.count > Self.maxRemembered { requests.removeAll() }
    requests[number] = MessageSummary.shortened(reading.text, to: 60)
  }

  /// What a request was, once.
  mutating func answered(_ number: Int?) -> String? {
    number.flatMap { requests.removeValue(forKey: $0) }
  }
}
