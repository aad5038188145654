import Foundation
import TestKit

/// `Specs/sdk.md`, and what the compiler says of the modules that it is about.
struct DeclarationPage {
  struct Row: Equatable {
    var module: String
    var document: String?
    var heading: String
    var symbol: String
    var declaration: String
  }

  let rows: [Row]

  init(_ text: String) {
    var rows: [Row] = []
    var (module, document): (String, String?) = ("", nil)
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("## ") {
        module = Self.spans(of: line).last ?? ""
        document = line.hasPrefix("## 00") ? String(line.dropFirst(3).prefix(3)) : nil
      }
      let cells = Self.spans(of: line)
      guard line.hasPrefix("| `"), !module.isEmpty else { continue }
      if document != nil, cells.count == 4 {
        rows.append(
          Row(
            module: module, document: document, heading: cells[1],
            symbol: cells[2], declaration: cells[3]))
      } else if document == nil, cells.count == 2 {
        rows.append(Row(module: module, heading: "", symbol: cells[0], declaration: cells[1]))
      }
    }
    self.rows = rows
  }

  private static func spans(of line: String) -> [String] {
    line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// How many signatures the documents print: 003 has each in two languages.
  var printedSignatures: Int {
    rows.reduce(0) { $0 + ($1.document == "000" ? 1 : $1.document == "003" ? 2 : 0) }
  }

  /// What is declared in a module and not on the page, or the other way round.
  func complaints(about module: String, declaring symbols: [DeclaredSymbol]) -> [String] {
    let rows = rows.filter { $0.module == module }
    var complaints = rows.compactMap { row -> String? in
      let owner = row.document == nil ? row.symbol : row.symbol + "."
      let found = symbols.contains { symbol in
        symbol.declaration == row.declaration
          && (row.document == nil ? symbol.path == owner : symbol.path.hasPrefix(owner))
      }
      return found ? nil : "\(module) has no \(row.declaration) in \(row.symbol)"
    }
    for symbol in symbols where !symbol.isAddition {
      let isListed = rows.contains {
        $0.declaration == symbol.declaration && symbol.path.hasPrefix($0.symbol)
      }
      if !isListed { complaints.append("Specs/sdk.md does not have \(module).\(symbol.path)") }
    }
    return complaints
  }
}

/// A public declaration of a compiled module.
struct DeclaredSymbol: Equatable {
  var path: String
  var declaration: String
  /// Whether it is among what the documents do not print.
  var isAddition = false
  /// Whether it has a comment, or inherits that of a requirement.
  var isDocumented = true

  /// Asks the compiler for the symbols of a module that was built with these tests.
  static func all(of module: String) throws -> [DeclaredSymbol] {
    let folder = try Folder()
    var compiler = Program(path: "/usr/bin/env")
    compiler.directory = SourceTree.root
    _ = try compiler.run(
      ["swift", "symbolgraph-extract", "-module-name", module, "-I", ProgramCompiler.modules]
        + ["-target", "x86_64-unknown-linux-gnu", "-output-dir", folder.url.path]
        + (try ProgramCompiler.moduleMaps))
    let data = try Data(folder.text("\(module).symbols.json").utf8)
    return try JSONDecoder().decode(Graph.self, from: data).symbols.compactMap(\.declared)
  }

  private struct Graph: Decodable {
    struct Fragment: Decodable { var spelling: String }
    struct Location: Decodable { var uri: String }
    struct Comment: Decodable {}
    struct Identifier: Decodable { var precise: String }
    struct Symbol: Decodable {
      var identifier: Identifier
      var pathComponents: [String]
      var declarationFragments: [Fragment]
      var location: Location?
      var docComment: Comment?

      /// Nothing for what the compiler makes by itself, nor for what only programs in the mode of Swift 5
      /// see. That blocks are sendable, which `LanguageModeTests` check, is left out.
      var declared: DeclaredSymbol? {
        guard let location, !identifier.precise.contains("::SYNTHESIZED::") else { return nil }
        let text = declarationFragments.map(\.spelling).joined()
        return DeclaredSymbol(
          path: pathComponents.joined(separator: "."),
          declaration: text.replacing("@discardableResult ", with: "")
            .replacing("@Sendable ", with: ""),
          isAddition: location.uri.contains("/Additions/"), isDocumented: docComment != nil)
      }
    }
    var symbols: [Symbol]
  }
}
