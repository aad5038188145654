import Conformance
import Scenario
import TestKit
import Testing

@testable import Documentation

/// Where the texts of a picture are.
@Suite struct LabelTests {
  @Test func `no text of a picture covers another or is cut off, in any scenario`() throws {
    var (shown, omitted) = (0, 0)
    for result in try Kit.projectScenarios().map({ Kit.run($0) }) {
      let picture = SpaceTime(of: PicturedRun(result))
      let layout = SpaceTimeLayout(picture.selection.events, picture.participants)
      let labels = SpaceTimeLabels(layout, names: picture.participants.names)
      for (index, box) in labels.boxes.enumerated() {
        let covered = labels.boxes[..<index].firstIndex(where: box.overlaps)
        #expect(covered == nil, "\(result.scenario.id): \(index) covers \(covered ?? 0)")
        #expect(
          box.bounds.left >= 0 && box.bounds.right <= Double(layout.width),
          "\(result.scenario.id): \(index)")
      }
      shown += labels.arrows.count
      omitted += labels.omitted
    }

    #expect(shown > 10_000)
    #expect(omitted * 50 < shown, "\(omitted) of \(shown) messages have no label")
  }

  @Test(arguments: [
    (0.0, 0.0, 1.0, 0.0, true), (0.0, 11.1, 1.0, 0.0, false), (60.0, 0.0, 1.0, 0.0, true),
    (69.0, 0.0, 1.0, 0.0, false), (0.0, 30.0, 0.0, 1.0, true), (0.0, 40.0, 0.0, 1.0, false),
  ])
  func `boxes overlap when they share an area`(
    x: Double, y: Double, dx: Double, dy: Double, expected: Bool
  ) {
    let box = LabelBox(middle: (0, 0), columns: 10, direction: (1, 0))
    let other = LabelBox(middle: (x, y), columns: 10, direction: (dx, dy))

    #expect(box.overlaps(other) == expected)
    #expect(other.overlaps(box) == expected)
  }
}
