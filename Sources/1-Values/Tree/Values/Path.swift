/// A location in the tree: the keys from the root down. The empty path is the root.
public struct Path: Hashable, Sendable {
  /// The keys from the root down, the location's own key last; none for the root.
  public var keys: [Key]

  /// Makes a path of keys that are taken as they are, also keys that are empty or contain a slash.
  public init(_ keys: [Key] = []) {
    self.keys = keys
  }

  /// Reads `text`, a slash-separated list of keys.
  ///
  /// Empty components are dropped, so `"/a//b/"` and `"a/b"` name the same location (REF-3). Keys
  /// are not judged; see `problem`.
  public init(_ text: String) {
    // By bytes: a slash and a combining mark after it are one `Character`, and no byte of another
    // character looks like a slash.
    var text = text
    keys = text.withUTF8 { bytes in
      bytes.split(separator: UInt8(ascii: "/")).map { Key(String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// The location of the whole tree, which has no key and no parent (REF-4, REF-5).
  public static let root = Path()

  /// Whether this path has no keys.
  public var isRoot: Bool { keys.isEmpty }
  /// How many keys lead from the root to this location; 0 for the root.
  public var count: Int { keys.count }

  /// The last key, or `nil` at the root (REF-2).
  public var key: Key? { keys.last }

  /// The child at `key` below this location; a slash in the key does not split it.
  public func appending(_ key: Key) -> Path {
    var longer = Self.room(keys.count + 1)
    for index in keys.indices { longer.append(keys[index]) }
    longer.append(key)
    return Path(longer)
  }

  /// The location that `path`, read from here instead of from the root, leads to.
  public func appending(_ path: Path) -> Path {
    if path.isRoot { return self }
    if isRoot { return path }
    var longer = Self.room(keys.count + path.count)
    for index in keys.indices { longer.append(keys[index]) }
    for index in path.keys.indices { longer.append(path.keys[index]) }
    return Path(longer)
  }

  /// For so many keys, which are added one by one: to join or to cut lists asks for the type of what
  /// is in them, which takes longer for the few that there are.
  private static func room(_ count: Int) -> [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    return keys
  }

  /// Whether this location is `ancestor` or lies below it.
  public func starts(with ancestor: Path) -> Bool {
    let (own, others) = (keys, ancestor.keys)
    guard own.count >= others.count else { return false }
    // From the end: locations that are compared often share their first keys.
    var index = others.count
    while index > 0 {
      index -= 1
      if own[index] != others[index] { return false }
    }
    return true
  }

  /// The way from `ancestor` to here, or `nil` when `ancestor` is not at or above this location.
  public func relative(to ancestor: Path) -> Path? {
    guard starts(with: ancestor) else { return nil }
    return ancestor.count == count ? Path() : dropFirst(ancestor.count)
  }

  /// The deepest location at or above both.
  package func commonAncestor(with other: Path) -> Path {
    Path(zip(keys, other.keys).prefix { $0 == $1 }.map(\.0))
  }

  /// Whether one of the two locations is at or above the other.
  public func isRelated(to other: Path) -> Bool { starts(with: other) || other.starts(with: self) }

  /// The location without its first `count` keys.
  public func dropFirst(_ count: Int = 1) -> Path {
    if count == 0 { return self }
    if count >= keys.count { return Path() }
    var rest = Self.room(keys.count - count)
    for index in count..<keys.count { rest.append(keys[index]) }
    return Path(rest)
  }

  /// The location above, or `nil` at the root.
  public var parent: Path? { isRoot ? nil : Path(Array(keys.dropLast())) }

  /// Every location from the root down to this one, both included.
  public var lineage: [Path] { (0...count).map { Path(Array(keys.prefix($0))) } }
}

extension Path {
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint.bits) }

  public func _rawHashValue(seed: Int) -> Int { fingerprint.hashValue(seed: seed) }

  private var fingerprint: Fingerprint {
    var fingerprint = Fingerprint()
    for index in keys.indices { fingerprint.combine(keys[index].fingerprint.bits) }
    return fingerprint
  }
}

extension Path: Comparable {
  /// Key by key; a location comes before what lies below it.
  public static func < (a: Path, b: Path) -> Bool { a.keys.lexicographicallyPrecedes(b.keys) }
}

extension Path: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Splits a literal at its slashes, as `init(_:)` does with any text (REF-3).
  public init(stringLiteral value: String) { self.init(value) }

  /// `/a/b`, and `/` for the root.
  public var description: String { "/" + relativeText }

  /// `a/b`, and nothing for the root: how servers write paths.
  public var relativeText: String {
    var text = keys.first?.string ?? ""
    for index in keys.indices.dropFirst() {
      text += "/"
      text += keys[index].string
    }
    return text
  }
}

extension Path {
  /// The deepest location that the database allows (KEY-6).
  public static let maximumDepth = 32
  /// The longest location, in UTF-8 bytes with its slashes, that the database allows (KEY-6).
  public static let maximumBytes = 768

  /// Why the database would refuse this location, or `nil` when it is fine.
  ///
  /// The local tree `.info` is a location like any other here.
  public var problem: PathProblem? {
    var bytes = max(0, keys.count - 1)
    for index in keys.indices {
      bytes += keys[index].byteCount
      guard let problem = keys[index].problem, index > 0 || keys[index] != .info else { continue }
      return .key(problem)
    }
    if keys.count > Self.maximumDepth { return .tooDeep(keys.count) }
    return bytes > Self.maximumBytes ? .tooLong(bytes: bytes) : nil
  }
}

/// What is wrong with a path.
public enum PathProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case key(KeyProblem)
  case tooDeep(Int)
  case tooLong(bytes: Int)

  public var description: String {
    switch self {
    case let .key(problem): problem.description
    case let .tooDeep(depth):
      "the path has \(depth) keys; a path has at most \(Path.maximumDepth)"
    case let .tooLong(bytes):
      "the path has \(bytes) bytes; a path has at most \(Path.maximumBytes) bytes of UTF-8"
    }
  }
}
