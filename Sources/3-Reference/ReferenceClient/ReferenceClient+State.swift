package import ClientInterface
package import Tree

extension ReferenceClient {
  /// What the client holds: for those who explain what it does, never for the client itself.
  package struct State: Sendable {
    package var views: [View] = []
    /// The pending writes in order of issue.
    package var writes: [Write] = []
    package var transactions: [Transaction] = []
    /// Where the client will write by itself if the connection ends now.
    package var onDisconnects: [Path] = []

    /// One query at one location.
    package struct View: Sendable {
      package let path: Path
      package let query: Query
      package let tag: Int?
      /// What the server sent about it.
      package let known: Node
      package let isComplete: Bool
      /// Whether only the window is known.
      package let isNarrow: Bool
      /// What the listeners see, and in which order.
      package let shown: Node
      package let keys: [Key]
      package let isShown: Bool
    }

    /// A write that the server has not answered.
    package struct Write: Sendable {
      package let id: Int
      package let path: Path
      package let sets: [(path: Path, node: Node)]
      package let isVisible: Bool
    }

    package struct Transaction: Sendable {
      package enum Progress: Sendable {
        case waiting
        case sent
        case overtaken
      }

      package let call: CallID
      package let path: Path
      package let function: TransactionFunction
      package let progress: Progress
      /// The write that shows its result.
      package let write: Int
    }

    package init() {}
  }

  /// - Complexity: O(*n*) in the number of views, pending writes and transactions.
  package var state: State {
    var state = State()
    state.views = tree.views.map { view in
      State.View(
        path: view.path, query: view.query, tag: view.tag, known: view.serverCache.node,
        isComplete: view.serverCache.isComplete, isNarrow: view.serverCache.isWindow,
        shown: view.shown.window.node, keys: view.shown.window.keys,
        isShown: view.shown.isWhole)
    }
    state.writes = tree.writes.map {
      State.Write(id: $0.id, path: $0.path, sets: $0.sets, isVisible: $0.isVisible)
    }
    state.transactions = transactions.map {
      State.Transaction(
        call: $0.call, path: $0.path, function: $0.function, progress: $0.progress,
        write: $0.write)
    }
    state.onDisconnects = onDisconnects.paths
    return state
  }
}

extension ReferenceClient {
  /// Keeps what a listener was handed last no longer: for programs that run for long and do not
  /// inspect.
  package mutating func forgetSnapshot(of listener: ListenerID) {
    snapshots.removeValue(forKey: listener)
  }

  /// Takes a transaction out of the queue as if it had never been there, leaves its result pending
  /// for ever, and sends what waited for it.
  ///
  /// No rule asks for that. It lets this client follow a recorded one that has lost a transaction,
  /// so that what the two do afterwards can be compared.
  package mutating func forget(_ call: CallID, into outputs: inout [ClientOutput]) {
    transactions.removeAll { $0.call == call }
    swap(&self.outputs, &outputs)
    sendReadyTransactions()
    swap(&self.outputs, &outputs)
  }
}

extension Transaction {
  fileprivate var progress: ReferenceClient.State.Transaction.Progress {
    switch state {
    case .waiting, .failed: .waiting
    case .sent: .sent
    case .overtaken: .overtaken
    }
  }
}
