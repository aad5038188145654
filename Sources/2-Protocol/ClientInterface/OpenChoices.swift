/// Clients that are all right: each decides in its own way what the rules leave open.
public struct OpenChoices {
  /// In how many ways each open point can be decided. The first way is that of the reference client.
  public let points: [Int]
  private let client: (_ ways: [Int]) -> any SyncClient

  /// One client, unless there are open points. `client` makes the one that decides each point in one of
  /// its ways, counted from 0.
  public init(points: [Int] = [], client: @escaping (_ ways: [Int]) -> any SyncClient) {
    (self.points, self.client) = (points, client)
  }

  /// The ways of the reference client.
  public var first: [Int] { points.map { _ in 0 } }

  /// The ways that differ from these in one point.
  public func neighbours(of ways: [Int]) -> [[Int]] {
    points.indices.flatMap { point in
      (0..<points[point]).filter { $0 != ways[point] }.map { way in
        var other = ways
        other[point] = way
        return other
      }
    }
  }

  /// The client that decides in these ways.
  public func makeClient(deciding ways: [Int]) -> any SyncClient { client(ways) }
}
