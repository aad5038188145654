internal import Faults

/// The page of the live server, which shows what happens while it happens.
///
/// Several files, unlike the other pages: a server hands them out, and its policy allows no script
/// and no style that stands within a page.
public enum LivePage {
  /// One file, with the path at which the page expects it.
  public struct File: Sendable {
    /// The absolute path of the URL, such as `/` for the page itself.
    public let path: String
    /// The value of its `Content-Type` header.
    public let type: String
    /// The content, as it is to be sent.
    public let bytes: [UInt8]
  }

  /// All of them. The page itself has the path `/`.
  public static var files: [File] {
    let styles = PackageResources.page_css + PackageResources.live_css
    return [
      File(path: "/", type: "text/html; charset=utf-8", bytes: Array(page.utf8)),
      File(
        path: "/.kennel/page.css", type: "text/css; charset=utf-8",
        bytes: Array(HTMLPage.colours.utf8) + styles),
    ]
      + scripts.map { name, bytes in
        File(path: "/.kennel/\(name)", type: "text/javascript; charset=utf-8", bytes: bytes)
      }
  }

  /// The page with the buttons for faults where it has locations for rows of them.
  private static var page: String {
    let parts = String(decoding: PackageResources.live_html, as: UTF8.self)
      .split(separator: "<!-- faults -->\n", omittingEmptySubsequences: false)
      .map(String.init)
    let rows = FaultKind.buttons.map { $0.map(button(for:)).joined() }
    precondition(
      parts.count == rows.count + 1, "the live page has \(parts.count - 1) rows of faults")
    return zip(rows, parts.dropFirst()).reduce(parts[0]) { $0 + $1.0 + $1.1 }
  }

  private static func button(for kind: FaultKind) -> String {
    guard let button = kind.button else { return "" }
    let fields = kind.form.fields.map(\.rawValue).joined(separator: " ")
    let scope = if case .server = kind.form { "server" } else { "client" }
    return "<button type=\"button\" data-fault=\"\(kind.verb)\" data-step=\"\(kind.step)\""
      + " data-fields=\"\(fields)\" data-scope=\"\(scope)\" title=\"\(button.title)\">"
      + "\(button.label)</button>\n"
  }

  private static var scripts: [(name: String, bytes: [UInt8])] {
    [
      ("common.js", PackageResources.common_js), ("live.js", PackageResources.live_js),
      ("live-clients.js", PackageResources.live_clients_js),
      ("live-faults.js", PackageResources.live_faults_js),
      ("live-start.js", PackageResources.live_start_js),
      ("live-traffic.js", PackageResources.live_traffic_js),
      ("live-tree.js", PackageResources.live_tree_js),
    ]
  }
}
