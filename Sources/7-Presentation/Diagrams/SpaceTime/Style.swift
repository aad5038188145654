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
    listenerRules + """
      .spacetime text{font:11px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
      fill:var(--st-ink);stroke:var(--st-paper);stroke-width:3px;paint-order:stroke;\
      stroke-linejoin:round;white-space:pre;direction:ltr;unicode-bidi:isolate-override}
      .spacetime .paper{fill:var(--st-paper)}
      .spacetime .head{font-weight:700;font-size:13px;text-anchor:middle}
      .spacetime .time{fill:var(--st-soft);font-size:10px;text-anchor:end}
      .spacetime .step,.spacetime .note{fill:var(--st-soft);font-size:10px}
      .spacetime .legend text{fill:var(--st-soft);font-size:10px}
      .spacetime .rule{stroke:var(--st-rule)}
      .spacetime .life{stroke:var(--st-line);stroke-dasharray:2 4}
      .spacetime .band{fill:var(--st-band);stroke:var(--st-line);stroke-width:.75}
      .spacetime .shade{fill:var(--st-shade)}
      .spacetime .start{text-anchor:start}.spacetime .middle{text-anchor:middle}
      .spacetime .end{text-anchor:end}
      .spacetime path,.spacetime circle{fill:var(--st-line)}
      .spacetime .way,.spacetime .tick,.spacetime .cross{fill:none;stroke:var(--st-line);\
      stroke-width:1.2}
      .spacetime .tick{stroke-width:2.5}.spacetime .cross{stroke-width:2}
      .spacetime .connect .way{stroke-dasharray:4 3}
      .spacetime .connect text{fill:var(--st-soft)}
      .spacetime .call path,.spacetime .call circle,.spacetime .call text{fill:var(--st-call)}
      .spacetime .done circle,.spacetime .done text{fill:var(--st-good)}
      .spacetime .fault circle,.spacetime .fault text,.spacetime .lost text{fill:var(--st-fault)}
      .spacetime .lost .way,.spacetime .lost .cross{stroke:var(--st-fault)}
      .spacetime .led .way{stroke-width:2.2}.spacetime .led text{font-weight:700}
      .spacetime .wrong .ring{fill:none;stroke:var(--st-wrong);stroke-width:2}
      .spacetime .wrong text,.spacetime .wrong circle:not(.ring),.spacetime .wrong .tip,\
      .spacetime .verdict{fill:var(--st-wrong)}
      .spacetime .wrong .way,.spacetime .wrong .tick{stroke:var(--st-wrong)}
      .spacetime .wrong text,.spacetime .verdict{font-weight:700}
      .spacetime g:hover .way,.spacetime g:hover .tick{stroke-width:3}
      .spacetime g:hover text{text-decoration:underline}
      """

  /// The colours of listeners.
  private static let listenerRules = (0..<Theme.listenerColours).map { number in
    ".spacetime .l\(number) text,.spacetime .l\(number) circle{fill:var(--st-l\(number))}"
      + ".spacetime .l\(number) .tick{stroke:var(--st-l\(number))}"
  }.joined()
}
