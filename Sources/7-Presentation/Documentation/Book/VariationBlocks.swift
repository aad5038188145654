internal import ClientInterface
internal import Diagrams
internal import Exploration
internal import Scenario
internal import Text

/// The part of a page about other orders than that of time.
struct VariationBlocks {
  private let profileRun: ProfileRun
  /// Whether ways are listed with the commands that show them.
  private let hasCommands: Bool
  private var orders: EventOrders { profileRun.orders }

  /// How many ways are shown with a witness.
  private static let shownWays = 24

  init(_ profileRun: ProfileRun, hasCommands: Bool) {
    self.profileRun = profileRun
    self.hasCommands = hasCommands
  }

  /// Whether there is more than one sequence of events, or the search was stopped.
  var hasVariants: Bool {
    !orders.isComplete || orders.ways.count != 1 || orders.ways[0].sequences != 1
  }

  var blocks: [Block] {
    var blocks: [Block] = [.paragraph(search)]
    if let reason = orders.scenario.fixedOrder {
      blocks.append(
        .paragraph([
          .text("The scenario runs in one order, since "), .text(visible(reason)),
          .text(". Other orders are tried all the same."),
        ]))
    }
    let shared = profileRun.shared
    if shared.appEvents.count > 1 {
      let diagram = OrderDiagram(shared) { profileRun.owner(of: $0) }
      blocks.append(.order(diagram))
      if diagram.nodes.count < shared.appEvents.count {
        blocks.append(
          .paragraph([.text("Only events that come in every order are drawn.")]))
      } else if diagram.nodes.contains(where: { !$0.isCertain }) {
        blocks.append(
          .paragraph([.text("Events in dashed boxes do not come in every order.")]))
      }
    }
    let sentences = Sentences(profileRun)
    for (word, items) in [
      ("Always", sentences.always), ("May", sentences.may), ("Never", sentences.never),
    ] where !items.isEmpty {
      blocks += [.heading(3, [.text(word)]), .list(items)]
    }
    return blocks + witnesses
  }

  /// How many orders were tried, and what they came to.
  var search: [Inline] {
    let extent =
      orders.isComplete
      ? "the search was complete"
      : "the search was stopped, so there may be more than what follows"
    var text = "\(counted(orders.orders, "order")) explored; \(extent)."
    let ways = orders.ways
    let counts = ways.map(\.sequences)
    let sequences = counts.reduce(0) { $0 + ($1 ?? 0) }
    if ways.count == 1, sequences == 1 {
      text += " Nothing varies: the events come in one sequence, whatever is delivered first."
    } else {
      let more = counts.contains(nil) ? "more than a million" : String(sequences)
      text += " The events come in \(ways.count == 1 ? "one way" : "\(ways.count) ways"), which"
      text += " \(ways.count == 1 ? "allows" : "allow") \(more) sequences."
    }
    return [.text(text)]
  }

  private var witnesses: [Block] {
    var blocks: [Block] = []
    for (number, way) in orders.ways.prefix(Self.shownWays).enumerated() {
      let share =
        orders.ways.count == 1 ? "" : ", in \(counted(way.count, "order")) of \(orders.orders)"
      blocks.append(
        .paragraph([.strong("Way \(number + 1) of \(orders.ways.count)"), .text(share + ":")]))
      blocks.append(
        .steps(
          way.appEvents.map { appEvent in
            [.code(profileRun.owner(of: appEvent)), .text(" "), .text(EventWords(appEvent).text)]
          }))
      if hasCommands { blocks.append(.code(command(way.witness))) }
    }
    if blocks.isEmpty { return [] }
    let hidden = orders.ways.count - Self.shownWays
    if hidden > 0 { blocks.append(.paragraph([.text("... and \(counted(hidden, "more way"))")])) }
    let title = orders.ways.count == 1 ? "A witness" : "A witness of each way"
    return [.folded(title, blocks)]
  }

  private func command(_ order: Order) -> String {
    "tools/kennel explore '\(orders.scenario.id)' --deliveries "
      + "--profile \(orders.profile.name) --order \(order)"
  }
}
