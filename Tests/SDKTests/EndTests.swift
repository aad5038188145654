import ClientEngine
import ClientInterface
import Testing
import Tree

/// The end of an engine: whatever an application waits with then is let go of, and so is the engine.
@Suite struct EndTests {
  /// What an application waits with, by a name. Each block holds what holds the engine.
  private static let waits: [(name: String, begin: @Sendable (Screen) -> Void)] = [
    (
      "a listener",
      { screen in
        _ = screen.location.observe(
          .value, for: .untilRemoved, { _, _ in screen.use() }, cancel: nil)
      }
    ),
    (
      "a read",
      { screen in
        _ = screen.location.observe(.value, for: .once, { _, _ in screen.use() }, cancel: nil)
      }
    ),
    ("a write", { screen in screen.location.write(1) { _ in screen.use() } }),
    (
      "a transaction",
      { screen in
        screen.location.runTransaction(
          {
            screen.use()
            return .success($0)
          }, localEvents: .shown, then: { _, _, _ in })
      }
    ),
    (
      "the end of what is pending",
      { screen in
        screen.location.write(1)
        screen.location.engine.whenWritten { screen.use() }
      }
    ),
  ]

  @Test(arguments: waits.indices)
  func `an engine that has ended holds nothing that an application waits with`(_ index: Int) {
    let (name, begin) = Self.waits[index]
    for isLate in [false, true] {
      weak var engine: Engine?
      weak var screen: Screen?
      do {
        let made = IdlePlatform().makeEngine()
        let shown = Screen(made)
        (engine, screen) = (made, shown)
        if isLate { made.end() }
        begin(shown)
        made.end()
      }
      #expect(screen == nil && engine == nil, "\(name), \(isLate ? "after" : "before") the end")
    }
  }

  @Test func `what ends with a block may call the engine`() {
    let platform = IdlePlatform()
    let engine = platform.makeEngine()
    engine.open()
    var removed = 0
    let root = Location(engine)
    do {
      let screen = Screen(engine) {
        root.removeObservations()
        removed += 1
      }
      root.child("n").runTransaction(
        {
          screen.use()
          return .success($0)
        }, localEvents: .shown, then: { _, _, _ in })
      root.child("m").write(1) { _ in screen.use() }
    }
    for number in platform.writes.values.sorted() { engine.answer(number) }
    engine.end()
    #expect(removed == 1)
  }

  @Test func `a task that waits ends with the engine`() async {
    let engine = IdlePlatform().makeEngine()
    let root = Location(engine)
    root.child("d").write(1) { _ in }
    let tasks = [
      Task.immediate { try await root.child("a").write(1) },
      Task.immediate { _ = try await root.child("b").read() },
      Task.immediate { _ = try await root.child("c").transaction { .success($0) } },
      Task.immediate { try await engine.written() },
    ]
    engine.end()
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
  }
}

/// What an application shows, with what it has of the SDK.
private final class Screen {
  let location: Location
  private let atEnd: () -> Void

  init(_ engine: Engine, atEnd: @escaping () -> Void = {}) {
    location = Location(engine).child("room")
    self.atEnd = atEnd
  }

  func use() {}

  deinit { atEnd() }
}
