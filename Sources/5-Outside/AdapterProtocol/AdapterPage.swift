internal import ClientInterface
internal import Document

/// A code with which calls and listeners end, as adapters report it.
struct AdapterError: Sendable {
  /// The lines that have it.
  let place: String
  /// The code, in Markdown.
  let code: String
  /// What was wrong, in Markdown.
  let meaning: String

  init(_ place: String, _ code: String, _ meaning: String) {
    (self.place, self.code, self.meaning) = (place, code, meaning)
  }

  static let table = [
    AdapterError(
      "`threw`", "`invalid_path`",
      "a path, or a name of an update, that has a forbidden key or is too long or deep (ERR-2); names "
        + "of one update that overlap (WRT-25)"),
    AdapterError(
      "", "`invalid_value`",
      "a value with a forbidden key, a number that is not finite, a wrong priority, or a leaf beside "
        + "children (ERR-3)"),
    AdapterError(
      "", "`invalid_query`",
      "a second ordering, start, end or limit, a limit below 1, bounds that do not fit the ordering "
        + "(ERR-4, ERR-9, ERR-13)"),
    AdapterError(
      "`threw` of `inspect`", "`no_snapshot`",
      "the listener has received no such snapshot, or the completion was handed none, or no reference"
    ),
    AdapterError("", "`invalid_url`", "an address that names no database (REF-8)"),
    AdapterError(
      "`cancelled`, `completed`", "what the server said, such as `permission_denied`",
      "the server refused or revoked it (ERR-5)"),
    AdapterError(
      "`completed` of a transaction", "`disconnect`", "the connection was lost after it was sent"),
    AdapterError("", "`set`", "a write of the client overtook it"),
    AdapterError("", "`maxretry`", "it was refused too often as out of date"),
    AdapterError("", "`usercode`", "its function failed"),
    AdapterError(
      "`completed` of what `purge-writes` gave up", "`write_canceled`",
      "the server had not answered it (WRT-30)"),
    AdapterError(
      "`completed` of `auth`", "`expired_token`, `invalid_token`",
      "the credential is no good (ACC-13)"),
  ]
}

/// The tables of the documents about adapters.
public enum AdapterPage {
  /// The page about the protocol, from the root of the project.
  public static let file = "Specs/adapter-protocol.md"
  /// The changelog.
  public static let changelogFile = "Specs/guides/changelog.md"

  /// A page with its tables as they should be.
  ///
  /// - Parameter page: The text of one of the two files.
  /// - Returns: The text with every table for which it has marks.
  public static func updated(_ page: String) -> String {
    PageTable.updated(page, with: [errors, capabilities, lacks, changes])
  }

  private static let errors = PageTable(
    "error codes", head: ["Where", "Code", "What was wrong"],
    rows: AdapterError.table.map { [$0.place, $0.code, $0.meaning] })

  private static let capabilities = PageTable(
    "capabilities", head: ["Capability", "Calls", "What it is"],
    rows: Capability.table.map { capability in
      let calls = capability.operations.map { Markdown.code($0.rawValue) }
      return [
        Markdown.code(capability.name), calls.joined(separator: ", "), capability.meaning,
      ]
    })

  private static let lacks = PageTable(
    "lacks", head: ["`lacks`", "What is missing"],
    rows: Feature.allCases.map { [Markdown.code($0.rawValue), $0.meaning] })

  private static let changes = PageTable(
    "changes of the adapter protocol", head: ["Revision", "Date", "What is new"],
    rows: ProtocolChange.all.map { ["\($0.revision)", $0.date, $0.text] })
}
