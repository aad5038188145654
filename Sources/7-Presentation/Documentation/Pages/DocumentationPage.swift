public import Diagrams

/// One page of the documentation, as a value: what it says, but not how that is written down.
public struct DocumentationPage: Hashable, Sendable {
  public var id: PageID
  /// The heading of level 1 in plain text; writers escape it.
  public var title: String
  /// The content below the title, from top to bottom.
  public var blocks: [Block]
  /// The pages before and after it in reading order.
  public var previous: PageID?
  /// The page after this one in reading order; `nil` for the last, and outside that order.
  public var next: PageID?

  /// A page without neighbours; set `previous` and `next` to link it.
  public init(_ id: PageID, title: String, _ blocks: [Block] = []) {
    self.id = id
    self.title = title
    self.blocks = blocks
  }
}

/// The name of a page: its path below the folder of the documentation, without a suffix.
public struct PageID: Hashable, Comparable, Sendable {
  /// The path below the folder of the documentation, with `/` between folders and no suffix.
  public var path: String

  /// Names a page by its path below the folder of the documentation, without a suffix.
  public init(_ path: String) { self.path = path }

  /// The page that one begins with.
  public static let front = PageID("index")

  public static func < (a: PageID, b: PageID) -> Bool {
    a.path.utf8.lexicographicallyPrecedes(b.path.utf8)
  }

  /// How many folders lie around it.
  var depth: Int { path.utf8.count { $0 == UInt8(ascii: "/") } }

  /// The relative path from the page to the folder of the documentation.
  var pathToRoot: String { String(repeating: "../", count: depth) }
}

/// A part of a page.
public indirect enum Block: Hashable, Sendable {
  /// From 2 down; 1 is the title of the page. The anchor is for links from other pages.
  case heading(Int, [Inline], anchor: String? = nil)
  case paragraph([Inline])
  case list([[Inline]])
  /// Numbered from 1.
  case steps([[Inline]])
  case table(Table)
  /// Text as it stands.
  case code(String)
  case sequence(SequenceDiagram)
  case order(OrderDiagram)
  /// An SVG element, shown on request. Only the site has it.
  case drawing(String, svg: String)
  /// Shown on request.
  case folded(String, [Block])
}

/// Rows of cells below a head.
public struct Table: Hashable, Sendable {
  /// What it is about, for who cannot see what stands around it.
  public var caption: String
  /// The titles of the columns, in plain text.
  public var head: [String]
  /// The cells by row and column; each cell is a line of inline parts.
  public var rows: [[[Inline]]]

  /// Takes the cells as they are; each row should have as many as the head.
  public init(_ caption: String, head: [String], rows: [[[Inline]]]) {
    self.caption = caption
    self.head = head
    self.rows = rows
  }
}

/// A part of a line.
public enum Inline: Hashable, Sendable {
  case text(String)
  case strong(String)
  /// A name or a value as programs write it.
  case code(String)
  case link(String, PageID, anchor: String? = nil)
  /// A file of the repository, by its path there.
  case file(String)
}

extension [Inline] {
  /// The words without what makes them look one way or another.
  public var plain: String {
    map { inline in
      switch inline {
      case let .text(text), let .strong(text), let .code(text), let .link(text, _, _),
        let .file(text):
        text
      }
    }.joined()
  }
}
