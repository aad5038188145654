internal import Markup

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
    body.empty(
      "line",
      [
        "class": style, "x1": "\(a.x)", "y1": "\(a.y)", "x2": "\(b.x)", "y2": "\(b.y)",
        "marker-end": head,
      ])
    body.raw("\n")
  }

  /// The cross where a lost message ends.
  mutating func cross(_ x: Int, _ y: Int) {
    for stroke in MessageMark.cross(x, y) { line(stroke.from, stroke.to, "cross") }
  }

  mutating func box(x: Int, y: Int, width: Int, height: Int, _ style: String) {
    body.empty(
      "rect",
      [
        "class": style, "x": "\(x)", "y": "\(y)", "width": "\(width)", "height": "\(height)",
        "rx": "4",
      ])
    body.raw("\n")
  }

  enum Anchor: String { case start, middle, end }

  mutating func text(_ text: String, x: Int, y: Int, _ style: String, _ anchor: Anchor = .start) {
    body.element(
      "text",
      ["class": style, "x": "\(x)", "y": "\(y)", "text-anchor": anchor.rawValue], text)
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
