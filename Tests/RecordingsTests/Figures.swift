import Recordings
import TestKit
import Testing
import Tree

/// What a replay must come to, exactly.
struct Figures: Equatable, Sendable, CustomTestStringConvertible {
  let name: String
  let groups: Int
  /// How many groups each accident explains.
  let accidents: [String: Int]

  var testDescription: String { name }

  init(_ name: String, _ groups: Int, _ accidents: [String: Int] = [:]) {
    self.name = name
    self.groups = groups
    self.accidents = accidents
  }

  init(_ name: String, _ replay: Replay) {
    let ids = replay.explained.flatMap(\.accidents).map { ($0.id, 1) }
    self.init(name, replay.groupsWithOutput, Dictionary(ids, uniquingKeysWith: +))
  }

  static let all = [
    Figures("firebase-js-12.18/listens-0001-A", 23),
    Figures("firebase-js-12.18/listens-0008-A", 30, ["ACC-110": 1]),
    Figures("firebase-js-12.18/listens-0010-A", 38, ["ACC-110": 1]),
    Figures("firebase-js-12.18/mixed-0003-B", 33, ["ACC-102": 6]),
    Figures("firebase-js-12.18/mixed-0004-A", 47, ["ACC-110": 1]),
    Figures("firebase-js-12.18/presence-0001-A", 27),
    Figures("firebase-js-12.18/presence-0003-B", 29),
    Figures("firebase-js-12.18/presence-0011-A", 10),
    Figures("firebase-js-12.18/queries-0002-A", 38, ["ACC-103": 2]),
    Figures("firebase-js-12.18/queries-0010-A", 38, ["ACC-106": 1]),
    Figures("firebase-js-12.18/transactions-0001-A", 56, ["ACC-101": 2]),
    Figures("firebase-js-12.18/transactions-0003-B", 39),
    Figures("firebase-js-12.18/transactions-0004-A", 73, ["ACC-101": 1, "ACC-102": 7]),
    Figures("made/nearest-place-decides", 57, ["ACC-107": 2]),
    Figures("made/only-what-is-reached", 74, ["ACC-114": 2]),
    Figures("made/queues-out-of-order", 64, ["ACC-113": 1]),
    Figures("made/removed-watch", 57, ["ACC-111": 5]),
    Figures("made/watch-raises-first", 59, ["ACC-108": 1]),
    Figures("made/window-against-cover", 35, ["ACC-115": 2]),
    Figures("wilddog-js-2.0.0/listens-0001-A", 15),
    Figures("wilddog-js-2.0.0/listens-0008-B", 35, ["ACC-109": 1]),
    Figures("wilddog-js-2.0.0/listens-0009-A", 37),
    Figures("wilddog-js-2.0.0/mixed-0003-B", 33, ["ACC-102": 6]),
    Figures("wilddog-js-2.0.0/mixed-0009-A", 42, ["ACC-105": 4]),
    Figures("wilddog-js-2.0.0/mixed-0012-A", 37, ["ACC-109": 1]),
    Figures("wilddog-js-2.0.0/presence-0001-A", 42),
    Figures("wilddog-js-2.0.0/presence-0002-B", 20),
    Figures("wilddog-js-2.0.0/queries-0001-A", 38),
    Figures("wilddog-js-2.0.0/queries-0010-A", 38, ["ACC-106": 1]),
    Figures("wilddog-js-2.0.0/transactions-0004-A", 47, ["ACC-101": 1, "ACC-102": 6]),
    Figures("wilddog-js-2.0.0/transactions-0007-A", 37, ["ACC-112": 4]),
    Figures("wilddog-js-2.0.0/transactions-0012-A", 48, ["ACC-104": 2, "ACC-105": 3]),
    Figures("windows/firebase-js-12.18-1087-B", 46, ["ACC-115": 2]),
    Figures("windows/firebase-js-12.18-1143-B", 46, ["ACC-116": 2]),
    Figures("windows/firebase-js-12.18-31063-A", 27, ["ACC-102": 3]),
    Figures("windows/firebase-js-12.18-31281-B", 21),
    Figures("windows/firebase-js-9.0-0042-A", 27),
    Figures("windows/firebase-js-9.0-0051-A", 36),
    Figures("windows/firebase-js-9.0-0105-A", 26),
    Figures("windows/firebase-js-9.0-0135-A", 31),
    Figures("windows/firebase-js-9.0-0232-A", 30),
    Figures("windows/wilddog-js-2.0.0-0042-A", 27),
    Figures("windows/wilddog-js-2.0.0-0105-A", 26),
    Figures("windows/wilddog-js-2.0.0-0135-A", 31),
    Figures("windows/wilddog-js-2.0.0-0232-A", 30),
    Figures("windows/wilddog-js-2.0.0-1087-B", 47, ["ACC-115": 2]),
    Figures("windows/wilddog-js-2.0.0-1143-B", 46, ["ACC-116": 2]),
    Figures("windows/wilddog-js-2.0.0-31063-A", 27, ["ACC-102": 3]),
    Figures("windows/wilddog-js-2.0.0-31281-B", 21),
  ]
}

extension Recording {
  /// A recording of the folder. Those with figures are read once for all tests.
  init(named name: String) throws {
    self = try Self.all[name]?.get() ?? Self(reading: name)
  }

  private static let all = Dictionary(
    uniqueKeysWithValues: Figures.all.map { figures in
      (figures.name, Result { try Recording(reading: figures.name) })
    })

  private init(reading name: String) throws {
    try self.init(
      SourceTree.text(of: "Tests/RecordingsTests/Recordings/\(name).jsonl"), file: name)
  }
}

extension Recording.Group {
  /// Which of the outputs an application receives.
  var received: [Int] {
    outputs.indices.filter { index in
      ["event", "cancelled", "completed", "updateRan"].contains {
        outputs[index].members?.first?.name == $0
      }
    }
  }
}
