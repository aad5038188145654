public import ClientInterface
public import Tree

// What the glue reports to the kit as reported to the application.

extension Environment {
  /// A listener was called.
  public func raise(_ event: Event) { emit(.event(event)) }

  /// A listener was cancelled, because the server refused or revoked it (ACC-1).
  public func cancel(_ listener: ListenerID, _ error: ErrorCode) {
    emit(.cancelled(listener, error))
  }

  /// A call ended (WRT-10).
  public func complete(_ call: CallID, _ completion: Completion = .ok) {
    emit(.completed(call, completion))
  }

  /// A call has returned something at once: of a push the new key.
  public func answer(_ call: CallID, _ value: JSON) { emit(.answered(call, value)) }

  /// A call was refused at once, because of its arguments (ERR-1).
  public func refuse(_ call: CallID, _ error: ErrorCode) { emit(.threw(call, error)) }

  /// A transaction's function was called with this value (TXN-1).
  public func ranUpdate(_ call: CallID, input: JSON) { emit(.updateRan(call, input: input)) }

  /// The SDK threw an exception that neither it nor the glue has caught (ERR-14).
  public func fail(uncaught error: any Error) {
    emit(.uncaught(UncaughtException("\(error)", type: "\(type(of: error))")))
  }

  /// Something for the developer. Not compared.
  public func log(_ text: String) { emit(.log(text)) }
}
