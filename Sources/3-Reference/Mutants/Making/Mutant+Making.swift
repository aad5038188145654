internal import ClientInterface
internal import Interception
internal import ReferenceClient

extension Mutant {
  /// One that changes what comes of each input.
  init(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    component: Component = .client, in profiles: [Profile] = Profile.all,
    does: @escaping @Sendable (InterceptedStep) -> [ClientOutput]
  ) {
    self.init(
      name, sentence, from: origin, violating: rules, component: component, in: profiles,
      remembering: 0,
      does: { step, _ in does(step) })
  }

  /// The same for one that remembers something.
  init<Memory: Sendable>(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    component: Component = .client, in profiles: [Profile] = Profile.all,
    remembering memory: Memory,
    does: @escaping MutantClient<Memory>.OutputRewriter
  ) {
    self.init(
      name, sentence, from: origin, violating: rules, component: component, in: profiles,
      wrapping: { MutantClient($0, memory, does: does) })
  }

  /// One that changes what the client receives.
  init(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    component: Component = .client, in profiles: [Profile] = Profile.all,
    rewritesInput: @escaping @Sendable (ClientInput, ClientModel) -> [ClientInput]
  ) {
    self.init(
      name, sentence, from: origin, violating: rules, component: component, in: profiles,
      remembering: 0,
      rewritesInput: { input, model, _ in rewritesInput(input, model) })
  }

  /// The same for one that remembers something, and may change what comes of it as well.
  init<Memory: Sendable>(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    component: Component = .client, in profiles: [Profile] = Profile.all,
    remembering memory: Memory,
    rewritesInput: @escaping MutantClient<Memory>.InputRewriter,
    does: MutantClient<Memory>.OutputRewriter? = nil
  ) {
    self.init(
      name, sentence, from: origin, violating: rules, component: component, in: profiles,
      wrapping: { MutantClient($0, memory, rewritesInput: rewritesInput, does: does) })
  }

  /// A reference client that decides otherwise in one point.
  init(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    component: Component = .client, in profiles: [Profile] = Profile.all,
    deciding change: @escaping @Sendable (inout ClientPolicy) -> Void
  ) {
    self.init(
      name, sentence, from: origin, violating: rules, component: component, in: profiles,
      client: { ReferenceClient(profile: $0, deciding: change) })
  }

  /// A reference client that takes itself for another kind of client.
  init(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    in profiles: [Profile],
    reading change: @escaping @Sendable (inout Profile) -> Void
  ) {
    self.init(
      name, sentence, from: origin, violating: rules, in: profiles,
      client: { profile in
        var other = profile
        change(&other)
        return ReferenceClient(profile: other)
      })
  }
}
