package import ClientEngine
package import ClientInterface
import Document
import Glibc
import LiveServer
package import ReferenceServer
package import RunModel
package import Scenario
package import System
package import TraceFiles
package import Tree

/// What a live server is started with.
package struct ServerOptions {
  /// The port; 0 for a free one.
  package var port = 0
  /// The port for control; nil for none, 0 for a free one.
  package var controlPort: Int?
  /// The data that every namespace begins with; with a scenario its data count.
  package var data = Node.empty
  /// The rules of the database, in every namespace; those of a scenario give way to them.
  package var databaseRules: SecurityRules?
  /// A scenario whose data, rules, tokens and latency hold, and whose faults happen.
  package var scenario: Scenario?
  /// The texts that the scenario was read from, for traces.
  package var sources: [TraceFile.Source] = []
  /// The file in which data outlast the server; nil for none.
  package var storeFile: String?
  /// Where the data of every namespace go when the server ends; nil for nowhere.
  package var exportFile: String?
  /// What its clients follow: it has the ranges of their family.
  package var profile = Profile.firebase
  /// A file with what goes wrong, in YAML, or in JSON if its name says so.
  package var faultFile: String?
  /// Where latencies that are drawn begin.
  package var seed: UInt64 = 0
  /// The directory that recordings and traces go to; nil for none.
  package var recordingFolder: String?
  /// Whether other machines can reach it, with a token.
  package var isOnLAN = false
  /// Whether there is a page at `/`.
  package var hasPage = true
  /// What it does wrong on purpose; nil for nothing.
  package var defect: ServerDefect?
  /// The server of others that does what clients ask, while all of it is judged; nil for this one.
  package var upstream: DatabaseAddress?
  /// Receives what is found between that server and its clients.
  package var found: (WireFinding, _ connection: String) -> Void = { _, _ in }
  /// How many TCP connections there may be at once.
  package var maxConnections = 4096
  /// Receives warnings while the server runs, a line each without a newline.
  package var warn: (String) -> Void = { _ in }

  package init() {}
}

extension ServerOptions {
  /// What is wrong with an address to listen at; nil for one of this machine alone.
  package static func objection(to address: String) -> String? {
    if ["127.0.0.1", "::1", "localhost"].contains(address) { return nil }
    let isAll = ["0.0.0.0", "::", "[::]"].contains(address)
    let meaning = isAll ? "every address" : "another address than loopback"
    return "--address \(address) means \(meaning), and anybody who reaches the server may do "
      + "everything; expected 127.0.0.1, ::1 or localhost; to serve other machines, leave it away and "
      + "use --lan, which asks them for a token"
  }

  /// What is wrong with a text that is no address of a database.
  package static func objection(toURL text: String) -> String {
    let scheme = ["http:", "https:", "ws:", "wss:"].first(where: text.hasPrefix)
    let rest = text.dropFirst(scheme?.count ?? 0).drop { $0 == "/" }
    let host = rest.allSatisfy(\.isNumber) ? "127.0.0.1:\(rest)" : String(rest)
    let isNear =
      ["localhost", "[::1]"].contains(where: host.hasPrefix) || host.first?.isNumber == true
    let url = (scheme.map { $0 + "//" } ?? (isNear ? "http://" : "https://")) + host
    guard isNear || host.contains("."), !rest.isEmpty,
      DatabaseAddress.parse(url.replacing("{port}", with: "1")) != nil
    else {
      return
        "\(text) is no address of a database; expected one such as http://127.0.0.1:5000/?ns=test"
    }
    return scheme == nil
      ? "\(text) has no http:// or https:// in front; expected \(url)"
      : "\(text) is no address of a database; did you mean \"\(url)\"?"
  }

  /// How large a file with data may be, in bytes.
  private static let maxDataBytes = 256 << 20
  /// How large a file with rules may be.
  private static let maxRulesBytes = 16 << 20

  /// Reads a JSON file with data.
  ///
  /// - Throws: `Failure.file` when it cannot be read, and `Failure.unusable` for what is no JSON or
  ///   cannot be data.
  package static func readData(_ file: String) throws(Failure) -> Node {
    let text = try Files.text(of: file, atMost: maxDataBytes)
    let json = try json(text, in: file)
    let node = Node(json: json)
    let problem =
      json.problem(longestText: ResourceLimits().text)
      ?? NodeProblem.first(in: node, at: .root)?.description
    if let problem {
      try DataMistakes.refuseKeys(of: text, in: file)
      throw .mistake(SourceError(FileLocation(file: file), problem))
    }
    return node
  }

  /// Reads a file with rules of the database: JSON, with comments.
  ///
  /// - Throws: `Failure.file` when it cannot be read, and `Failure.unusable` with everything that is
  ///   wrong in it.
  package static func readRules(_ file: String) throws(Failure) -> SecurityRules {
    let (rules, problems) = SecurityRules.read(
      Array(try Files.text(of: file, atMost: maxRulesBytes).utf8))
    guard let rules else {
      throw .mistakes(problems.map { SourceError(file: file, $0) })
    }
    return rules
  }

  private static func json(_ text: String, in file: String) throws(Failure) -> JSON {
    do throws(DocumentError) {
      return try JSON(parsing: Array(text.utf8), upTo: maxDataBytes)
    } catch {
      throw .noJSON(SourceError(file: file, error))
    }
  }

  /// How the server itself behaves. Tokens of the scenario expire from now on.
  var settings: LiveServerSettings {
    var settings = LiveServerSettings(seed: Self.freshSeed)
    settings.data = data
    settings.ranges = profile.ranges
    settings.databaseRules = databaseRules
    settings.acceptsUnsignedTokens = true
    settings.recordsBothEnds = true
    settings.defect = defect
    (settings.isRelay, settings.handsOnAtOnce) = (upstream != nil, upstream != nil)
    var generator = SystemRandomNumberGenerator()
    settings.sessionSuffix = "-" + String(generator.next(), radix: 36)
    if let scenario { settings.take(scenario, from: SocketLoop.now) }
    return settings
  }

  /// Another one for each start, so that no client takes a session for one of the last server.
  private static var freshSeed: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(bitPattern: Int64(time.tv_sec) << 30 ^ Int64(time.tv_nsec))
  }
}
