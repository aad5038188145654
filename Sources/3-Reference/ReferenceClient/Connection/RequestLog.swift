internal import ClientInterface
internal import Tree
internal import Wire

/// A write that the server has not answered.
struct OutstandingPut {
  enum Purpose {
    /// The call is `nil` where an earlier process has made it.
    case write(id: Int, call: CallID?, isUpdate: Bool)
    /// One put for all transactions below a location, by their numbers.
    case transactions([Int])
  }

  /// Distinguishes puts; counts up in order of issue.
  let number: Int
  let request: Request
  let purpose: Purpose
  /// Whether it is on the wire of the current connection.
  var isSent = false

  var path: Path { request.path ?? .root }
}

/// A request about what to do on disconnection that the server has not answered.
struct OutstandingOnDisconnect {
  let number: Int
  let request: Request
  let call: CallID
  var isSent = false
}

/// A single read that the server has not answered.
struct OutstandingGet {
  let number: Int
  let listener: ListenerID
  let target: Operation.Target
}

/// Everything that was asked of the server and not answered.
struct RequestLog {
  /// What to do with an answer.
  enum Expectation {
    case nothing
    case listen(WireListen)
    /// The end of a listen.
    case endOf(WireListen)
    case put(number: Int)
    case onDisconnect(number: Int)
    case get(number: Int)
    /// Who the client is; without a number it was not a call that asked.
    case credential(number: Int?)
  }

  /// In order of issue, which is also the order on the wire (CON-7).
  var puts: [OutstandingPut] = []
  var onDisconnects: [OutstandingOnDisconnect] = []
  var gets: [OutstandingGet] = []
  private var expectations = RequestTable<Expectation>()
  /// WIR-12: request numbers go on across connections.
  private var lastRequest = 0
  private var lastNumber = 0

  /// Whether the number of a restored write may be given to another one.
  enum NumberReservation {
    case taken
    case free
  }

  mutating func nextRequest(expecting expectation: Expectation) -> Int {
    lastRequest += 1
    if case .nothing = expectation { return lastRequest }
    expectations[lastRequest] = expectation
    return lastRequest
  }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Takes up a write of an earlier process, under the number that it had there.
  mutating func restore(_ put: OutstandingPut, number: NumberReservation = .taken) {
    if number == .taken { lastNumber = max(lastNumber, put.number) }
    puts.append(put)
  }

  /// What the answer to a request means; `nil` for one that is not waited for.
  mutating func takeExpectation(of request: Int) -> Expectation? {
    expectations.removeValue(forKey: request)
  }

  mutating func takePut(_ number: Int) -> OutstandingPut? {
    guard let index = puts.firstIndex(where: { $0.number == number }) else { return nil }
    return puts.remove(at: index)
  }

  mutating func takeOnDisconnect(_ number: Int) -> OutstandingOnDisconnect? {
    guard let index = onDisconnects.firstIndex(where: { $0.number == number }) else { return nil }
    return onDisconnects.remove(at: index)
  }

  mutating func takeGet(_ number: Int) -> OutstandingGet? {
    guard let index = gets.firstIndex(where: { $0.number == number }) else { return nil }
    return gets.remove(at: index)
  }

  /// TXN-13: whether a transaction that was on the wire was carried out is not known, and it cannot
  /// be sent again. One that only waits can.
  mutating func takeSentTransactions() -> [OutstandingPut] {
    func isLost(_ put: OutstandingPut) -> Bool {
      if case .transactions = put.purpose { put.isSent } else { false }
    }
    let lost = puts.filter(isLost)
    puts.removeAll(where: isLost)
    return lost
  }

  /// Plain writes will be sent again; requests about disconnection that were sent will not
  /// (OND-9).
  mutating func forgetConnection() {
    for index in puts.indices { puts[index].isSent = false }
    onDisconnects.removeAll(where: \.isSent)
    expectations.removeAll()
  }
}
