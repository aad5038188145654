internal import Exploration
internal import Text

extension PageID {
  static let operations = PageID("by-operation")
  static let events = PageID("by-event")
  static let rules = PageID("by-rule")
  static let faults = PageID("by-fault")
  static let profiles = PageID("by-profile")
}

/// The page that one begins with.
struct FrontPage {
  private let entries: [DocumentedScenario]

  init(_ entries: [DocumentedScenario]) {
    self.entries = entries
  }

  var page: DocumentationPage {
    DocumentationPage(.front, title: "Event order", introduction + chapters)
  }

  private var introduction: [Block] {
    let accounts = entries.flatMap(\.accounts)
    let orders = accounts.reduce(0) { $0 + $1.orders.orders }
    let isComplete = accounts.allSatisfy(\.orders.isComplete)
    let extent = isComplete ? "and every search was complete" : "but not every search was complete"
    return [
      .paragraph([
        .text(
          """
          Which events a client raises, and in which order. Every page is made by running a scenario \
          against the reference client and by trying every order in which messages and concurrent \
          steps can come; nothing here is written by hand. \(counted(entries.count, "scenario")), \
          \(counted(accounts.count, "run")) in their profiles, \(counted(orders, "order")) explored, \
          \(extent).
          """)
      ]),
      .list([
        [
          .link("By operation", .operations),
          .text(": what happens when I set, listen, go offline"),
        ],
        [.link("By event", .events), .text(": when is child_moved raised")],
        [.link("By rule", .rules), .text(": every rule of events, observers, queries and limits")],
        [.link("By fault", .faults), .text(": what a lost connection or a restart does")],
        [.link("By profile", .profiles), .text(": where the families of clients differ")],
      ]),
      .heading(2, [.text("How to read a page")]),
      .paragraph([
        .text(
          """
          The tables show one run, in which every message takes 10 ms. "What may vary" lists \
          every outcome that these steps can have, whatever the message delays. Each explored order represents \
          all equivalent orders, which differ only in exchanges that cannot matter; a way \
          is what such orders show: which events come, and which before which. In a diagram an \
          event is above another when it comes first in every order that has both.
          """)
      ]),
    ]
  }

  private var chapters: [Block] {
    var blocks: [Block] = []
    var chapter = ""
    var items: [[Inline]] = []
    func finish() {
      if items.isEmpty { return }
      blocks += [.heading(2, [.text(Chapter.title(of: chapter))]), .list(items)]
      items = []
    }
    for entry in entries {
      if entry.chapter != chapter { finish() }
      chapter = entry.chapter
      items.append([entry.link])
    }
    finish()
    return blocks
  }
}

/// Links in groups, each group and each link once, in the order in which they first came.
struct Groups {
  private(set) var names: [String] = []
  private var members: [String: [Inline]] = [:]

  mutating func add(_ link: Inline, to name: String) {
    if members[name] == nil { names.append(name) }
    if !members[name, default: []].contains(link) { members[name, default: []].append(link) }
  }

  func items(of name: String) -> [[Inline]] { members[name, default: []].map { [$0] } }
}
