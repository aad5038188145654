import ClientInterface
import Hosting

extension HostedClient {
  /// What an input causes.
  func outputs(_ input: ClientInput, at milliseconds: Double = 0) -> [ClientOutput] {
    var outputs: [ClientOutput] = []
    handle(input, at: Instant(milliseconds: milliseconds), into: &outputs)
    return outputs
  }
}
