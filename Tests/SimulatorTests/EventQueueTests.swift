import ClientInterface
import Testing

@testable import Simulator

@Suite struct EventQueueTests {
  @Test func `things come out by due time and then by cause, however they went in`() {
    var queue = EventQueue()
    var numbers = Xoshiro256(seed: 11)
    var expected: [ScheduledEvent] = []
    for cause in 0..<500 {
      let due = Interval(nanoseconds: Int64(numbers.next(below: 20)))
      expected.append(ScheduledEvent(due: due, cause: cause, client: 0, kind: .timer))
    }
    for scheduled in expected.shuffled(using: &numbers) { queue.insert(scheduled) }

    var taken: [ScheduledEvent] = []
    while let next = queue.removeFirst() { taken.append(next) }

    #expect(taken == expected.sorted { $0.precedes($1) })
    #expect(queue.count == 0)
  }

  @Test func `an empty queue has nothing to give`() {
    var queue = EventQueue()

    #expect(queue.first == nil)
    #expect(queue.removeFirst() == nil)
  }

  @Test func `a link gives back what was put in, in order, whatever its length`() {
    var link = DirectedLink<Int>()
    var taken: [Int] = []
    for number in 0..<300 {
      link.append(number, cause: number)
      if number % 3 != 0 { taken += [link.removeFirst()].compactMap { $0?.message } }
    }
    #expect(link.count == 100)
    #expect(link.last == 299)

    taken += link.removeAll().map(\.message)

    #expect(taken == Array(0..<300))
    #expect(link.last == nil)
  }
}
