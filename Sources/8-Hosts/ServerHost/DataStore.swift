import ClientMachine
import Document
import Glibc
import LiveServer
import ReferenceServer
import System
import Tree

/// The data of all namespaces in a file of SQLite: what was acknowledged is there when the next server
/// starts, however this one has ended.
///
/// For each namespace the file has the data of some moment, and the writes since then. A write is in the
/// file before it is done and answered; one that the file does not take is not done.
///
/// Unchecked: the server asks it in its thread alone.
final class DataStore: @unchecked Sendable {
  /// How much the writes of a namespace may come to, in bytes and in number, before its data are
  /// written anew. Of large data they may come to as much as these.
  private static let longestLog = (bytes: 4 << 20, writes: 10_000)

  private let file: DatabaseFile
  private let warn: (String) -> Void
  private var namespaces: [String: Kept] = [:]
  /// The number of the last write.
  private var last = 0
  /// Whether the last write was not taken: that is said once.
  private var isRefusing = false

  private struct Kept {
    var tree: Node
    /// How long the text of its data was when it was written.
    var dataBytes: Int
    /// The keys of the writes since then, and how long they are.
    var log: [String] = []
    var logBytes = 0

    func hasRoom(for text: String) -> Bool {
      logBytes + text.utf8.count <= max(longestLog.bytes, dataBytes)
        && log.count < longestLog.writes
    }
  }

  /// Opens the file, and makes it if there is none.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - pages: How many pages it may have; as many as fit on the disk if `nil`.
  ///   - warn: Is told when writes begin to be refused, and when they are kept again.
  /// - Throws: `Failure.unusable` for a file that another program uses, or that has anything else in it.
  init(_ path: String, pages: Int? = nil, warn: @escaping (String) -> Void) throws(Failure) {
    self.warn = warn
    // To open a database takes its file from other users; what is none stays as it is.
    if let other = Self.otherKind(path) { throw .unusable("--store: \(other)") }
    do throws(DatabaseFile.Problem) {
      file = try DatabaseFile(path, pages: pages, safety: .fromPowerCuts)
      for item in try file.items() {
        guard take(item.key, item.text) else {
          throw .corrupt(path: path, reason: "\(printable(item.key)) is not what a server writes")
        }
      }
    } catch {
      throw .unusable("--store: \(error)")
    }
  }

  /// What a file is that cannot be a store; nil for a database, and for what is no regular file.
  private static func otherKind(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = fopen(path, "re")
    else { return nil }
    var start = [UInt8](repeating: 0, count: 15)
    defer { fclose(file) }
    guard fread(&start, 1, start.count, file) > 0, start != Array("SQLite format 3".utf8) else {
      return nil
    }
    let text = try? Files.regularText(of: path)
    let isJSON = text.map { (try? JSON(parsing: Array($0.utf8), upTo: .max)) != nil } ?? false
    return "\(path) is no database\(isJSON ? " but a JSON file" : ""); expected a store that"
      + " 'kennel serve --store' has made, or the name of a new one"
      + (isJSON ? "; 'kennel serve --data' reads JSON" : "")
  }

  /// What the live server asks.
  var storage: LiveServerSettings.Storage {
    .init(
      data: { [self] name in namespaces[name]?.tree },
      keep: { [self] write, tree, name in
        let problem = keep(write, tree, name)
        if isRefusing != (problem != nil) {
          warn(
            problem.map { "writes are refused, they cannot be kept: \($0)" }
              ?? "writes are kept again")
        }
        isRefusing = problem != nil
        return problem == nil
      })
  }
}

// Keys are in the order in which they are to be read: data, then writes by their numbers.

extension DataStore {
  private static let (dataKey, writeKey) = ("data ", "write ")

  /// Takes what the file has; false for what no server writes.
  private func take(_ key: String, _ text: String) -> Bool {
    guard let json = try? JSON(parsing: Array(text.utf8), upTo: .max) else { return false }
    if key.hasPrefix(Self.dataKey) {
      let name = String(key.dropFirst(Self.dataKey.count))
      namespaces[name] = Kept(tree: Node(json: json), dataBytes: text.utf8.count)
      return true
    }
    let words = key.split(separator: " ", maxSplits: 2)
    guard key.hasPrefix(Self.writeKey), words.count == 3, let number = Int(words[1]),
      let write = ReferenceServer.Write(kept: json), var kept = namespaces[String(words[2])]
    else { return false }
    kept.tree = write.applied(to: kept.tree)
    kept.log.append(key)
    kept.logBytes += text.utf8.count
    namespaces[String(words[2])] = kept
    last = max(last, number)
    return true
  }

  /// Makes a write durable, which leads to `tree`.
  ///
  /// - Returns: Why it cannot be; then nothing has changed.
  private func keep(_ write: ReferenceServer.Write, _ tree: Node, _ name: String) -> String? {
    do throws(DatabaseFile.Problem) {
      let kept = try stored(write, tree, name)
      try file.commit()
      namespaces[name] = kept
      last += 1
      return nil
    } catch {
      file.rollBack()
      return "\(error)"
    }
  }

  private func stored(
    _ write: ReferenceServer.Write, _ tree: Node, _ name: String
  ) throws(DatabaseFile.Problem) -> Kept {
    let text = write.keptJSON.text
    if var kept = namespaces[name], kept.hasRoom(for: text) {
      let number = padded(String(last + 1), to: 18, .right, with: "0")
      let key = Self.writeKey + number + " " + name
      try file.store(text, as: key)
      kept.tree = tree
      kept.log.append(key)
      kept.logBytes += text.utf8.count
      return kept
    }
    let data = tree.json.text
    try file.store(data, as: Self.dataKey + name)
    for key in namespaces[name]?.log ?? [] { try file.erase(key) }
    return Kept(tree: tree, dataBytes: data.utf8.count)
  }
}
