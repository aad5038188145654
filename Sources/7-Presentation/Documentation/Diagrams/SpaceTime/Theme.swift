internal import Document

/// The colours of pictures and pages, light and dark.
///
/// Each text colour has a contrast of at least 4.5 : 1 with the paper, and each line of at least 3
/// : 1, as WCAG AA asks; a test computes it.
public enum Theme {
  /// What a colour is for, with its value on light and on dark paper as `#rrggbb`.
  public struct Colour: Hashable, Sendable {
    /// The name under which style sheets know it: `ink` is the CSS variable `--st-ink`.
    public var name: String
    /// The value on light paper, as `#rrggbb`.
    public var light: String
    /// The value on dark paper, as `#rrggbb`.
    public var dark: String
    /// What the colour is for, which decides how much contrast it needs.
    public var use: Use

    /// What it must be distinguished from the paper for.
    public enum Use: Hashable, Sendable {
      case paper
      case text
      case line
      /// Reports nothing by itself.
      case decoration
    }
  }

  /// The background against which the contrast of text and lines is measured.
  public static let paper = Colour(name: "paper", light: "#ffffff", dark: "#14171c", use: .paper)

  /// Every colour of the pictures, the paper first, in the order of their CSS declarations.
  public static let colours: [Colour] = [
    paper,
    Colour(name: "ink", light: "#1c2128", dark: "#e3e7ec", use: .text),
    Colour(name: "soft", light: "#57606a", dark: "#9aa4b0", use: .text),
    Colour(name: "rule", light: "#e2e5e9", dark: "#2c323b", use: .decoration),
    Colour(name: "band", light: "#cfe3d6", dark: "#24463a", use: .decoration),
    Colour(name: "shade", light: "#fbe8cf", dark: "#4a3416", use: .decoration),
    Colour(name: "line", light: "#5b6673", dark: "#8793a1", use: .line),
    Colour(name: "call", light: "#0a5cab", dark: "#6cb2f7", use: .text),
    Colour(name: "fault", light: "#8f4700", dark: "#f0a858", use: .text),
    Colour(name: "wrong", light: "#b3121d", dark: "#ff8087", use: .text),
    Colour(name: "good", light: "#1a6e38", dark: "#63c286", use: .text),
    Colour(name: "l0", light: "#6b3fa0", dark: "#c3a1f2", use: .text),
    Colour(name: "l1", light: "#00696f", dark: "#5cc5cb", use: .text),
    Colour(name: "l2", light: "#a0246f", dark: "#f191c8", use: .text),
    Colour(name: "l3", light: "#4f6209", dark: "#b4ca62", use: .text),
  ]

  /// How many listeners have a colour of their own; more share them.
  static let listenerColours = 4

  /// The declarations of all colours for one kind of paper: `--st-ink:#1c2128;`.
  public static func declarations(isDark: Bool) -> String {
    colours.map { "--st-\($0.name):\(isDark ? $0.dark : $0.light);" }.joined()
  }
}

extension SpaceTime {
  /// The style sheet within each picture. A page can set the variables again, or `data-theme`.
  ///
  /// Every selector begins with the class of the picture, so a page keeps its own look.
  public static let style =
    ".spacetime{\(Theme.declarations(isDark: false))max-width:100%;height:auto}"
    + "@media(prefers-color-scheme:dark){.spacetime{\(Theme.declarations(isDark: true))}}"
    + "[data-theme=light] .spacetime{\(Theme.declarations(isDark: false))}"
    + "[data-theme=dark] .spacetime{\(Theme.declarations(isDark: true))}" + rules

  private static let rules =
    listenerRules + String(decoding: PackageResources.picture_css, as: UTF8.self).trimmed

  /// The colours of listeners.
  private static let listenerRules = (0..<Theme.listenerColours).map { number in
    ".spacetime .l\(number) text,.spacetime .l\(number) circle{fill:var(--st-l\(number))}"
      + ".spacetime .l\(number) .tick{stroke:var(--st-l\(number))}"
  }.joined()
}
