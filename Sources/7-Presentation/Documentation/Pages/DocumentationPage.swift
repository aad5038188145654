internal import Document
internal import Tree

/// One page of the documentation, as a value: what it says, but not how that is written down.
public struct DocumentationPage: Hashable, Sendable {
  public var id: PageID
  /// The heading of level 1 in plain text; writers escape it.
  public var title: String
  /// The content below the title, from top to bottom.
  public var blocks: [Block]
  /// What the search knows of it, a sentence each, where that is not what its blocks say.
  public var summary: [String]?
  /// What it is found by as well, and what nobody wants to read.
  public var keywords: [String] = []
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
  case items([Item], isNumbered: Bool)
  case table(Table)
  /// Text as it stands.
  case code(String)
  case sequence(SequenceDiagram)
  case order(OrderDiagram)
  /// An SVG element, shown on request. Only the site has it.
  case drawing(String, svg: String)
  /// Shown on request.
  case folded(String, [Block])

  /// One of several things, with what stands below it.
  public struct Item: Hashable, Sendable {
    /// The line, or the lines, with which it begins.
    public var words: [Inline]
    /// What follows within the same item.
    public var blocks: [Block]

    /// An item of a line, unless there is more.
    public init(_ words: [Inline], _ blocks: [Block] = []) {
      self.words = words
      self.blocks = blocks
    }
  }

  /// Items of a line each.
  public static func list(_ items: [[Inline]]) -> Block {
    .items(items.map { Item($0) }, isNumbered: false)
  }

  /// Items of a line each, numbered from 1.
  public static func steps(_ items: [[Inline]]) -> Block {
    .items(items.map { Item($0) }, isNumbered: true)
  }

  /// The words in it, for a search; drawings have none.
  var plain: String {
    switch self {
    case let .heading(_, words, _), let .paragraph(words): words.plain
    case let .items(items, _):
      items.flatMap { [$0.words.plain] + $0.blocks.map(\.plain) }.joined(separator: " ")
    case let .table(table):
      ([table.head] + table.rows).flatMap { $0.map(\.plain) }.joined(separator: " ")
    case let .code(text): text
    case .sequence, .order, .drawing: ""
    case let .folded(summary, blocks):
      ([summary] + blocks.map(\.plain)).joined(separator: " ")
    }
  }
}

/// Rows of cells below a head.
public struct Table: Hashable, Sendable {
  /// What it is about, for who cannot see what stands around it; `nil` where that is all there is.
  public var caption: String?
  /// The titles of the columns.
  public var head: [[Inline]]
  /// The cells by row and column; each cell is a line of inline parts.
  public var rows: [[[Inline]]]

  /// Takes the cells as they are; each row should have as many as the head.
  public init(_ caption: String, head: [String], rows: [[[Inline]]]) {
    self.caption = caption
    self.head = head.map { [.text($0)] }
    self.rows = rows
  }

  /// A table without a caption, with cells as they are.
  init(head: [[Inline]], rows: [[[Inline]]]) {
    self.head = head
    self.rows = rows
  }
}

/// A part of a line.
public indirect enum Inline: Hashable, Sendable {
  case text(String)
  case marked(Mark, [Inline])
  /// A name or a value as programs write it.
  case code(String)
  case reference([Inline], Target)
  case image(String, address: String)
  /// A file of the repository, by its path there.
  case file(String)

  /// How words are set apart from others.
  public enum Mark: Hashable, Sendable {
    case emphasis
    case strong
  }

  /// Where a link leads.
  public enum Target: Hashable, Sendable {
    /// To another page, or to a location in it.
    case page(PageID, anchor: String?)
    /// To an address as documents write it.
    case address(String)
  }

  /// Words that stand out.
  public static func strong(_ text: String) -> Inline { .marked(.strong, [.text(text)]) }

  /// Words that lead to another page.
  public static func link(_ text: String, _ page: PageID, anchor: String? = nil) -> Inline {
    .reference([.text(text)], .page(page, anchor: anchor))
  }
}

extension [Inline] {
  /// The words without what makes them look one way or another.
  public var plain: String {
    map { inline in
      switch inline {
      case let .text(text), let .code(text), let .image(text, _), let .file(text): text
      case let .marked(_, words), let .reference(words, _): words.plain
      }
    }.joined()
  }
}

/// Values and names as pages show them: on one line, not too long, and without characters that
/// cannot be seen or that change how others are read.
enum Shown {
  /// How much of a value a table shows, in characters.
  static let valueLimit = 160

  /// The canonical text of a value, cut in the middle where it is long.
  static func value(_ node: Node) -> String { text(node.description) }

  /// A name of a location, cut in the middle where it is long.
  static func key(_ key: String) -> String { text(key) }

  private static func text(_ text: String) -> String {
    visible(Truncation.countedMiddle(of: text, retention: valueLimit))
  }

  /// How many lines of a tree are shown.
  private static let treeLines = 60

  /// A tree on several lines: a child that fits stays on the line of its key.
  static func tree(_ node: Node) -> String {
    let lines = lines(of: node.json, indent: "", width: 76)
    if lines.count <= treeLines { return lines.joined(separator: "\n") }
    return (lines.prefix(treeLines) + ["... \(lines.count - treeLines) more lines"])
      .joined(separator: "\n")
  }

  private static func lines(of json: JSON, indent: String, width: Int) -> [String] {
    let text = json.text
    guard let members = json.members, !members.isEmpty, text.utf8.count > width else {
      return [Self.text(text)]
    }
    var result = ["{"]
    for (index, member) in members.enumerated() {
      var child = lines(of: member.value, indent: indent + "  ", width: width - 2)
      let name = Self.text(JSON.string(member.name).text)
      child[0] = "\(name): \(child[0])"
      if index < members.count - 1 { child[child.count - 1] += "," }
      result += child.map { "  " + $0 }
    }
    return result + ["}"]
  }
}
