internal import Diagrams

/// The page of the live server, which shows what happens while it happens.
///
/// Several files, unlike the other pages: a server hands them out, and its policy allows no script
/// and no style that stands within a page.
public enum LivePage {
  /// One file, with the path at which the page expects it.
  public struct File: Sendable {
    public let path: String
    public let type: String
    public let bytes: [UInt8]
  }

  /// All of them. The page itself has the path `/`.
  public static var files: [File] {
    let styles = PackageResources.page_css + PackageResources.live_css
    return [
      File(path: "/", type: "text/html; charset=utf-8", bytes: PackageResources.live_html),
      File(
        path: "/.kennel/page.css", type: "text/css; charset=utf-8",
        bytes: Array(Page.colours.utf8) + styles),
    ]
      + scripts.map { name, bytes in
        File(path: "/.kennel/\(name)", type: "text/javascript; charset=utf-8", bytes: bytes)
      }
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
