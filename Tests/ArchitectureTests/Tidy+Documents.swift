extension Tidy {
  /// The modules that the rows of a README's table are about, in order.
  static func mapRows(in readme: String) -> [String] {
    readme.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").map(String.init)
        .filter { $0.allSatisfy(\.isLetter) }
    }
  }

  /// The rules that the comments of a source cite, such as `EVT-7`.
  static func citedRules(in source: SourceText) -> [String] {
    let families = [
      "ACC", "CON", "ERR", "EVT", "GET", "HSH", "KEY", "LIM", "MUT", "OBS", "OFF", "OND", "PRI",
      "PSH",
      "QRY", "REF", "SNP", "SRV", "TXN", "VAL", "WIR", "WRT",
    ]
    return source.lines.flatMap { line -> [String] in
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix("//") else { return [] }
      return trimmed.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
        .filter { word in families.contains { word.hasPrefix($0 + "-") } }
        .filter { $0.last?.isNumber ?? false }
    }
  }

  /// The public declarations without a doc comment.
  ///
  /// What implements a requirement that is documented elsewhere needs none: `description`, `==` and
  /// the like. Those of the editions of the SDK are looked for in what the compiler makes of them, by
  /// `DeclarationTests`.
  static func undocumented(in source: SourceText) -> [String] {
    if editions.contains(where: source.file.hasPrefix) { return [] }
    return source.code.indices.compactMap { index in
      let code = withoutAttributes(source.code[index].drop { $0 == " " })
      guard code.hasPrefix("public "), !implementsRequirement(code) else { return nil }
      guard !["public import", "public extension"].contains(where: code.hasPrefix) else {
        return nil
      }
      let above = source.lines[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") }
      if above?.drop(while: { $0 == " " }).hasPrefix("///") ?? false { return nil }
      return
        "\(source.file):\(index + 1): \(code) has no doc comment; say what a caller cannot see "
        + "from the name"
    }
  }

  private static let editions = [
    "Sources/3-Implementations/Wilddog/", "Sources/3-Implementations/WilddogSync/",
  ]

  private static func withoutAttributes(_ line: Substring) -> Substring {
    var line = line
    while line.hasPrefix("@"), let space = line.firstIndex(of: " ") {
      line = line[space...].drop { $0 == " " }
    }
    return line
  }

  private static func implementsRequirement(_ code: Substring) -> Bool {
    [
      "public static func ==", "public static func <", "public func hash(into",
      "public func _rawHashValue(",
      "public func encode", "public var description", "public var debugDescription",
      "public var id",
    ].contains { code.hasPrefix($0) }
  }
}
