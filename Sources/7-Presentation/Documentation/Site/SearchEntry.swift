internal import Document
internal import Tree

/// What the search knows of a page: its parts, each with where it is, its heading and its sentences.
struct SearchEntry {
  private let file: String
  private let title: String
  private let section: String
  private let keywords: [String]
  private var parts: [Part] = []
  /// The last heading of level 2 with an anchor.
  private var around: (anchor: String, heading: String)?

  private struct Part {
    var anchor: String
    var heading: String
    var lines: [String] = []

    /// The lines from the top on, as many as there is room for.
    var text: String {
      var left = SearchEntry.limit
      return lines.prefix { line in
        left -= line.utf8.count
        return left > 0
      }.joined(separator: "\n")
    }
  }

  /// How much of a part is kept, in bytes.
  fileprivate static let limit = 2400

  init(_ page: DocumentationPage, _ file: String, _ map: SiteMap) {
    self.file = file
    title = page.title
    let trail = map.trail(to: file).drop { $0 != SiteMap.book || map.chapter(of: file) == nil }
    section = trail.isEmpty ? map.trail(to: file).last ?? Site.name : trail.joined(separator: " › ")
    keywords = page.keywords
    parts = [Part(anchor: "", heading: "", lines: page.summary ?? [])]
    guard page.summary == nil else { return }
    for block in page.blocks { take(block) }
  }

  /// A heading begins a part. One without an anchor is found below the anchor and the words of the
  /// heading around it.
  private mutating func take(_ block: Block) {
    guard case let .heading(level, words, anchor) = block else {
      parts[parts.count - 1].lines += block.sentences
      return
    }
    if let anchor {
      parts.append(Part(anchor: anchor, heading: words.plain))
      if level == 2 { around = (anchor, words.plain) }
    } else if level > 2, let around {
      let inside = words.plain.trimmingPrefix("... ")
      // What holds nothing but such parts is no answer itself.
      if parts[parts.count - 1].lines.isEmpty, parts.count > 1 { parts.removeLast() }
      parts.append(Part(anchor: around.anchor, heading: "\(around.heading) \(inside)"))
    }
  }

  var json: JSON {
    .array([
      .string(file), .string(title), .string(section),
      .array(
        parts.map { part in
          .array([.string(part.anchor), .string(part.heading), .string(part.text)])
        }),
      .string(keywords.joined(separator: "\n")),
    ])
  }
}

extension Block {
  /// What it says in words, a line for each item and each row.
  fileprivate var sentences: [String] {
    switch self {
    case let .paragraph(words): [words.plain]
    case let .items(items, _):
      items.flatMap { [$0.words.plain] + $0.blocks.flatMap(\.sentences) }.filter {
        !$0.isOfRuleHead
      }
    case let .table(table):
      // What has a caption is a table of events, and nothing to read out.
      table.caption != nil
        ? []
        : table.rows.flatMap { cells -> [String] in
          let words = cells.map(\.plain).filter { !$0.isEmpty }
          return [words.prefix(2).joined(separator: ": ")] + words.dropFirst(2)
        }
    case let .folded(_, blocks): blocks.flatMap(\.sentences)
    case .heading, .code, .sequence, .order, .drawing: []
    }
  }
}

extension String {
  /// Whether it is one of the lines below the heading of a rule that answer no question.
  fileprivate var isOfRuleHead: Bool {
    ["level: ", "profiles: ", "source: ", "tested: ", "binds: "].contains(where: hasPrefix)
  }
}
