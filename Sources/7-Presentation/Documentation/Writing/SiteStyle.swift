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

  /// The style sheet.
  public static var sheet: String {
    """
    :root{color-scheme:light dark;\(light.variables)}
    @media (prefers-color-scheme:dark){:root{\(dark.variables)}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:64rem;padding:0 1rem 3rem;background:var(--paper);color:var(--ink);
    font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
    h1{line-height:1.25;font-size:1.7rem}h2{margin-top:2.2rem;border-bottom:1px solid var(--rule)}
    h3{margin-top:1.6rem}
    a{color:var(--link)}a:hover{text-decoration-thickness:2px}
    :focus-visible{outline:3px solid var(--link);outline-offset:2px}
    .skip{position:absolute;left:-999rem}
    .skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--link);color:var(--paper)}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;margin:.75rem 0;padding:0}
    nav a{display:inline-block;padding:.4rem 0}
    code,pre,svg{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.9em}
    code{background:var(--box);padding:.1em .25em;border-radius:3px}
    pre{background:var(--box);padding:.8rem;overflow:auto;max-height:32rem;border-radius:4px}
    pre code{padding:0;background:none}
    .wide{margin:1rem 0;overflow:auto;max-height:52rem}
    table{border-collapse:collapse;min-width:100%}
    caption{text-align:left;color:var(--faint);padding:.2rem 0}
    th,td{border:1px solid var(--rule);padding:.3rem .5rem;text-align:left;vertical-align:top}
    th{background:var(--box)}td{min-width:4rem;max-width:36rem}
    summary{cursor:pointer;padding:.3rem 0}li{margin:.2rem 0}
    svg{display:block;font-size:12px;background:var(--paper)}
    svg text{fill:var(--ink)}svg .name{font-weight:bold;font-size:13px}
    svg .halo{paint-order:stroke;stroke:var(--paper);stroke-width:4px}
    svg line,svg rect{stroke:var(--rule)}svg .life{stroke-dasharray:3 3}
    svg .message{stroke:var(--ink)}svg .head{fill:var(--ink)}
    svg .note{fill:var(--box)}svg .step{fill:var(--step)}svg .fault{fill:var(--alarm)}
    svg .may{stroke-dasharray:5 4}
    svg .lost{stroke-dasharray:4 3}svg .cross,svg .lost{stroke:var(--alarm-ink);stroke-width:2}
    @media print{body{max-width:none;color:#000;background:#fff}nav,.skip{display:none}
    :root{\(light.variables)}.wide,pre{overflow:visible;max-height:none}svg{max-width:100%;height:auto}
    h2,h3{break-after:avoid}figure,tr{break-inside:avoid}}

    """
  }
}
