import ClientInterface
import ReferenceClient
import Tree
import Wire

/// A reference client that something is wrong with.
struct MutantClient: SyncClient {
  var client: ReferenceClient
  let defect: Defect
  var memory = Memory()

  enum Defect: String, CaseIterable {
    /// Overlooks what the server says of locations that are more than three keys deep.
    case nearsighted
    /// Takes names with a hyphen for its own and overlooks them.
    case particularAboutNames
    /// Tells its events only to the first listener of each location.
    case oneListenerAPath
    /// Overlooks what the server says of any location but the one it listened to first.
    case knowsOnePath
    /// Raises the last value of each listener again when the connection is back.
    case repeatsItself
    /// Shares its memory with other clients of the process, and only the last one is served.
    case sharesMemory
  }

  struct Memory {
    var paths: [ListenerID: Path] = [:]
    var first: [Path: ListenerID] = [:]
    var only: Path?
    var values: [ListenerID: Event] = [:]
    var connections = 0
    /// Which client of the process it is, and who counts them.
    var number = 0
    var count: Count?
  }

  /// How many clients the process has.
  final class Count {
    var value = 0
  }

  init(_ profile: Profile, _ defect: Defect, _ count: Count) {
    client = ReferenceClient(profile: profile)
    self.defect = defect
    count.value += 1
    memory.number = count.value
    memory.count = count
  }

  var capabilities: Set<String> { client.capabilities }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    follow(input)
    if case let .frame(.put(path, _, _)) = input, overlooks(path) { return }
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    outputs += caused.filter { !withholds($0) }
    for case let .event(event) in caused where event.type == .value {
      memory.values[event.listener] = event
    }
    guard case .frame(.hello) = input else { return }
    memory.connections += 1
    guard defect == .repeatsItself, memory.connections > 1 else { return }
    outputs += memory.values.keys.sorted().compactMap { memory.values[$0].map { .event($0) } }
  }

  private mutating func follow(_ input: ClientInput) {
    guard case let .call(_, .listen(id, target, _)) = input else { return }
    memory.paths[id] = target.path
    memory.only = memory.only ?? target.path
    if memory.first[target.path] == nil { memory.first[target.path] = id }
  }

  private func overlooks(_ path: Path) -> Bool {
    switch defect {
    case .nearsighted: path.count > 3
    case .particularAboutNames: path.keys.contains { $0.string.contains("-") }
    case .knowsOnePath: memory.only.map { !path.isRelated(to: $0) } ?? false
    case .sharesMemory: memory.number + 1 < memory.count?.value ?? 0
    case .oneListenerAPath, .repeatsItself: false
    }
  }

  private func withholds(_ output: ClientOutput) -> Bool {
    guard defect == .oneListenerAPath, case let .event(event) = output,
      let path = memory.paths[event.listener]
    else { return false }
    return memory.first[path] != event.listener
  }
}
