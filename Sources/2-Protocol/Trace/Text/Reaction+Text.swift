public import ClientInterface

extension Reaction {
  /// The reaction in a few words: `in child_added 2 of feed: set /log 1   as w`.
  var text: String {
    let calls = calls.map { ClientInput.call($0.id, $0.operation).phrase.text }
    return "in \(callback.text(nth: nth)): " + calls.joined(separator: "; ")
  }
}

extension Reaction.Callback {
  /// The callback with its number: `event 2 of feed`, `child_added of feed`, `completion of w`.
  public func text(nth: Int) -> String {
    let number = nth == 1 ? "" : " \(nth)"
    return switch self {
    case let .event(listener, type): "\(type?.rawValue ?? "event")\(number) of \(listener.name)"
    case let .cancel(listener): "cancel\(number) of \(listener.name)"
    case let .completion(call): "completion\(number) of \(call.name)"
    case let .function(call): "function\(number) of \(call.name)"
    }
  }
}
