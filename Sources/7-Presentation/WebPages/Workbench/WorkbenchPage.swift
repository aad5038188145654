/// The page of `kennel ui`, in which scenarios are run, looked at and edited.
public enum WorkbenchPage {
  /// All files. The page itself has the path `/`.
  public static var files: [LivePage.File] {
    let styles = PackageResources.page_css + PackageResources.ui_css
    let scripts = [
      ("common.js", PackageResources.common_js), ("ui.js", PackageResources.ui_js),
      ("ui-editor.js", PackageResources.ui_editor_js), ("ui-tree.js", PackageResources.ui_tree_js),
      ("ui-run.js", PackageResources.ui_run_js), ("ui-fleet.js", PackageResources.ui_fleet_js),
    ]
    return [
      LivePage.File(path: "/", type: "text/html; charset=utf-8", bytes: PackageResources.ui_html),
      LivePage.File(
        path: "/.kennel/ui.css", type: "text/css; charset=utf-8",
        bytes: Array(HTMLPage.colours.utf8) + styles),
    ]
      + scripts.map { name, bytes in
        LivePage.File(
          path: "/.kennel/\(name)", type: "text/javascript; charset=utf-8", bytes: bytes)
      }
  }
}
