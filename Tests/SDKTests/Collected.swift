import Synchronization

/// What blocks were given, in the order of their calls.
final class Collected<Element: Sendable>: Sendable {
  private let collected = Mutex<[Element]>([])

  var elements: [Element] { collected.withLock { $0 } }

  func append(_ element: Element) { collected.withLock { $0.append(element) } }
}
