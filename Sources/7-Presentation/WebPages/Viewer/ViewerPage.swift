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

  /// The markup of every page, line by line, with what is of this run where a line names it.
  private func body(_ body: inout MarkupWriter) {
    for line in String(decoding: PackageResources.viewer_html, as: UTF8.self).split(separator: "\n")
    {
      switch line {
      case "<!-- header -->": body.element("header", [:], header)
      case "<!-- failures -->": failures(&body)
      case "<!-- sources -->": sources(&body)
      default: body.raw(String(line))
      }
    }
  }

  private func header(_ header: inout MarkupWriter) {
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

  /// The run as a picture, and the texts of its scenario.
  private func sources(_ body: inout MarkupWriter) {
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
  }
}
