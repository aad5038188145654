import Document
import Testing

@testable import Scenario

@Suite struct GlobTests {
  @Test(arguments: [
    ("writes/merge", "writes/merge", true), ("writes/merge", "writes/merge-2", false),
    ("writes/*", "writes/merge", true), ("writes/*", "writes/deep/merge", false),
    ("writes/*", "limits/merge", false), ("*/merge", "writes/merge", true),
    ("**/merge", "a/b/merge", true), ("**", "a/b/c", true), ("*", "a/b", false),
    ("***", "a/b", true), ("w?ites/m*ge", "writes/merge", true), ("a?b", "a/b", false),
    ("a/?", "a/\u{e9}", true), ("a/*b*d", "a/abcbd", true), ("a/*b*d", "a/abcbdx", false),
    ("a/b", "a/b[limit=1]", true), ("a/*", "a/b[limit=1]", true),
    ("a/b[limit=1]", "a/b[limit=1]", true), ("a/b[limit=1]", "a/b[limit=2]", false),
    ("a/b[*]", "a/b[root=/x]", false), ("a/b[**]", "a/b[root=/x]", true), ("", "", true),
    ("", "a", false),
  ])
  func `a pattern matches within parts of a path, and with two stars across them`(
    pattern: String, id: String, matches: Bool
  ) {
    #expect(Glob(pattern).matches(id) == matches)
  }

  @Test func `names match as they do when they are taken for patterns`() {
    let ids = ["", "a", "a/b", "a/bc", "a/b[n=1]", "a/b[n=12]", "a/b[n=1][m=2]", "[", "a/\u{e9}"]
    for name in ids {
      for id in ids { #expect(Glob(name).matches(id) == Glob(name).matchesAsPattern(id)) }
    }
  }

  @Test func `a pattern is what has a star or a question mark`() {
    #expect(["a/*", "a/?", "**"].allSatisfy(Glob.isPattern))
    #expect(!["a/b", "a/b[limit=1]", ""].contains(where: Glob.isPattern))
  }
}

@Suite struct SelectionTests {
  private let scenario: Scenario = {
    var scenario = Scenario(id: "a/b", file: "a/b.yaml", title: "t", clients: ["alice"])
    scenario.tags = ["limits", "smoke"]
    scenario.needs = ["offline"]
    scenario.rules = [.init(id: "LIM-7", position: .init(line: 1, column: 1))]
    return scenario
  }()

  @Test(arguments: [
    (ScenarioSelection(), true), (ScenarioSelection(tags: ["smoke"]), true),
    (ScenarioSelection(tags: ["writes", "limits"]), true),
    (ScenarioSelection(tags: ["writes"]), false),
    (ScenarioSelection(rules: ["LIM-7"]), true), (ScenarioSelection(rules: ["lim"]), true),
    (ScenarioSelection(rules: ["LIM-70", "EVT"]), false),
    (ScenarioSelection(needs: ["offline"]), true),
    (ScenarioSelection(needs: ["auth"]), false),
    (ScenarioSelection(tags: ["smoke"], rules: ["LIM"], needs: ["offline"]), true),
    (ScenarioSelection(tags: ["smoke"], rules: ["EVT"], needs: ["offline"]), false),
  ])
  func `all conditions must hold, of each of them one word`(
    selection: ScenarioSelection, selects: Bool
  ) {
    #expect(selection.selects(scenario) == selects)
    #expect(selection.isEverything == (selection == ScenarioSelection()))
  }
}
