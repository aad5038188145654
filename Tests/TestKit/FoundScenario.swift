/// A file of a hunt whose failure only a shadow notices.
public enum FoundScenario {
  public static let client = "reversed-additions"
  /// More than the numbers of JavaScript can keep.
  public static let seed = "9022134767404828019"

  public static let text = """
    kennel: 1
    title: A find
    judge: invariants
    profiles: [firebase]
    found:
      signature: shadow
      seed: 94
      run: '\(seed)'
      options: [--profile, firebase, --seed, '\(seed)', --client, \(client), --shadow]
    clients: [alice, bob]
    data: {room: {a: 1, b: 2, c: 3}}
    steps:
      - alice.listen: {path: room, query: {limitToFirst: 2}}
      - settle

    """
}
