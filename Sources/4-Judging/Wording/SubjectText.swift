internal import ClientInterface
package import Conformance
internal import Trace

extension Subject {
  /// `alice.feed = /scores orderByChild("points") limitToLast(2)`, `alice.w = set /room/b`.
  package var text: String {
    switch self {
    case let .listener(_, _, target): "\(label) = \(target.text)"
    case let .call(_, _, .inspect(inspection)): "\(label) = \(inspection)"
    case let .call(_, _, operation):
      "\(label) = \(operation.name)" + (operation.path.map { " \($0)" } ?? "")
    case .client, .server: label
    }
  }
}
