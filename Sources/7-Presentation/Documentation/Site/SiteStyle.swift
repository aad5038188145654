/// How the site looks: one style sheet for light and dark screens, phones and paper.
public enum SiteStyle {
  /// The colours of one appearance, as `#rrggbb`.
  public struct Colours: Sendable {
    /// The background of the page and of diagrams.
    public var paper: String
    /// Ordinary text, and messages in diagrams.
    public var ink: String
    /// Text of less weight, such as the captions of tables.
    public var faint: String
    /// Links, the outline of the focus, and the background of the skip link.
    public var link: String
    /// The background of code, of table heads and of notes in diagrams.
    public var box: String
    /// Borders of tables and headings, and the lines of diagrams.
    public var rule: String
    /// The background of steps in diagrams.
    public var step: String
    /// The background of faults in diagrams.
    public var alarm: String
    /// What is on `alarm`, and the marks of lost messages.
    public var alarmInk: String

    /// Every pair that words are read in: what they are written in, and on what.
    public var pairs: [(ink: String, paper: String)] {
      [
        (ink, paper), (faint, paper), (link, paper), (ink, box), (faint, box), (link, box),
        (ink, step), (alarmInk, alarm), (ink, alarm), (paper, link),
      ]
    }

    fileprivate var variables: String {
      """
      --paper:\(paper);--ink:\(ink);--faint:\(faint);--link:\(link);--box:\(box);--rule:\(rule);\
      --step:\(step);--alarm:\(alarm);--alarm-ink:\(alarmInk)
      """
    }
  }

  /// The colours of light screens and of paper.
  public static let light = Colours(
    paper: "#ffffff", ink: "#1c2024", faint: "#555d66", link: "#0a51a8", box: "#f1f3f5",
    rule: "#77808a", step: "#e4ecf7", alarm: "#fde3df", alarmInk: "#9c1c0c")
  /// The colours of screens that prefer a dark scheme.
  public static let dark = Colours(
    paper: "#15181b", ink: "#e8eaec", faint: "#a9b1ba", link: "#8fbcff", box: "#22272c",
    rule: "#7d8791", step: "#20304a", alarm: "#4a1f1a", alarmInk: "#ffb4a8")

  /// The style sheet. Paper has the colours of light screens.
  public static var sheet: String {
    """
    :root{color-scheme:light dark;\(light.variables)}
    @media (prefers-color-scheme:dark){:root{\(dark.variables)}}
    @media print{:root{\(light.variables)}}

    """ + String(decoding: PackageResources.site_css, as: UTF8.self)
  }

  /// The script of the search. It reads the data when a reader begins to search, also from a file.
  static var search: String { String(decoding: PackageResources.search_js, as: UTF8.self) }
}
