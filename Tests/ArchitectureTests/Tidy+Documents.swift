extension Tidy {
  /// The modules that the rows of the README's map are about, in order.
  static func mapRows(in readme: String) -> [String] {
    readme.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").map(String.init)
        .filter { $0.allSatisfy(\.isLetter) }
    }
  }

  /// A module over a C library: its name begins with another capital.
  static func isSystemLibrary(_ name: String) -> Bool {
    name.hasPrefix("C") && name.dropFirst().first?.isUppercase ?? false
  }

  /// The rules that the comments of a source cite, such as `EVT-7`.
  static func citedRules(in source: SourceText) -> [String] {
    let families = [
      "ACC", "CON", "ERR", "EVT", "HSH", "KEY", "LIM", "MUT", "OBS", "OFF", "OND", "PRI", "PSH",
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
}
