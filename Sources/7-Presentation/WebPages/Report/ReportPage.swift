internal import Conformance
internal import Diagrams
internal import Markup
internal import Reports
internal import Tree

/// The report of one run, or of the runs of several implementations side by side, as a page.
public struct ReportPage {
  private let columns: [ReportColumn]

  /// A page with one column for each implementation, in this order.
  public init(_ columns: [ReportColumn]) {
    self.columns = columns
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

  /// The scenarios in the order in which they come first, each with its runs by implementation.
  private var data: JSON {
    var order: [String] = []
    var heads: [String: JSON] = [:]
    var runs: [String: [[JSON]]] = [:]
    for (index, column) in columns.enumerated() {
      for run in column.runs {
        guard let id = run["scenario"]?.string else { continue }
        if heads[id] == nil {
          order.append(id)
          heads[id] = run["title"]
        }
        runs[id, default: Array(repeating: [], count: columns.count)][index].append(run)
      }
    }
    return [
      "columns": .array(columns.map { .string($0.name) }),
      "scenarios": .array(
        order.map { id in
          [
            "id": .string(id), "title": heads[id] ?? .null,
            "runs": .array((runs[id] ?? []).map { .array(Self.compact($0)) }),
          ]
        }),
    ]
  }

  /// What went the same way in several profiles is shown closely once: otherwise the page of a
  /// large suite would be too large.
  private static func compact(_ runs: [JSON]) -> [JSON] {
    var isPassShown = false
    return runs.map { run in
      let isPass = run["verdict"]?.string == Verdict.pass.rawValue
      let keepsDetails = !isPass || !isPassShown
      if isPass { isPassShown = true }
      let unused: Set<String> = ["scenario", "title", "checkpoints", "hash"]
      return .object(
        (run.members ?? []).filter {
          !unused.contains($0.name) && (keepsDetails || $0.name != "details")
        } + [.init("outcome", .string(outcome(of: run))), .init("cause", cause(of: run))])
    }
  }

  /// What a failure has in common with others that need no explanation of their own.
  private static func cause(of run: JSON) -> JSON {
    if run["known"]?["standing"]?.string == "stale" { return "stale" }
    guard outcome(of: run) == "failed" else { return .null }
    let signature = run["signature"]?.string ?? run["verdict"]?.string ?? ""
    return .string(RunRecord.cause(of: signature))
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
      header.element("h1", "Conformance report")
      header.element("div", ["id": "totals", "class": "scroll"]) { _ in }
    }
    body.element("main") { main in
      main.element("section", ["id": "overview"]) { part in
        part.element("div", ["id": "causes"]) { _ in }
        part.element("form", ["id": "filters", "role": "search", "aria-label": "Filter"], filters)
        part.element("div", ["class": "scroll"]) { scroll in
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
      field.empty("input", ["id": "search", "type": "search", "autocomplete": "off"])
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
