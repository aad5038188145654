/// What snapshots have.
public protocol _DocumentedSnapshot {
  associatedtype Reference

  /// The snapshot of a location below, of the same moment; empty if nothing is there (SNP-5).
  ///
  /// - Parameter childPathString: A relative path of one key or several.
  /// - Returns: The snapshot.
  func childSnapshot(forPath childPathString: String) -> Self

  /// Whether there is anything at a location below (SNP-13).
  ///
  /// - Parameter childPathString: A relative path of one key or several.
  /// - Returns: Whether there is.
  func hasChild(_ childPathString: String) -> Bool

  /// Whether there is any child (SNP-15).
  func hasChildren() -> Bool
  /// Whether there is anything (SNP-12).
  func exists() -> Bool
  /// The data with their priorities (SNP-8).
  func valueInExportFormat() -> Any?
  /// The data: a `String`, a `Double`, a `Bool`, a `[String: Any]`, an array, or `nil` (SNP-11).
  ///
  /// A number is a `Double`, whatever it was written as: `as? Int` finds none, and `int` does. No member of
  /// a dictionary is an optional; an array is an `[Any]`, and an `[Any?]` if it has gaps. `as? [Any?]` fits
  /// both. Of two keys that `String` counts as equal a dictionary has one, and `children` has both.
  var value: Any? { get }
  /// How many children there are (SNP-4).
  var childrenCount: UInt { get }
  /// The reference of the location (SNP-18).
  var ref: Reference { get }
  /// The key of the location; empty for the root, which has none (SNP-17).
  var key: String { get }
  /// The children in the order of the query, or of their priorities (SNP-16).
  var children: AnyIterator<Self> { get }
  /// The priority: a `Double`, a `String`, or `nil` for none (SNP-19).
  var priority: Any? { get }

  /// The data as a whole number; `nil` if they are none.
  var int: Int? { get }

  /// The data as a value of a type.
  ///
  /// - Parameter type: The type. A whole number may be any integer that can hold it.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, with the path of what does not fit.
  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value
}

/// What the data have that the function of a transaction changes.
public protocol _DocumentedMutableData: AnyObject {
  // Documented by each edition, with a link to its snapshots.
  var value: Any? { get set }

  /// The data as a whole number; `nil` if they are none.
  var int: Int? { get }

  /// Whether there are children (MUT-7).
  func hasChildren() -> Bool

  /// Whether there is anything at a location below (MUT-8).
  ///
  /// - Parameter path: A relative path of one key or several.
  /// - Returns: Whether there is.
  func hasChild(atPath path: String) -> Bool

  /// A part of the data; what is changed in it is changed in the whole (MUT-9).
  ///
  /// - Parameter path: A relative path of one key or several.
  /// - Returns: The part.
  func childData(byAppendingPath path: String) -> Self

  /// The priority: a number, a string, or `nil` for none (MUT-6).
  var priority: Any? { get set }
  /// How many children there are (MUT-7).
  var childrenCount: UInt { get }
  /// The children in default order (MUT-10).
  var children: AnyIterator<Self> { get }
  /// The key; `nil` for the data that the function was given (MUT-11).
  var key: String? { get }
}

/// What the function of a transaction returns.
public protocol _DocumentedResult {
  associatedtype MutableData

  /// The data are to be stored at the location (MUT-12).
  ///
  /// - Parameter value: The data that the function was given, or a part of them.
  /// - Returns: The result for the transaction.
  static func success(withValue value: MutableData) -> Self

  /// The transaction is to be ended without a change (MUT-13).
  static func abort() -> Self
}

/// What a database has, which an edition has a name of its own for.
public protocol _DocumentedDatabase {
  /// Signs a user in (ACC-11).
  ///
  /// With `persistenceEnabled` the token is kept in a file that only this user of the system may read,
  /// and the user is still signed in at the next start (OFF-20). Without it nothing of the token is
  /// written, and each start has to sign in.
  ///
  /// - Parameters:
  ///   - token: The credential that the server knows.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  func signIn(withToken token: String, completionBlock block: (@Sendable ((any Error)?) -> Void)?)

  /// Signs the user out (ACC-15). Nothing of the token is left in a file.
  ///
  /// - Parameter block: Called on the callback queue when the server has answered.
  func signOut(completionBlock block: (@Sendable ((any Error)?) -> Void)?)

  /// What went wrong last with what is to be kept over the end of the program: another program has the file,
  /// the disk is full, or the folder cannot be used. `nil` if everything is kept, or nothing is to be.
  var persistenceProblem: String? { get }

  /// Calls a block when all writes and transactions that are pending now have ended, however they did.
  ///
  /// A program that ends loses what is pending then; with `persistenceEnabled` its writes are sent at the next
  /// start, and its transactions are lost all the same (OFF-22). So this comes before its end. Without a
  /// connection the block waits for one, however long that takes.
  ///
  /// - Parameter block: Called on the callback queue.
  func waitForPendingWrites(completionBlock block: @escaping @Sendable () -> Void)

  /// The same for tasks.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, so that a program can limit the time.
  func waitForPendingWrites() async throws
}
