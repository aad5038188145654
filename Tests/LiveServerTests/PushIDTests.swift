import ClientInterface
import Testing

@testable import LiveServer

@Suite struct PushIDTests {
  @Test func `of one moment a later name sorts after all earlier ones`() {
    var names = PushIDs()
    var random = RandomNumbers(seed: 1)
    let moment = Instant(milliseconds: 1_480_000_000_000)

    let made = (0..<5000).map { _ in names.next(at: moment, &random) }

    #expect(zip(made, made.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(made.allSatisfy { $0.utf8.count == 20 })
  }
}
