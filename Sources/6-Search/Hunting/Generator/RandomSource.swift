internal import ClientInterface
internal import Tree

/// A stream of random draws, named by what is drawn.
///
/// Each part of a scenario has a stream of its own, so that a part that draws more or less, or is
/// not there, disturbs no other.
struct RandomSource {
  /// What is drawn. The numbers are part of what a seed means and never change.
  enum Domain: Int {
    /// What holds for a whole scenario.
    case plan = 101
    /// What is at the server at first.
    case data = 102
    /// One thing that happens. Entity: 0. Ordinal: its location.
    case act = 103
    /// What time passes before it. Likewise.
    case pause = 104
    /// What a client does first. Entity: the client. Ordinal: its location.
    case beginning = 105
    /// The rare situation of a scenario. Entity: 0, or 1 for which one it is, or 2 for its keys.
    case rare = 106
  }

  private var numbers: RandomNumbers

  init(seed: UInt64, _ domain: Domain, entity: Int = 0, ordinal: Int = 0) {
    var origin = Fingerprint(bits: seed)
    origin.combine(domain.rawValue)
    origin.combine(entity)
    origin.combine(ordinal)
    numbers = RandomNumbers(seed: origin.bits)
  }

  /// A number in 0..<`bound`. For bounds this small no rejection is needed.
  mutating func number(below bound: Int) -> Int {
    Int(numbers.next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.count)
  }

  /// Whether something happens that does so in `percent` of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// One of the elements; the later ones are rarer.
  mutating func early<Element>(of elements: [Element]) -> Element {
    elements[min(number(below: elements.count), number(below: elements.count))]
  }
}
