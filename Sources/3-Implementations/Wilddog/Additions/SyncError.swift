public import ClientEngine

/// Why a write, a transaction or a listener has failed: what the blocks of the documents get.
public typealias SyncError = ClientEngine.SyncError
