import Documentation
import Faults
import Foundation
import Testing
import WebPages

/// The files of the page of the live server fit together.
@Suite struct LivePageTests {
  private func text(_ path: String) throws -> String {
    let file = try #require(LivePage.files.first { $0.path == path }, "\(path)")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  private func all(_ pattern: String, in text: String) throws -> [String] {
    let expression = try NSRegularExpression(pattern: pattern)
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
      Range($0.range(at: 1), in: text).map { String(text[$0]) }
    }
  }

  @Test func `the page asks for every file that there is, and for nothing else`() throws {
    let html = try text("/")
    let asked = try all(#"(?:src|href)="([^"]+)""#, in: html).filter { $0 != "data:," }

    #expect(asked.sorted() == LivePage.files.map(\.path).filter { $0 != "/" }.sorted())
    #expect(asked.allSatisfy { $0.hasPrefix("/.kennel/") })
  }

  @Test func `no script and no style stands in the page itself, as its policy wants it`() throws {
    let html = try text("/")

    #expect(try all("(<style|style=|<script(?! src=)|\\son[a-z]+=|javascript:)", in: html) == [])
  }

  @Test func `what scripts look for is there, once`() throws {
    let ids = try all(#" id="([^"]+)""#, in: try text("/"))

    #expect(Set(ids).count == ids.count)
    for file in LivePage.files where file.path.hasSuffix(".js") {
      for id in try all(
        #"(?:byId|amount)\('([^']+)'\)"#, in: String(decoding: file.bytes, as: UTF8.self))
      where file.path != "/.kennel/common.js" {
        #expect(ids.contains(id), "\(file.path) looks for \(id)")
      }
    }
    let commands = try text("/.kennel/live-faults.js")
    let verbs = FaultKind.allCases.filter { $0.button != nil }.map(\.verb)
    let buttons = try all(#"data-fault="([^"]+)""#, in: try text("/"))
    for kind in buttons { #expect(commands.contains(kind) || verbs.contains(kind), "\(kind)") }
    #expect(Set(buttons).isSuperset(of: verbs))
  }

  @Test func `a button states what its fault needs by the inputs beside it`() throws {
    let page = try text("/")
    let inputs = Set(try all(#"data-field="([^"]+)""#, in: page))
    let required: [FaultKind.Field] = [.messages, .after]

    #expect(inputs.isSuperset(of: required.map(\.rawValue)))
    #expect(page.contains("data-step=\"network.late-close\" data-fields=\"after\""))
  }

  @Test func `colours are those of the other pages, light and dark`() throws {
    let css = try text("/.kennel/page.css")

    #expect(css.contains(Theme.declarations(isDark: false)))
    #expect(css.contains(Theme.declarations(isDark: true)))
    let named = Set(Theme.colours.map(\.name))
    for name in try all(#"var\(--st-([a-z0-9]+)\)"#, in: css) {
      #expect(named.contains(name), "\(name)")
    }
  }
}
