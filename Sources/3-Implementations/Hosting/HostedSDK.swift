public import ClientInterface

/// The glue between the kit and an SDK that is written with callbacks: what an implementer writes.
///
/// An object of it is one process of the client: it makes the SDK with an ``Environment`` instead
/// of sockets, timers and a clock, translates each operation into a call of the SDK, and reports to
/// the environment what the SDK reports to the application.
///
/// ```swift
/// final class Glue: HostedSDK {
///   private let database: Database
///   private let environment: Environment
///
///   init(_ environment: Environment) {
///     self.environment = environment
///     database = Database(transport: Transport(environment), clock: { environment.now })
///   }
///
///   func perform(_ operation: Operation, as call: CallID) {
///     switch operation {
///     case let .set(path, node):
///       database.set(path.text, node.json) { error in
///         self.environment.complete(call, Completion(error: error.map { ErrorCode($0) }))
///       }
///     …
/// ```
public protocol HostedSDK: AnyObject {
  /// Calls the SDK as an application would. What it calls back is reported to the environment, now or
  /// later, with the same `call`. What it throws counts as an uncaught exception.
  func perform(_ operation: Operation, as call: CallID) throws
}

/// The glue between the kit and an SDK that is written with `async`.
///
/// Each operation is a task of its own on the environment's executor. Tasks that are ready run one
/// at a time, in an order that the seed of the run decides.
public protocol AsyncHostedSDK: AnyObject, Sendable {
  /// Calls the SDK as an application would, and waits as long as an application would. What it throws
  /// counts as an uncaught exception.
  func perform(_ operation: Operation, as call: CallID) async throws
}
