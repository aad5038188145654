internal import Markup

/// What the marks of a picture mean, at its foot: only those that it has.
struct Legend {
  /// A mark, drawn as in the picture, with its meaning.
  private struct Entry {
    var classes: String
    var words: String
    var draw: (_ x: Int, _ y: Int, inout MarkupWriter) -> Void
  }

  private var rows: [[(x: Int, entry: Entry)]] = []
  private static let lineHeight = 18
  private static let markWidth = 26

  /// - Parameters:
  ///   - picture: The picture.
  ///   - width: How wide it is, in pixels.
  init(of picture: SpaceTime, width: Int) {
    var x = 12
    for entry in Self.entries(of: picture) {
      let needed = Self.markWidth + entry.words.count * 7 + 14
      if rows.isEmpty || x + needed > width - 8 {
        rows.append([])
        x = 12
      }
      rows[rows.count - 1].append((x, entry))
      x += needed
    }
  }

  var height: Int { rows.isEmpty ? 0 : rows.count * Self.lineHeight + 10 }

  func draw(at y: Int, _ svg: inout MarkupWriter) {
    svg.element("g", ["class": "legend"]) { legend in
      for (index, row) in rows.enumerated() {
        let line = y + 8 + index * Self.lineHeight
        for (x, entry) in row {
          legend.element("g", ["class": entry.classes]) { entry.draw(x, line, &$0) }
          legend.element(
            "text", ["x": "\(x + Self.markWidth)", "y": "\(line + 4)"], entry.words)
        }
      }
    }
  }

  private static func entries(of picture: SpaceTime) -> [Entry] {
    let events = picture.selection.events
    var entries = [
      Entry(classes: "call", words: "call") { x, y, svg in
        svg.empty("path", ["d": "M\(x + 4) \(y - 4)L\(x + 14) \(y)L\(x + 4) \(y + 4)Z"])
      }
    ]
    if events.contains(where: \.isRaised) {
      entries.append(
        Entry(classes: "l0", words: "event at a listener") { x, y, svg in
          svg.empty("path", ["class": "tick", "d": "M\(x + 4) \(y)H\(x + 16)"])
          svg.empty("circle", ["cx": "\(x + 16)", "cy": "\(y)", "r": "3.5"])
        })
    }
    entries.append(dot("done", "completion"))
    if events.contains(where: \.isFault) {
      entries.append(dot("fault", "fault"))
    }
    if events.contains(where: \.isLoss) { entries.append(way("lost", "lost message")) }
    entries.append(way("connect", "connection request"))
    entries.append(
      Entry(classes: "connected", words: "connected") { x, y, svg in
        svg.empty(
          "rect", ["class": "band", "x": "\(x + 8)", "y": "\(y - 7)", "width": "8", "height": "14"])
      })
    guard let failure = picture.run.failures.first, failure.event != nil else { return entries }
    entries.append(way("led", "led to the failure"))
    entries.append(
      Entry(classes: "wrong", words: "where it became apparent") { x, y, svg in
        svg.empty("circle", ["class": "ring", "cx": "\(x + 10)", "cy": "\(y)", "r": "6"])
      })
    return entries
  }

  private static func dot(_ style: String, _ words: String) -> Entry {
    Entry(classes: style, words: words) { x, y, svg in
      svg.empty("circle", ["cx": "\(x + 12)", "cy": "\(y)", "r": "3.5"])
    }
  }

  private static func way(_ style: String, _ words: String) -> Entry {
    Entry(classes: style, words: words) { x, y, svg in
      svg.empty("path", ["class": "way", "d": "M\(x + 1) \(y)H\(x + 20)"])
    }
  }
}
