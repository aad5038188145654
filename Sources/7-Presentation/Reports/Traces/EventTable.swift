internal import ClientInterface
internal import Text
internal import Trace
internal import TraceFiles
internal import Tree
internal import Wire

/// Events of a trace as lines in columns: mark, number, time, route, text.
struct EventTable {
  private var columns = TextTable([.left, .right, .right, .left, .left])
  private let clients: [String]

  init(clients: [String]) {
    self.clients = clients
  }

  mutating func append(_ event: TraceEvent, mark: String = "", clients: [String]? = nil) {
    columns.append([
      mark, String(event.sequence), event.time.shortText,
      ascii(event.route(names: clients ?? self.clients)),
      ascii(event.text),
    ])
  }

  /// A line for what is not there.
  mutating func append(number: Int, mark: String, _ text: String) {
    columns.append([mark, String(number), "", "", text])
  }

  /// The lines, each cut to `width`.
  func lines(width: Int = TextReport.width) -> [String] {
    columns.lines.map { Truncation.middle(of: $0, to: width) }
  }
}

/// Both sides of the first event that two runs do not share, after some that they do.
struct DifferenceTable {
  private let difference: TraceFirstDifference
  private let clients: [String]
  /// The names in the second run, where they may be others.
  private let present: [String]

  /// How many common events are shown.
  private static let context = 5

  init(_ difference: TraceFirstDifference, clients: [String], now present: [String]? = nil) {
    self.difference = difference
    self.clients = clients
    self.present = present ?? clients
  }

  /// - Parameter legend: What the marks mean: `(- recorded, + now)`.
  /// - Returns: Lines of at most 100 columns.
  func lines(_ legend: String) -> [String] {
    var table = EventTable(clients: clients)
    for event in difference.before.suffix(Self.context) { table.append(event) }
    let sides = [("-", difference.first, clients), ("+", difference.second, present)]
    for (mark, event, clients) in sides {
      if let event {
        table.append(event, mark: mark, clients: clients)
      } else {
        table.append(number: difference.number, mark: mark, "nothing more happened")
      }
    }
    let lines = table.lines(width: TextReport.width - 2)
    return (lines + details(of: lines.suffix(2))).map { "  " + $0 } + ["      \(legend)"]
  }

  /// What differs where the words for both events are the same.
  private func details(of lines: ArraySlice<String>) -> [String] {
    guard let first = difference.first, let second = difference.second,
      lines.first?.dropFirst() == lines.last?.dropFirst()
    else { return [] }
    func text(_ event: TraceEvent, _ clients: [String]) -> String {
      ascii(event.json(clients: clients, difference.dialect).text)
    }
    let cut = Truncation.middle(
      of:
        text(first, clients), text(second, present), to: TextReport.width - 8)
    return ["-     " + cut.0, "+     " + cut.1]
  }
}

/// Where two runs part, with what came before.
struct TraceFirstDifference {
  var number: Int
  var before: [TraceEvent]
  var first: TraceEvent?
  var second: TraceEvent?
  var dialect: Dialect
}
