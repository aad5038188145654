internal import Conformance
internal import Diagrams
internal import Markup
internal import Reports
internal import Tree

/// The report of one run, or of the runs of several implementations side by side, as a page.
public struct ReportPage {
  private let columns: [ReportColumn]
  private let header: ReportHeader

  /// A page with one column for each implementation, in this order.
  public init(_ columns: [ReportColumn], _ header: ReportHeader = ReportHeader()) {
    self.columns = columns
    self.header = header
  }

  /// The whole file.
  public var html: String {
    HTMLPage(
      title: "Kennel: " + columns.map(\.name).joined(separator: ", "),
      styles: [
        PackageResources.page_css, PackageResources.report_css, Array(SpaceTime.style.utf8),
      ], scripts: [PackageResources.common_js, PackageResources.report_js], data: data, body: body
    ).html
  }

  private var data: JSON {
    let runs = ReportRuns(columns)
    return [
      "columns": .array(columns.map { .string($0.name) }),
      "facts": header.json,
      "rules": header.texts(of: runs.rules),
      "scenarios": .array(
        runs.rows.map { row in
          [
            "id": .string(row.id), "title": row.title,
            "runs": .array(row.runs.map { .array($0) }),
          ]
        }),
    ]
  }

  /// What a failure has in common with others that need no explanation of their own; nil for what
  /// did not fail.
  static func cause(of run: JSON) -> String? {
    if run["known"]?["standing"]?.string == "stale" { return "stale" }
    guard outcome(of: run) == "failed" else { return nil }
    return (run["cause"] ?? run["signature"])?.string ?? run["verdict"]?.string ?? ""
  }

  /// How a run counts: `passed`, `advised`, `failed`, `known` or `skipped`.
  static func outcome(of run: JSON) -> String {
    switch run["known"]?["standing"]?.string {
    case "known": return "known"
    case .some: return "failed"
    case nil: break
    }
    let verdict = Verdict(rawValue: run["verdict"]?.string ?? "")
    switch verdict?.count {
    case _ where verdict == .advice: return "advised"
    case .passed: return "passed"
    case .skipped: return "skipped"
    case .failed, nil: return "failed"
    }
  }

  private func body(_ body: inout MarkupWriter) {
    body.element("header") { header in
      header.element("h1", ["id": "heading"], "Conformance report")
      header.element("dl", ["id": "facts"]) { _ in }
      header.element("div", ["id": "totals"]) { _ in }
    }
    body.element("main") { main in
      main.element("section", ["id": "overview"]) { part in
        part.element("div", ["id": "causes"]) { _ in }
        part.element("div", ["id": "skips"]) { _ in }
        part.element("form", ["id": "filters", "role": "search", "aria-label": "Filter"], filters)
        part.element("div", ["class": "scroll", "tabindex": "0"]) { scroll in
          scroll.element("table", ["id": "matrix"]) { table in
            table.element("thead") { _ in }
            table.element("tbody") { _ in }
          }
        }
      }
      main.element("section", ["id": "scenario", "hidden": "", "aria-live": "polite"]) { _ in }
    }
  }

  private func filters(_ form: inout MarkupWriter) {
    form.element("label") { field in
      field.raw("search ")
      field.empty(
        "input",
        [
          "id": "search", "type": "search", "autocomplete": "off",
          "placeholder": "id, title or message",
        ])
    }
    for id in ["outcome", "topic", "profile"] {
      form.element("label") { field in
        field.raw(id + " ")
        field.element("select", ["id": id]) { $0.element("option", "all") }
      }
    }
    if columns.count > 1 {
      form.element("label") { field in
        field.empty("input", ["id": "differs", "type": "checkbox"])
        field.raw(" only where implementations differ")
      }
    }
    form.element("button", ["type": "reset"], "all")
    form.element("span", ["id": "count", "class": "soft", "role": "status"]) { _ in }
  }
}
