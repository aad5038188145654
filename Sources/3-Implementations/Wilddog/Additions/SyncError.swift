public import ClientEngine

/// Why a write, a transaction or a listener has failed: what the blocks of the documents get.
public typealias SyncError = ClientEngine.SyncError

/// What an application learns besides what the blocks of its calls are given.
public typealias SyncProblem = ClientEngine.SyncProblem
