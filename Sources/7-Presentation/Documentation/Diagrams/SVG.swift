internal import Markup

/// A drawing made of boxes, lines and words. Its colours are those of the page around it: every
/// element has a class, and the style sheet says what that looks like.
struct SVG {
  private(set) var body = ""
  /// Tells the drawing from others of the page.
  let id: String
  let width: Int
  let height: Int

  /// How wide a character of the fixed-width font is, at most, in units of the drawing.
  static let characterWidth = 7
  static let lineHeight = 16

  init(_ id: String, width: Int, height: Int) {
    self.id = id
    self.width = width
    self.height = height
  }

  mutating func line(_ a: (Int, Int), _ b: (Int, Int), _ style: String, arrow: Bool = false) {
    let head = arrow ? #" marker-end="url(#\#(id)-arrow)""# : ""
    body +=
      #"<line class="\#(style)" x1="\#(a.0)" y1="\#(a.1)" x2="\#(b.0)" y2="\#(b.1)"\#(head)/>"#
      + "\n"
  }

  mutating func box(x: Int, y: Int, width: Int, height: Int, _ style: String) {
    body +=
      #"<rect class="\#(style)" x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" rx="4"/>"#
      + "\n"
  }

  enum Anchor: String { case start, middle, end }

  mutating func text(_ text: String, x: Int, y: Int, _ style: String, _ anchor: Anchor = .start) {
    body +=
      #"<text class="\#(style)" x="\#(x)" y="\#(y)" text-anchor="\#(anchor.rawValue)">"#
      + "\(Escaping.htmlLines(text))</text>\n"
  }

  /// The drawing as an element of a page, with a title for who cannot see it.
  ///
  /// Each drawing has an arrow head of its own: one that is hidden cannot be used by others.
  func element(title: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="\(id)-title" \
    width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
    <title id="\(id)-title">\(Escaping.htmlLines(title))</title>
    <defs><marker id="\(id)-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" \
    markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
    \(body)</svg>
    """
  }
}
