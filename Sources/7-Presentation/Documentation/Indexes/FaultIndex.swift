internal import Faults
internal import Scenario

/// What each fault does.
struct FaultIndex {
  private let entries: [DocumentedScenario]

  init(_ entries: [DocumentedScenario]) {
    self.entries = entries
  }

  var page: DocumentationPage {
    var groups = Groups()
    for entry in entries {
      for action in entry.scenario.actions {
        if let name = action.fault?.kind.topic { groups.add(entry.link, to: name) }
      }
    }
    var blocks: [Block] = [
      .paragraph([.text("What happens when something goes wrong, by the step that makes it so.")])
    ]
    for name in groups.names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      blocks += [.heading(2, [.code(name)], anchor: name), .list(groups.items(of: name))]
    }
    return DocumentationPage(.faults, title: "By fault", blocks)
  }
}
