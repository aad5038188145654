internal import Document

/// What plays the clients of a run: one implementation for all of them, or several.
public struct Fleet: Hashable, Sendable {
  /// A client of scenarios that something else plays than the rest.
  public struct Member: Hashable, Sendable {
    /// The name that scenarios give it.
    public var client: String
    /// The name of a client of the kit, or the command of an adapter with blanks between words.
    public var subject: String

    /// Gives a client to a subject.
    public init(client: String, subject: String) {
      (self.client, self.subject) = (client, subject)
    }
  }

  /// The name of the client of the kit that plays every client which no member is; nil for the reference
  /// client, or the program of the command line where there is one.
  public var rest: String?
  /// In the order in which they were named, each client once.
  public private(set) var members: [Member] = []
  /// What plays clients in those scenarios that have them, unless a member does.
  public var roles: [Member] = []

  /// One client of the kit that plays all.
  public init(_ rest: String? = nil) { self.rest = rest }

  /// Has a client played by something else; the last one named counts.
  public mutating func add(_ member: Member) {
    members.removeAll { $0.client == member.client }
    members.append(member)
  }

  /// What plays these clients, or all there can be: roles that are played are members.
  public func playing(_ clients: [String]? = nil) -> Fleet {
    var fleet = Fleet(rest)
    for member in roles + members where clients?.contains(member.client) ?? true {
      fleet.add(member)
    }
    return fleet
  }
}

extension Fleet {
  /// The values of `--client` that name it: `alice=reference`, and a name alone for the rest.
  public var words: [String] {
    get { (rest.map { [$0] } ?? []) + members.map { "\($0.client)=\($0.subject)" } }
    set {
      (rest, members) = (nil, [])
      for word in newValue { take(word) }
    }
  }

  private mutating func take(_ word: String) {
    if let member = Member(word: word) { add(member) } else { rest = word }
  }

  /// What plays the clients, in words; `rest` for those that nothing else plays.
  public func description(rest: String) -> String {
    let members = playing().members
    guard !members.isEmpty else { return rest }
    return (members.map { "\($0.client): \($0.subject)" } + ["others: \(rest)"])
      .joined(separator: ", ")
  }
}

extension Fleet.Member {
  /// How a command line names it, for a shell.
  public var option: String { "--client " + shellWord("\(client)=\(subject)") }

  /// Reads `alice=reference`; nil for a word that names what plays the rest.
  public init?(word: String) {
    guard let equals = word.firstIndex(of: "=") else { return nil }
    client = String(word[..<equals])
    subject = String(word[word.index(after: equals)...])
  }
}
