internal import ReferenceServer
internal import Wire

extension LiveServer {
  /// Whether messages are recorded at both ends of their way.
  var recordsBothEnds: Bool { settings.recordsBothEnds && isDisturbed }

  mutating func record(_ record: Effect.Record, _ number: Int) {
    if settings.isRecorded { effects.append(.record(record, connection: number)) }
  }

  /// Records a request of REST that was done, if it wrote something.
  mutating func recordWrite(_ request: Request, in namespace: String, _ id: ReferenceServer.ConnectionID) {
    switch request {
    case let .put(path, node, _):
      record(.wrote(path, node, namespace: namespace), id.number)
    case let .merge(path, assignments, _):
      record(.updated(path, assignments, namespace: namespace), id.number)
    default: break
    }
  }
}
