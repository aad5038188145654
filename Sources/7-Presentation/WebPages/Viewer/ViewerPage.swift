internal import ClientInterface
internal import Conformance
internal import Diagrams
internal import Markup
public import TraceFiles

/// The viewer of one run: a page that goes through its events and shows what everybody knew.
public struct ViewerPage {
  private let file: TraceFile
  private let name: String

  /// - Parameters:
  ///   - file: The run.
  ///   - name: The path of its file.
  public init(of file: TraceFile, name: String) {
    self.file = file
    self.name = name
  }

  /// The whole file.
  public var html: String {
    HTMLPage(
      title: "\(file.header.title) - \(file.header.profile.name)",
      styles: [PackageResources.page_css, PackageResources.viewer_css],
      scripts: [
        PackageResources.common_js, PackageResources.timeline_js, PackageResources.viewer_js,
      ], data: ViewerData(file, name: name).json, body: body
    ).html
  }

  private func body(_ body: inout MarkupWriter) {
    body.element("header") { header in
      header.element("h1", file.header.title)
      let verdict = file.end.verdict.rawValue
      header.element("p") { line in
        line.element("span", ["class": "badge \(verdict)"], verdict)
        line.raw(
          Escaping.html(
            " \(file.header.scenario), \(file.header.profile.name), seed \(file.header.seed), "
              + "client \(file.header.client)"))
      }
    }
    body.element("main") { main in
      main.element("section", ["id": "timeline", "aria-label": "Events"], events)
      failures(&main)
      main.element("section", ["id": "state", "aria-label": "What everybody knew"], state)
    }
    more(&body)
  }

  /// Expected against observed, for what was wrong first.
  private func failures(_ body: inout MarkupWriter) {
    guard !file.end.divergences.isEmpty else {
      body.element("div", ["id": "failures", "hidden": ""]) { _ in }
      return
    }
    body.element("section", ["id": "failures", "aria-label": "What was wrong"]) { part in
      for failure in file.end.divergences.prefix(20) { FailureMarkup(failure).write(&part) }
      let rest = file.end.divergences.count - 20
      if rest > 0 { part.element("p", "and \(rest) more") }
    }
  }

  private func events(_ part: inout MarkupWriter) {
    part.element("form", ["id": "filters", "role": "search", "aria-label": "Filter events"]) {
      form in
      for (id, label) in [("client", "who"), ("listener", "listener"), ("kind", "kind")] {
        form.element("label") { field in
          field.raw(label + " ")
          field.element("select", ["id": id]) { $0.element("option", "all") }
        }
      }
      form.element("label") { field in
        field.raw("path ")
        field.empty("input", ["id": "path", "type": "search", "autocomplete": "off"])
      }
      form.element("button", ["type": "reset"], "all")
      form.element("span", ["id": "count", "class": "soft", "role": "status"]) { _ in }
    }
    part.element("div", ["class": "buttons"]) { buttons in
      let commands = [
        ("first", "⇤", "First event (Home)"), ("previous", "←", "Previous event (k)"),
        ("next", "→", "Next event (j)"), ("last", "⇥", "Last event (End)"),
        ("cause", "cause", "What led here (c)"), ("failure", "failure", "Where it failed (f)"),
        ("smaller", "−", "Smaller rows (-)"), ("larger", "+", "Larger rows (+)"),
      ]
      for (command, sign, label) in commands {
        buttons.element(
          "button",
          ["type": "button", "data-command": command, "title": label, "aria-label": label], sign)
      }
      buttons.empty(
        "input",
        ["id": "range", "type": "range", "min": "0", "max": "0", "aria-label": "Event"])
    }
    part.element(
      "div",
      [
        "id": "events", "tabindex": "0", "role": "listbox", "aria-label": "Events of the run",
      ]
    ) { _ in }
  }

  private func state(_ part: inout MarkupWriter) {
    part.element("div", ["id": "moment"]) { moment in
      moment.element("p", ["role": "status"]) { line in
        line.raw("Event ")
        line.element("span", ["id": "position"]) { _ in }
        line.raw(" ")
        line.element("span", ["id": "place", "class": "soft"]) { _ in }
      }
      moment.element("p", ["id": "what", "class": "what"]) { _ in }
      moment.element("p", ["id": "because"]) { _ in }
      moment.element("details") { details in
        details.element("summary", "The event in full")
        details.element("div", ["id": "payload"]) { _ in }
      }
    }
    part.element("h2", "Clients")
    part.element("div", ["id": "clients"]) { _ in }
    part.element("h2", "Server")
    part.element("div", ["id": "server"]) { _ in }
  }

  private func more(_ body: inout MarkupWriter) {
    body.element("details") { details in
      details.element("summary", "Picture")
      details.element("div", ["class": "scroll", "tabindex": "0"]) {
        $0.raw(SpaceTime(of: PicturedRun(file)).svg())
      }
    }
    for source in file.header.sources {
      body.element("details") { details in
        details.element("summary", source.file)
        details.element("pre", ["dir": "ltr"]) { text in
          let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
          text.raw(lines.map { Escaping.html(String($0)) }.joined(separator: "\n"))
        }
      }
    }
    body.element("details") { details in
      details.element("summary", "Keys")
      details.element(
        "p",
        "→ j: next   ← k: previous   Home, End, Page Up, Page Down   c: what led here   "
          + "f: where it failed   + -: larger and smaller rows   /: filter by path")
    }
  }
}
