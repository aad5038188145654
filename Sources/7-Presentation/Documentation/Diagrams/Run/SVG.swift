internal import Document

/// A drawing made of boxes, lines and words. Its colours are those of the page around it: every
/// element has a class, and the style sheet says what that looks like.
struct SVG {
  private var body = MarkupWriter()
  /// Distinguishes the drawing from others of the page.
  let id: String
  let width: Int
  let height: Int

  /// How wide a character of the fixed-width font is in most fonts, in units of the drawing.
  static let characterWidth = 7
  static let lineHeight = 16

  /// How much room the longest of these texts takes: some fonts are a little wider, which shows in
  /// long texts.
  static func width(of texts: [String]) -> Int {
    ((texts.map(\.count).max() ?? 0) * (characterWidth * 4 + 1) + 3) / 4
  }

  init(_ id: String, width: Int, height: Int) {
    self.id = id
    self.width = width
    self.height = height
  }

  mutating func line(_ a: (x: Int, y: Int), _ b: (x: Int, y: Int), _ style: String) {
    line(a, b, style, head: nil)
  }

  /// A line with a head at its end.
  mutating func arrow(_ a: (x: Int, y: Int), _ b: (x: Int, y: Int), _ style: String) {
    line(a, b, style, head: "url(#\(id)-arrow)")
  }

  private mutating func line(
    _ a: (x: Int, y: Int), _ b: (x: Int, y: Int), _ style: String, head: String?
  ) {
    body.line(style, from: a, to: b, head: head)
    body.raw("\n")
  }

  /// The cross where a lost message ends.
  mutating func cross(_ x: Int, _ y: Int) {
    for stroke in MessageMark.cross(x, y) { line(stroke.from, stroke.to, "cross") }
  }

  mutating func box(x: Int, y: Int, width: Int, height: Int, _ style: String) {
    body.rectangle(style, x: x, y: y, width: width, height: height, radius: 4)
    body.raw("\n")
  }

  enum Anchor: String { case start, middle, end }

  mutating func text(_ text: String, x: Int, y: Int, _ style: String, _ anchor: Anchor = .start) {
    body.words(text, style, x: x, y: y, anchor: anchor.rawValue)
    body.raw("\n")
  }

  /// The drawing as an element of a page, with a title for who cannot see it.
  ///
  /// Each drawing has an arrow head of its own: one that is hidden cannot be used by others.
  func element(title: String) -> String {
    var writer = MarkupWriter()
    writer.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-labelledby": "\(id)-title",
        "width": "\(width)", "height": "\(height)", "viewBox": "0 0 \(width) \(height)",
      ]
    ) { svg in
      svg.raw("\n")
      svg.element("title", ["id": "\(id)-title"], title)
      svg.raw("\n")
      svg.element("defs") { arrowHead(&$0) }
      svg.raw("\n" + body.text)
    }
    return writer.text
  }

  private func arrowHead(_ defs: inout MarkupWriter) {
    defs.element(
      "marker",
      [
        "id": "\(id)-arrow", "viewBox": "0 0 8 8", "refX": "8", "refY": "4", "markerWidth": "8",
        "markerHeight": "8", "orient": "auto",
      ]
    ) { $0.empty("path", ["class": "head", "d": "M0 0L8 4L0 8z"]) }
  }
}

/// The shapes that all drawings are made of. The style of each is the name of its class.
extension MarkupWriter {
  mutating func line(
    _ style: String, from a: (x: Int, y: Int), to b: (x: Int, y: Int), head: String? = nil
  ) {
    empty(
      "line",
      [
        "class": style, "x1": "\(a.x)", "x2": "\(b.x)", "y1": "\(a.y)", "y2": "\(b.y)",
        "marker-end": head,
      ])
  }

  mutating func rectangle(
    _ style: String, x: Int, y: Int, width: Int, height: Int, radius: Int? = nil
  ) {
    empty(
      "rect",
      [
        "class": style, "x": "\(x)", "y": "\(y)", "width": "\(width)", "height": "\(height)",
        "rx": radius.map(String.init),
      ])
  }

  mutating func circle(_ style: String? = nil, x: Int, y: Int, radius: String) {
    empty("circle", ["class": style, "cx": "\(x)", "cy": "\(y)", "r": radius])
  }

  mutating func path(_ style: String, _ way: String) {
    empty("path", ["class": style, "d": way])
  }

  mutating func path(_ way: String) { empty("path", ["d": way]) }

  mutating func words(
    _ text: String, _ style: String?, x: Int, y: Int, anchor: String? = nil
  ) {
    element("text", ["class": style, "x": "\(x)", "y": "\(y)", "text-anchor": anchor], text)
  }
}
