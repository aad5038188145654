import AdapterSessions
import Document
import Runs
import Scenario
import System
import Workspace

/// What can play the clients of a scenario on a page: the client under test, the reference client, what the
/// project names, and what else the command line gives clients to.
///
/// A choice for one scenario is a text with a line for each client, `alice=old`; nothing behind `=` stands
/// for the client under test. An empty text is no choice: then each client is played as in all runs.
struct Players {
  struct Player: Equatable {
    /// What `--client CLIENT=` names; empty for the client under test.
    let subject: String
    /// What `kennel matrix` calls it.
    let name: String
    /// What the page calls it.
    let label: String
    /// Its command, if the project file gives it.
    var command: [String] = []
  }

  /// The client under test first.
  let all: [Player]
  private let settings: RunSettings
  /// The folder of the project file.
  private let folder: String
  /// What may be started though the user was not asked for it on this page: it was started with it.
  private let started: [[String]]
  private var agreed: AgreedCommands

  init(_ settings: RunSettings, of project: ProjectFile?, agreed: AgreedCommands) {
    (self.settings, self.agreed) = (settings, agreed)
    let named = project?.clients ?? NamedClients()
    let command = settings.adapter?.command
    let tested = command?.joined(separator: " ") ?? settings.fleet.rest ?? "reference"
    let own = command.flatMap { named.started(by: $0) }
    var all = [Player(subject: "", name: tested, label: own?.label ?? tested)]
    let others =
      ["reference"].filter { $0 != tested }.map { Player(subject: $0, name: $0, label: $0) }
      + named.all.filter { $0.command != command }.map {
        Player(subject: $0.name, name: $0.name, label: $0.label, command: $0.command)
      }
    let members = settings.fleet.playing().members.map(\.subject)
    all += others
    for subject in members.unique() where !others.contains(where: { $0.subject == subject }) {
      if subject == own?.name || command == nil && subject == tested { continue }
      all.append(Player(subject: subject, name: subject, label: subject))
    }
    self.all = all
    folder = project?.directory ?? "."
    started = all.filter { members.contains($0.subject) }.map(\.command)
  }

  /// What plays a client as long as nothing is chosen.
  func usual(_ client: String) -> String {
    let subject = settings.fleet.playing([client]).members.first?.subject
    return all.first { $0.subject == subject }?.subject ?? ""
  }

  /// The fleet of a choice.
  ///
  /// - Throws: `Failure.unusable` for a line that gives no client to one of the players.
  func fleet(_ choice: String) throws(Failure) -> Fleet {
    if choice.isEmpty { return settings.fleet }
    var fleet = Fleet(settings.fleet.rest)
    for line in choice.split(separator: "\n") {
      guard let member = Fleet.Member(word: String(line)), player(member.subject) != nil else {
        throw .unusable(
          "players has \"\(line)\"; expected a client and what plays it, such as bob=reference")
      }
      if !member.subject.isEmpty { fleet.add(member) }
    }
    return fleet
  }

  /// The one with this subject.
  func player(_ subject: String) -> Player? { all.first { $0.subject == subject } }

  /// The first of the players in a choice, or with these subjects, whose command the user has not agreed to.
  func unasked(_ choice: String, and subjects: [String]) throws(Failure) -> Player? {
    let chosen = choice.isEmpty ? [] : try fleet(choice).members.map(\.subject)
    return (chosen + subjects).lazy.compactMap(player).first { player in
      !player.command.isEmpty && !started.contains(player.command)
        && !agreed.has(player.command, of: folder)
    }
  }

  /// Takes it that the user agrees to a command.
  ///
  /// - Throws: `Failure` when that cannot be written down, and for a player that there is not.
  mutating func agree(to subject: String) throws(Failure) {
    guard let player = player(subject), !player.command.isEmpty else {
      throw .unusable("the project names no client \"\(subject)\"")
    }
    try agreed.add(player.command, of: folder)
  }
}

extension NamedClient {
  /// `old 1.0`.
  fileprivate var label: String { [name, version].compactMap(\.self).joined(separator: " ") }
}
