internal import ClientInterface
internal import Tree

/// Every choice of a run that the steps of a scenario leave open.
///
/// A choice is named by what it decides, never by its position: the latency of the third message
/// from alice to the server stays that choice when other messages come or go. 0 is always the most
/// benign alternative. So a run can be replayed from the few entries that are not 0, and it survives
/// changes elsewhere.
public struct ChoiceTape: Hashable, Sendable {
  /// What is chosen. The numbers are part of recorded runs and never change.
  public enum Domain: Int, Hashable, Sendable {
    /// How long a message takes. Entity: the link, twice the client's index, plus one from the
    /// server to the client. Ordinal: the message.
    case latency = 1
    /// How long the answer to a request for a connection takes. Entity: the client's index.
    case connecting = 2
    /// Where a client's own randomness starts. Entity: the client's index. Ordinal: the process.
    case clientSeed = 3
    /// Which of the moves is made that are possible, where the order of a run is chosen. Entity: what
    /// of the run is open. Ordinal: the point at which there are several.
    case order = 4
    /// In which form the server words what it conveys. Entity: the client's index. Ordinal: what can
    /// be worded in several forms.
    case form = 5
  }

  /// The name of a choice.
  public struct Key: Hashable, Sendable {
    /// What is decided; it also says what `entity` and `ordinal` stand for.
    public var domain: Domain
    /// Who or what is concerned, by a number that the domain explains.
    public var entity: Int
    /// How many choices of this domain there were for this entity before.
    public var ordinal: Int

    /// Names a choice of `domain` about `entity`; `ordinal` counts from 0.
    public init(_ domain: Domain, entity: Int, ordinal: Int) {
      self.domain = domain
      self.entity = entity
      self.ordinal = ordinal
    }
  }

  /// A choice and which alternative is taken.
  public struct Entry: Hashable, Sendable {
    /// The name of the choice, which stays the same when other choices come or go.
    public var key: Key
    /// The number of the alternative, from 0, the most benign one.
    public var value: Int

    /// States that the choice with this name takes the alternative `value`.
    public init(_ key: Key, _ value: Int) {
      self.key = key
      self.value = value
    }
  }

  /// What a random choice is when no entry states it.
  public enum Missing: Hashable, Sendable {
    /// Drawn from the seed.
    case drawn
    /// 0, as everywhere else: for replaying.
    case benign
  }

  /// Where random choices start.
  public var seed: UInt64
  /// Whether random choices that no entry states are drawn from `seed` or are 0.
  public let missing: Missing
  /// The choices so far that were not 0, in the order in which they were made.
  public private(set) var used: [Entry] = []

  /// The stated entries that were asked for and were higher than the highest alternative, which was
  /// taken in their place.
  public private(set) var lowered: [Entry] = []

  /// For how many choices there is room at first, so that the list does not grow step by step.
  private static let usualCount = 24

  private var stated: [Key: Int]
  private let statedInOrder: [Entry]
  private var asked: Set<Key> = []

  /// - Parameters:
  ///   - seed: Where random choices start.
  ///   - stated: Choices that are fixed; of two with one name the later one counts.
  ///   - missing: What becomes of random choices that are not stated.
  public init(seed: UInt64 = 0, stated: [Entry] = [], missing: Missing = .drawn) {
    self.seed = seed
    self.missing = missing
    self.stated = Dictionary(stated.map { ($0.key, $0.value) }) { $1 }
    statedInOrder = stated
  }

  /// Whether choices of this domain may come out as anything but 0.
  func isOpen(_ domain: Domain) -> Bool {
    missing == .drawn && seed != 0 || statedInOrder.contains { $0.key.domain == domain }
  }

  /// The stated entries that no choice has asked for so far, in their order.
  ///
  /// - Complexity: O(*n*) in the number of stated entries.
  public var unused: [Entry] { statedInOrder.filter { !asked.contains($0.key) } }
}

extension ChoiceTape {
  /// Which of `arity` alternatives is taken: the stated one, else 0.
  ///
  /// - Returns: A number in 0..<`arity`; a stated one that is too high counts as the highest.
  public mutating func choose(_ domain: Domain, entity: Int, ordinal: Int, arity: Int) -> Int {
    let key = Key(domain, entity: entity, ordinal: ordinal)
    return record(key, statedValue(of: key, arity: arity) ?? 0)
  }

  /// Which of `arity` alternatives is taken: the stated one, else one that is drawn.
  ///
  /// Each choice has a random stream of its own, so that a choice that is no longer made disturbs
  /// no other.
  public mutating func draw(_ domain: Domain, entity: Int, ordinal: Int, arity: Int) -> Int {
    let key = Key(domain, entity: entity, ordinal: ordinal)
    if let value = statedValue(of: key, arity: arity) { return record(key, value) }
    guard missing == .drawn, arity > 1 else { return 0 }
    var stream = stream(of: key)
    return record(key, Int(stream.next(below: UInt64(arity))))
  }

  /// Takes an alternative that nothing leaves open, so that the tape contains it.
  mutating func take(_ value: Int, _ domain: Domain, entity: Int, ordinal: Int) -> Int {
    record(Key(domain, entity: entity, ordinal: ordinal), value)
  }

  /// The random stream of one choice.
  func stream(of key: Key) -> Xoshiro256 {
    var origin = Fingerprint(bits: seed)
    origin.combine(key.domain.rawValue)
    origin.combine(key.entity)
    origin.combine(key.ordinal)
    return Xoshiro256(seed: origin.bits)
  }

  private mutating func statedValue(of key: Key, arity: Int) -> Int? {
    guard !stated.isEmpty, let value = stated[key] else { return nil }
    asked.insert(key)
    let possible = min(max(0, value), max(0, arity - 1))
    if possible < value { lowered.append(Entry(key, value)) }
    return possible
  }

  private mutating func record(_ key: Key, _ value: Int) -> Int {
    if value == 0 { return 0 }
    if used.isEmpty { used.reserveCapacity(Self.usualCount) }
    used.append(Entry(key, value))
    return value
  }
}

/// The generator xoshiro256**: what random choices are drawn from.
struct Xoshiro256: RandomNumberGenerator {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Fills the state from SplitMix64, as its authors recommend.
  init(seed: UInt64) {
    var numbers = RandomNumbers(seed: seed)
    state = (numbers.next(), numbers.next(), numbers.next(), numbers.next())
  }

  /// - Precondition: Not all four words are zero.
  init(state: (UInt64, UInt64, UInt64, UInt64)) {
    self.state = state
  }

  mutating func next() -> UInt64 {
    let result = Self.rotated(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.rotated(state.3, by: 45)
    return result
  }

  /// A number in 0..<`bound`, each equally likely.
  mutating func next(below bound: UInt64) -> UInt64 {
    var (high, low) = next().multipliedFullWidth(by: bound)
    if low < bound {
      let threshold = (0 &- bound) % bound
      while low < threshold { (high, low) = next().multipliedFullWidth(by: bound) }
    }
    return high
  }

  private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }
}
