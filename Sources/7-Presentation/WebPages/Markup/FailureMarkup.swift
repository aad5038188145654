internal import Markup
internal import Text
internal import Tree

/// One thing that was wrong, as reports in JSON have it: a sentence, and expected against observed.
struct FailureMarkup {
  private let failure: JSON

  init(_ failure: JSON) { self.failure = failure }

  func write(_ part: inout MarkupWriter) {
    part.element(
      "p", ["class": "sentence", "dir": "ltr"],
      Truncation.middle(of: failure["sentence"]?.string ?? "", toBytes: 2000))
    part.element("p", ["class": "soft"]) { line in
      line.raw(Escaping.html(location))
      if let event = failure["event"]?.integer {
        line.raw(" · ")
        line.element("a", ["href": "#step=\(event)"], "event \(event)")
      }
    }
    let rows = failure["rows"]?.elements ?? []
    guard !rows.isEmpty else { return }
    part.element("div", ["class": "scroll", "tabindex": "0"]) { scroll in
      scroll.element("table") { table in
        table.element("tbody") { body in
          for row in rows.prefix(200) { write(row, &body) }
        }
      }
    }
  }

  private var location: String {
    let step = failure["step"]?.integer.map { "step \($0)" }
    let ids = (failure["rules"]?.elements ?? []).compactMap(\.string)
    let rules = (ids.count == 1 ? "rule " : "rules ") + ids.joined(separator: ", ")
    let file = failure["file"]?.string.map { "\($0):\(failure["line"]?.integer ?? 1)" }
    return [failure["subject"]?.string, step, ids.isEmpty ? nil : rules, file]
      .compactMap(\.self).joined(separator: " · ")
  }

  private func write(_ row: JSON, _ body: inout MarkupWriter) {
    let side = row["side"]?.string ?? "same"
    let words = ["same": "as expected", "expected": "expected", "observed": "observed"]
    body.element("tr", ["class": side]) { line in
      line.element("td", words[side] ?? side)
      line.element("td", row["number"]?.text ?? "")
      line.element("td") { cell in
        cell.element(
          "code", ["dir": "ltr"], Truncation.middle(of: row["text"]?.string ?? "", toBytes: 2000))
      }
    }
  }
}
