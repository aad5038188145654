/// One of the things that a state of the abstract model of a run is made of: what a client knows
/// and waits for at one moment, where it listens.
///
/// A state is a small number, the same on every machine: each field has some bits of it. Data, keys
/// and names are left out, so that runs that differ in them alone reach the same states.
struct ModelField: Sendable {
  /// What reports call it.
  let name: String
  /// In the order of their numbers: what reports call a value, and the rules about clients in such
  /// a state; none for what is ordinary.
  let values: [(name: String, rules: [String])]
  let shift: Int
  let bits: Int

  /// The fields by their first bits.
  enum Name: UInt32 {
    case connection = 0
    case knowledge = 3
    case query = 5
    case pending = 7
    case transaction = 10
    case overlap = 13
    case input = 16
    case fault = 21
  }

  private init(_ name: Name, _ values: (name: String, rules: String)...) {
    self.name = "\(name)"
    self.values = values.map { ($0.name, $0.rules.split(separator: " ").map(String.init)) }
    shift = Int(name.rawValue)
    bits = Int.bitWidth - (values.count - 1).leadingZeroBitCount
  }

  /// The part of a state's number that a value is.
  @inline(__always) static func number(_ field: Name, _ value: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: value) << field.rawValue
  }

  /// The number of a state's value.
  func number(in state: UInt32) -> Int { Int(state >> UInt32(shift)) & (1 << bits - 1) }

  /// Every field, that of the lowest bits first. The values are in the order of the numbers that
  /// `ModelClient` gives them.
  static let all: [ModelField] = [
    ModelField(
      .connection, ("no process", ""), ("offline", "CON-4 OFF-2"), ("lost", "CON-3 OFF-1"),
      ("connecting", "CON-5"), ("before hello", "CON-12"), ("up", "")),
    ModelField(
      .knowledge, ("nothing", "EVT-18"), ("part", "WRT-21"), ("window", "EVT-19 LIM-10"),
      ("all", "")),
    ModelField(
      .query, ("none", "WRT-19"), ("everything", ""), ("range", "LIM-3"), ("limit", "LIM-6")),
    ModelField(
      .pending, ("none", ""), ("at", "WRT-8"), ("above", "WRT-17"), ("below", "WRT-18"),
      ("several", "WRT-13")),
    ModelField(
      .transaction, ("none", ""), ("waiting", "TXN-2"), ("sent", "TXN-13"), ("ran again", "TXN-6"),
      ("overtaken", "TXN-10")),
    ModelField(
      .overlap, ("none", ""), ("beside", "EVT-16"), ("below another", "WIR-4"),
      ("beside, below", "WIR-4"), ("above another", "WIR-5"), ("beside, above", "WIR-5"),
      ("between", "WIR-6"), ("beside, between", "WIR-6")),
    ModelField(
      .input, ("start", "OFF-11"), ("opened", ""), ("closed", "TXN-13"), ("refused", "CON-5"),
      ("hello", "CON-7"), ("put", "EVT-14"), ("merge", "EVT-14"), ("put for a query", "WIR-7"),
      ("merge for a query", "LIM-7"), ("acceptance", "WRT-16"), ("refusal", "WRT-14"),
      ("stale hash", "TXN-6"), ("revocation", "ACC-10"), ("listen", ""), ("unlisten", "CON-14"),
      ("write", "WRT-8"), ("transaction", "TXN-1"), ("online or offline", "CON-4"),
      ("credential", "ACC-12"), ("anything else", "")),
    ModelField(
      .fault, ("none", ""), ("latency", "CON-22"), ("stall", "CON-22"), ("cut", "CON-3"),
      ("broken connection", "CON-3"), ("lost acknowledgement", "OFF-4"), ("new process", "OFF-11"),
      ("clock", "CON-20"), ("clock of the server", "SRV-11"), ("storage", "OFF-28"),
      ("denial", "ACC-8"), ("stale hash", "TXN-27"), ("sent away", "CON-15"),
      ("restart", "CON-21"), ("armed", "")),
  ]
}
