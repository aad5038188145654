internal import Document
package import Search

/// The order that all ways of a scenario share, as a Hasse diagram: a line leads from each event to
/// those that come directly after it whenever both come.
public struct OrderDiagram: Hashable, Sendable {
  /// The events drawn; lines name them by their positions in this list.
  public var nodes: [Node]
  /// From the earlier to the later, by the positions of nodes.
  public var lines: [Line]

  /// One event, as a box of the diagram.
  public struct Node: Hashable, Sendable {
    /// `alice.feed`.
    public var owner: String
    /// The event in words, without its owner.
    public var text: String
    /// Whether it comes in every order.
    public var isCertain: Bool
  }

  /// A cover relation: nothing drawn comes between the two events in the shared order.
  public struct Line: Hashable, Sendable {
    /// The position in `nodes` of the event that comes first.
    public var from: Int
    /// The position in `nodes` of the event that comes after it.
    public var to: Int
  }

  /// - Parameters:
  ///   - shared: What all ways have in common.
  ///   - owner: The name of the listener or call of an event, with its client.
  package init(_ shared: SharedOrder, owner: (EventOrders.ApplicationEvent) -> String) {
    let members = shared.drawable
    var positions: [Int: Int] = [:]
    for (position, member) in members.enumerated() { positions[member] = position }
    nodes = members.map { member in
      let appEvent = shared.appEvents[member]
      return Node(
        owner: owner(appEvent), text: EventWords(appEvent).text, isCertain: shared.isCertain(member)
      )
    }
    lines = shared.covers(among: members).map { a, b in
      Line(from: positions[a] ?? 0, to: positions[b] ?? 0)
    }
  }

  /// Takes nodes and lines as they are; lines must name positions that exist in `nodes`.
  public init(nodes: [Node], lines: [Line]) {
    self.nodes = nodes
    self.lines = lines
  }

  /// A sentence for who cannot see the diagram; the sentences below it say the same as it does.
  var alternative: String {
    "Order of \(counted(nodes.count, "event")): what comes before what in every order"
  }

  /// The owners, in the order of their first events.
  var owners: [String] { nodes.map(\.owner).unique() }

  /// For each node how many lie before it on the longest way to it.
  var ranks: [Int] {
    var ranks = Array(repeating: 0, count: nodes.count)
    // As many rounds as there are nodes are enough, whatever the order of the lines.
    for _ in nodes.indices {
      var hasChanged = false
      for line in lines where ranks[line.to] <= ranks[line.from] {
        ranks[line.to] = ranks[line.from] + 1
        hasChanged = true
      }
      if !hasChanged { break }
    }
    return ranks
  }

  /// The diagram as an element of a page; `id` distinguishes it from others there.
  ///
  /// Each listener and call has a column, and what comes later stands lower.
  package func svg(id: String) -> String {
    let layout = Layout(self)
    var svg = SVG(id, width: layout.width, height: layout.height)
    for column in layout.columns {
      svg.text(column.owner, x: column.start + column.width / 2, y: 20, "name", .middle)
    }
    for line in lines {
      let (from, to) = (layout.positions[line.from], layout.positions[line.to])
      svg.arrow((from.x, from.y + Layout.boxHeight), to, "message")
    }
    for (node, position) in zip(nodes, layout.positions) {
      let width = node.text.count * SVG.characterWidth + 16
      svg.box(
        x: position.x - width / 2, y: position.y, width: width, height: Layout.boxHeight,
        node.isCertain ? "note" : "note may")
      svg.text(node.text, x: position.x, y: position.y + 16, "words", .middle)
    }
    return svg.element(title: alternative)
  }

  /// Where the boxes are.
  private struct Layout {
    struct Column {
      var owner: String
      var start: Int
      var width: Int
    }

    static let rowHeight = 48
    static let boxHeight = 24
    var columns: [Column] = []
    /// The middle of the upper side of each node's box.
    var positions: [(x: Int, y: Int)]
    var width = 8
    var height = 36

    init(_ diagram: OrderDiagram) {
      let ranks = diagram.ranks
      positions = ranks.map { (0, 32 + $0 * Self.rowHeight) }
      height += ((ranks.max() ?? -1) + 1) * Self.rowHeight
      for owner in diagram.owners {
        let members = diagram.nodes.indices.filter { diagram.nodes[$0].owner == owner }
        let longest = members.map { diagram.nodes[$0].text.count }.max() ?? 0
        let slot = max(longest, owner.count) * SVG.characterWidth + 24
        // What excludes each other can stand side by side.
        var taken: [Int: Int] = [:]
        for index in members {
          let number = taken[ranks[index], default: 0]
          taken[ranks[index]] = number + 1
          positions[index].x = width + number * slot + slot / 2
        }
        let slots = taken.values.max() ?? 1
        columns.append(Column(owner: owner, start: width, width: slots * slot))
        width += slots * slot + 28
      }
    }
  }
}
