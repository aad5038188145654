package import ClientInterface
package import Tree

/// What became of a call of an application in one turn of its client, by an output.
package struct CallFact {
  /// The event of the output.
  package let sequence: Int
  package let what: What

  package enum What {
    case ended(End)
    /// The function of a transaction ran after the call had ended.
    case ranAfterEnd(CallID, Operation)
    /// A push was answered with a key that does not come after the one before.
    case keyed(CallID, Operation, key: String, after: String)
    case sentWrite(Path, WriteOrder)
    case sentOnDisconnect(Path, OnDisconnectOrder)
  }

  /// The end of a call.
  package struct End {
    package let call: CallID
    package let operation: Operation
    package let completion: Completion
    /// What is known of it if it is a write or a transaction that had no end so far.
    package var requested: RequestedCall?
    /// Whether it had ended before.
    package var isRepeated = false
    /// Whether a plain write that was requested later had ended before.
    package var isOvertaken = false
    /// Whether more calls have succeeded by now than the server has answered.
    package var isEarly = false
    /// Of a transaction: its function and what that was given last.
    package var lastRun: (function: TransactionFunction, input: JSON)?
  }

  /// Where a plain write that goes out stands among those that were requested.
  package enum WriteOrder {
    /// It is the next one, or it is unknown.
    case inOrder
    case before(CallID)
    case twice
    case unasked
  }

  /// Where an on-disconnect request that goes out stands among those that were requested.
  package enum OnDisconnectOrder {
    case inOrder
    case beforeEarlier
    case again
  }
}
