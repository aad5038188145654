internal import ClientInterface
internal import ReferenceClient

extension Mutant {
  /// One that changes what comes of each input.
  init(
    _ name: String, _ sentence: String, from origin: String, place: Place = .client,
    in profiles: [Profile] = Profile.all, does: @escaping @Sendable (Turn) -> [ClientOutput]
  ) {
    self.init(
      name, sentence, from: origin, place: place, in: profiles, remembering: 0,
      does: { turn, _ in does(turn) })
  }

  /// The same for one that remembers something.
  init<Memory: Sendable>(
    _ name: String, _ sentence: String, from origin: String, place: Place = .client,
    in profiles: [Profile] = Profile.all, remembering memory: Memory,
    does: @escaping Spoiled<Memory>.Doing
  ) {
    self.init(
      name, sentence, from: origin, place: place, in: profiles,
      wrapping: { Spoiled($0, memory, does: does) })
  }

  /// One that changes what the client hears.
  init(
    _ name: String, _ sentence: String, from origin: String, place: Place = .client,
    in profiles: [Profile] = Profile.all,
    hears: @escaping @Sendable (ClientInput, Witness) -> [ClientInput]
  ) {
    self.init(
      name, sentence, from: origin, place: place, in: profiles, remembering: 0,
      hears: { input, witness, _ in hears(input, witness) })
  }

  /// The same for one that remembers something, and may change what comes of it as well.
  init<Memory: Sendable>(
    _ name: String, _ sentence: String, from origin: String, place: Place = .client,
    in profiles: [Profile] = Profile.all, remembering memory: Memory,
    hears: @escaping Spoiled<Memory>.Hearing, does: Spoiled<Memory>.Doing? = nil
  ) {
    self.init(
      name, sentence, from: origin, place: place, in: profiles,
      wrapping: { Spoiled($0, memory, hears: hears, does: does) })
  }

  /// A reference client that breaks a rule.
  init(
    _ name: String, _ sentence: String, from origin: String, place: Place = .client,
    in profiles: [Profile] = Profile.all, flaws: Flaws
  ) {
    self.init(
      name, sentence, from: origin, place: place, in: profiles,
      client: { ReferenceClient(profile: $0, flaws: flaws) })
  }

  /// A reference client that takes itself for another kind of client.
  init(
    _ name: String, _ sentence: String, from origin: String, in profiles: [Profile],
    reading change: @escaping @Sendable (inout Profile) -> Void
  ) {
    self.init(
      name, sentence, from: origin, in: profiles,
      client: { profile in
        var other = profile
        change(&other)
        return ReferenceClient(profile: other)
      })
  }
}
