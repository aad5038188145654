internal import Document

/// Where links between documents lead to in the site, which mirrors the folder of the documents.
struct SiteLinks {
  private let known: Set<String>

  /// - Parameter documents: The paths of the documents and pictures below their folder.
  init(_ documents: [String]) { known = Set(documents) }

  /// The path of a page without its suffix: `README.md` is the index of its folder, and that of the
  /// documents their contents.
  static func page(of document: String) -> String {
    let path = document.dropLast(3)
    if path == "README" { return "specification" }
    return path.hasSuffix("/README") ? path.dropLast(6) + "index" : String(path)
  }

  /// The file of the site that a link names, as a document writes it, whose path from the folder of the
  /// repository is given; nil for what the site does not have.
  func file(_ link: String, from path: String) -> String? {
    var folders = path.split(separator: "/").dropLast().map(String.init)
    for part in link.prefix(while: { $0 != "#" }).split(separator: "/") where part != "." {
      if part != ".." {
        folders.append(String(part))
      } else if folders.popLast() == nil {
        return nil
      }
    }
    if folders == ["README.md"] { return "index.html" }
    guard folders.first == "Specs" else { return nil }
    let target = folders.dropFirst().joined(separator: "/")
    guard target.hasSuffix(".md") else { return known.contains(target) ? target : nil }
    let isBook = target.hasPrefix(Site.book)
    return isBook || known.contains(target) ? Self.page(of: target) + ".html" : nil
  }

  /// The same as an address relative to the page of the document; what is not of the repository stays.
  func address(_ link: String, from path: String) -> String? {
    if link.hasPrefix("http") || link.hasPrefix("#") { return link }
    guard let file = file(link, from: path) else { return nil }
    let parts = file.split(separator: "/")
    let folders = path.hasPrefix("Specs/") ? path.split(separator: "/").dropFirst().dropLast() : []
    let shared = zip(folders, parts.dropLast()).prefix { $0 == $1 }.count
    let way = folders.dropFirst(shared).map { _ in "../" }.joined()
    return way + parts.dropFirst(shared).joined(separator: "/") + link.drop { $0 != "#" }
  }
}

extension Block {
  /// What it links to by addresses, from top to bottom.
  var links: [(words: [Inline], address: String)] {
    switch self {
    case let .heading(_, words, _), let .paragraph(words): words.links
    case let .items(items, _): items.flatMap { $0.words.links + $0.blocks.flatMap(\.links) }
    case let .table(table): table.rows.flatMap { $0.flatMap(\.links) }
    case let .folded(_, blocks): blocks.flatMap(\.links)
    case .code, .sequence, .order, .drawing: []
    }
  }
}

extension [Inline] {
  fileprivate var links: [(words: [Inline], address: String)] {
    flatMap { inline -> [(words: [Inline], address: String)] in
      switch inline {
      case let .reference(words, .address(address)): [(words, address)]
      case let .marked(_, words): words.links
      default: []
      }
    }
  }
}
