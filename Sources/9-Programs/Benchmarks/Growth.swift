import ClientInterface
import Conformance
import Document
import Glibc
import Hunting
import ReferenceClient
import Scenario
import Tree

/// How the time of one run grows with the number of things of one kind in it.
package struct Growth: Sendable {
  /// What is counted: `listeners at different paths`.
  package let name: String
  /// The numbers that are measured, each several times the one before.
  package let sizes: [Int]
  /// The seconds of one core that a run of a size takes.
  private let time: @Sendable (Int) -> Double

  /// The largest exponent of a run that takes as long as what is in it, plus a logarithm.
  package static let largestExponent = 1.15

  init(_ name: String, _ sizes: [Int], time: @escaping @Sendable (Int) -> Double) {
    self.name = name
    self.sizes = sizes
    self.time = time
  }

  /// The same for a scenario, with all invariants.
  init(_ name: String, _ sizes: [Int], scenario: @escaping @Sendable (Int) -> Scenario) {
    self.init(name, sizes) { size in
      let scenario = scenario(size)
      return Self.seconds {
        let result = ScenarioRunner { ReferenceClient(profile: $1) }.run(scenario, in: .firebase)
        precondition(result.verdict == .pass, "\(scenario.title): \(result.verdict)")
      }
    }
  }

  /// Runs each size so often, and takes the least time.
  ///
  /// - Returns: Seconds of one core, by size.
  package func measure(rounds: Int) -> [Double] {
    sizes.map { size in (0..<rounds).map { _ in time(size) }.min() ?? 0 }
  }

  /// The seconds of all cores that `body` takes in this process.
  static func seconds(_ body: () -> Void) -> Double {
    let start = clock()
    body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }

  /// The exponent of the growth between the last two sizes: 1 for a run that is linear, 2 for one
  /// that is quadratic.
  package func exponent(of seconds: [Double]) -> Double {
    guard seconds.count > 1, seconds.count == sizes.count else { return 0 }
    let last = sizes.count - 1
    return log(seconds[last] / seconds[last - 1])
      / log(Double(sizes[last]) / Double(sizes[last - 1]))
  }
}

extension Growth {
  /// Whether a run takes no longer than what is in it, plus a logarithm.
  package func isLinear(_ seconds: [Double]) -> Bool {
    exponent(of: seconds) <= Self.largestExponent
  }

  /// The seconds of each size, and how they grow, for people.
  package func line(of seconds: [Double]) -> String {
    func rounded(_ value: Double) -> String { canonicalText(of: (value * 100).rounded() / 100) }
    let times = zip(sizes, seconds).map { padded("\($0): \(rounded($1)) s", to: 17) }
    return "\(padded(name, to: 27)) \(times.joined()) exponent \(rounded(exponent(of: seconds)))"
      + "\(isLinear(seconds) ? "" : "   missed: <= \(Self.largestExponent)")\n"
  }
}

extension Growth {
  /// All kinds, in the order in which they are measured.
  package static let all = [
    Growth("listeners, different paths", [1000, 4000, 16_000]) { count in
      scenario(clients: ["alice"], count) { step in
        [listen("alice", "l\(step)", at: Path("room").appending(Key("k\(step)")))]
      }
    },
    Growth("listeners, one path", [1000, 4000, 16_000]) { count in
      scenario(clients: ["alice"], count) { [listen("alice", "l\($0)", at: "room")] }
    },
    Growth("steps", [4000, 16_000, 64_000]) { count in
      scenario(clients: ["alice", "bob"], count) { step in
        if step == 0 { return [listen("bob", "l", at: "room")] }
        if step.isMultiple(of: 4) { return [.wait(.milliseconds(50))] }
        return [write("alice", step, at: Path("room").appending(Key("k\(step % 50)")))]
      }
    },
    Growth("clients", [600, 2500, 10_000]) { count in
      scenario(clients: (0..<count).map { "c\($0)" }, count) { number in
        let path = Path("room").appending(Key("k\(number)"))
        return [listen("c\(number)", "l", at: path), write("c\(number)", 1, at: path)]
      }
    },
    Growth("children", [4000, 16_000, 64_000]) { count in
      scenario(clients: ["alice"], 2) { step in
        let children = (0..<count).map { (Key("k\($0)"), Node(.number(Double(step)))) }
        if step == 0 { return [listen("alice", "l", at: "room")] }
        return [call("alice", "#1", .set("room", Node(Children(children))))]
      }
    },
    Growth("pending writes, client", [500, 2000, 8000]) { count in
      seconds { Backlog.run(count, over: .known) }
    },
    Growth("pending writes, SDK", [500, 2000, 8000]) { count in
      seconds { Figure.backlog(count) }
    },
    Growth("pending writes, judged", [1000, 4000, 16_000]) { count in
      scenario(clients: ["alice"], count) { step in
        if step == 0 {
          return [
            listen("alice", "value", at: "room", [.value]),
            listen("alice", "added", at: "room", [.childAdded]), .settle,
          ]
        }
        let child = Path("room").appending(Key("k\(step)"))
        // One of them removes something.
        if step == 1 { return [call("alice", "#1", .set(child, .empty))] }
        return [write("alice", step, at: child)]
      }
    },
    Growth("windows", [1000, 4000, 16_000]) { count in
      scenario(clients: ["alice", "bob"], count) { step in
        let list = Path("room").appending(Key("k\(step)"))
        return [
          window("alice", "l\(step)", at: list),
          write("bob", step, at: list.appending(Key("a"))),
        ] + (step.isMultiple(of: 4) ? [.wait(.milliseconds(50))] : [])
      }
    },
    Growth("children under a window", [4000, 16_000, 64_000]) { count in
      scenario(clients: ["alice"], 12) { step in
        if step == 0 { return [window("alice", "l", at: "room")] }
        let place = Path("room").appending(Key("k\(step)"))
        if step > 1 { return [write("alice", count + step, at: place)] }
        let children = (0..<count).map { (Key("k\($0)"), Node(.number(Double($0)))) }
        return [call("alice", "#1", .set("room", Node(Children(children)))), .settle]
      }
    },
    Growth("on-disconnects", [1000, 4000, 16_000]) { count in
      scenario(clients: ["alice"], count) { step in
        let request = call("alice", "#\(step)", onDisconnect(step))
        return step < count - 1 ? [request] : [request, .settle, call("alice", "#off", goOffline)]
      }
    },
    Growth("recipes of a corpus", [250, 1000, 4000]) { count in
      let settings = HuntSettings(size: 10)
      let recipes = (0..<UInt64(count)).map {
        Recipe(seed: $0, profile: settings.profile(of: $0), size: settings.size)
      }
      let corpus = Corpus(recipes, settings)
      return seconds { precondition(!corpus.minimised().recipes.isEmpty) }
    },
  ]

  private static func scenario(
    clients: [String], _ count: Int, actions: (Int) -> [Action]
  ) -> Scenario {
    var scenario = Scenario(
      id: "growth", file: "growth.yaml", title: "Growth to \(count)", clients: clients)
    scenario.judging = .invariants
    scenario.profiles = [.firebase]
    scenario.steps = ((0..<count).flatMap(actions) + [.settle]).map {
      Step(file: scenario.file, position: Position(line: 1, column: 1), text: "", action: $0)
    }
    return scenario
  }

  private static func listen(
    _ client: String, _ name: String, at path: Path,
    _ events: Set<EventType> = Set(EventType.allCases)
  ) -> Action {
    .call(
      .init(
        client: client, id: CallID(name), isNamed: true,
        operation: .listen(ListenerID(name), .init(path), events)))
  }

  private static func window(_ client: String, _ name: String, at path: Path) -> Action {
    let query = Query(ordering: .value, limit: .last(10))
    return .call(
      .init(
        client: client, id: CallID(name), isNamed: true,
        operation: .listen(ListenerID(name), .init(path, query), Set(EventType.allCases))))
  }

  private static func write(_ client: String, _ number: Int, at path: Path) -> Action {
    call(client, "#\(number)", .set(path, Node(.number(Double(number)))))
  }

  /// What the server is to write when the connection ends.
  private static func onDisconnect(_ number: Int) -> Operation {
    operation(.init(at: number)) { $0.family == .onDisconnect && $0.parameters.contains(.value) }
  }

  private static var goOffline: Operation {
    operation(.init()) { Operation($0, .init())?.isOnline == false }
  }

  /// The first kind of operation that is wanted, with these arguments.
  private static func operation(
    _ arguments: Operation.Arguments, _ isWanted: (Operation.Kind) -> Bool
  ) -> Operation {
    guard
      let operation = Operation.Kind.allCases.first(where: isWanted)
        .flatMap({ Operation($0, arguments) })
    else { preconditionFailure("no operation is as it is wanted") }
    return operation
  }

  private static func call(_ client: String, _ id: String, _ operation: Operation) -> Action {
    .call(.init(client: client, id: CallID(id), isNamed: false, operation: operation))
  }
}

extension Operation.Arguments {
  /// A child of the room, and its number as a value.
  fileprivate init(at number: Int) {
    self.init()
    path = Path("room").appending(Key("k\(number)"))
    value = Node(.number(Double(number)))
  }
}
