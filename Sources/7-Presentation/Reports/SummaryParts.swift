package import Tree

/// Texts and how often each came up, in the order in which they did first.
package struct TextCounts {
  package private(set) var entries: [(text: String, count: Int)] = []

  package init() {}

  package init(_ texts: some Sequence<String>) {
    for text in texts { add(text) }
  }

  package mutating func add(_ text: String, _ count: Int = 1) {
    if let index = entries.firstIndex(where: { $0.text == text }) {
      entries[index].count += count
    } else {
      entries.append((text, count))
    }
  }
}

/// The totals of a command as one JSON object on a line of its own, with how long it took by the
/// clock on the wall.
package func summaryLine(
  _ members: [JSON.Member], milliseconds: Double?, after rest: [JSON.Member] = []
) -> String {
  let time = JSON.Member("milliseconds", milliseconds.map { .number($0.rounded()) } ?? .null)
  return JSON.object([.init("summary", .object(members + [time] + rest))]).text + "\n"
}

/// `   3.1 s`, always with one digit behind the point; empty where it is not known.
package func elapsed(_ milliseconds: Double?) -> String {
  guard let milliseconds else { return "" }
  let tenths = Int((milliseconds / 100).rounded())
  return "   \(tenths / 10).\(tenths % 10) s"
}
