extension OrderDiagram {
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
}

extension OrderDiagram {
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
