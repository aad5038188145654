import Benchmarks
import Testing

@Suite struct FigureTests {
  @Test func `figures have names of their own`() {
    let names = Figure.all.map(\.name)

    #expect(Set(names).count == names.count)
    #expect(names.contains("kernel"))
  }

  @Test(arguments: [
    (Figure.Target.atMost(5), 4.0, "reached: <= 5"), (.atMost(5), 6, "missed: <= 5"),
    (.atLeast(5), 6, "reached: >= 5"), (.atLeast(5), 4, "missed: >= 5"),
  ])
  func `a target is reached or missed`(target: Figure.Target, value: Double, verdict: String) {
    let figure = Figure("name", "remark", target: target, text: { "\(Int($0))" }) { _ in value }

    #expect(figure.verdict(on: figure.measure(1)) == verdict)
    #expect(figure.verdict(on: nil) == "")
  }
}
