import CArgp
import Document
import Glibc
package import System

/// What may be on the command line of one command, and the words that explain it.
package struct Grammar {
  /// How the command is called: `kennel run`.
  package let command: String

  /// What may follow the options: `[PATH|ID...]`; empty when nothing may.
  package let operands: String

  /// What the command does, above the options in its help.
  package let summary: String

  package var options: [OptionDescription]

  /// Examples, below the options in its help.
  package let examples: String

  /// What is said about exit codes, behind the examples.
  package enum ExitCodes {
    case ofClients, withoutVerdicts, ofServers, none

    /// The text, behind an empty line.
    var text: String {
      switch self {
      case .ofClients: "\n\n" + ExitCode.help
      case .withoutVerdicts: "\n\n" + ExitCode.helpWithoutVerdicts
      case .ofServers: "\n\n" + ExitCode.helpOfServers
      case .none: ""
      }
    }
  }

  /// What its help says about exit codes.
  package let exitCodes: ExitCodes

  /// Whether the options of the command end at the first word that is none, as they do where that
  /// word is a command with options of its own.
  package let stopsAtOperand: Bool

  /// Whether what follows `--` is the command of an adapter, and no operand.
  package let takesAdapter: Bool

  /// The headings in its help, each with the options below it; the rest stands above them.
  package let groups: [Group]

  /// Options that have another name now, by the one that they had.
  package let renamed: [String: String]

  /// Options of which the help says together what they are about.
  package struct Group {
    let heading: String
    let options: [String]

    /// A group with these options, by their names.
    package init(_ heading: String, _ options: String...) {
      self.heading = heading
      self.options = options
    }
  }

  /// The grammar of a program, or of a command, whose table has its options.
  package init(
    command: String, operands: String, summary: String, options: [OptionDescription] = [],
    notes: String = "", exitCodes: ExitCodes = .ofClients, stopsAtOperand: Bool = false,
    takesAdapter: Bool = false, groups: [Group] = [], renamed: [String: String] = [:]
  ) {
    self.command = command
    self.operands = operands
    self.summary = summary
    self.options = options
    examples = notes
    self.exitCodes = exitCodes
    self.stopsAtOperand = stopsAtOperand
    self.takesAdapter = takesAdapter
    self.groups = groups
    self.renamed = renamed
  }

  /// What is below the options in its help.
  var notes: String { examples + exitCodes.text }

  /// The options with those that every command has.
  package var allOptions: [OptionDescription] {
    options + [
      Self.color,
      OptionDescription(name: "help", letter: "h", summary: "Print this help and exit."),
    ]
  }

  /// When colours are used; the option of every command.
  static let color = OptionDescription(
    name: "color", value: "WHEN",
    summary: "Use colours always, never, or on a terminal (auto).",
    choices: ["always", "never", "auto"])
}

extension Grammar {
  /// Cuts a command line into options and operands, by the conventions of GNU programs: options
  /// anywhere, `--name value` or `--name=value`, unambiguous beginnings of names, `--`.
  ///
  /// - Parameters:
  ///   - words: What follows the name of the command.
  ///   - others: The commands that have an option, for messages about one that this command has not.
  /// - Returns: Every option and operand, in order.
  /// - Throws: `Failure.usage` for an option that is unknown, lacks its value or has one too many.
  package func parse(
    _ words: [String], others: (String) -> [String] = { _ in [] }
  ) throws(Failure) -> Arguments {
    guard takesAdapter, let end = words.firstIndex(of: "--") else { return try cut(words, others) }
    var arguments = try cut(Array(words[..<end]), others)
    arguments.adapter = Array(words[(end + 1)...])
    if end == words.count - 1, !arguments.contains("help") {
      throw arguments.failure(
        "nothing follows --; expected the COMMAND that starts the adapter, such as "
          + "'\(command) -- python3 adapter.py'")
    }
    return arguments
  }

  private func cut(
    _ words: [String], _ others: (String) -> [String]
  ) throws(Failure) -> Arguments {
    let memory = ArgpMemory(self)
    let vector = memory.vector([command] + words)
    let collector = ArgpCollector(self)
    let error = withExtendedLifetime(memory) {
      var argp = memory.argp
      argp.parser = collect
      let flags = UInt32(ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP | ARGP_IN_ORDER)
      let input = Unmanaged.passUnretained(collector).toOpaque()
      return argp_parse(&argp, Int32(words.count + 1), vector, flags, nil, input)
    }
    if error != 0 {
      let offender = collector.offender ?? ""
      if let problem = problem(ofHyphensIn: words) { throw .usage(problem, command: command) }
      throw .usage(
        problem(with: offender, others) + quotes(around: words, at: offender), command: command)
    }
    return collector.arguments
  }

  /// What is wrong with the first word that is an option with one hyphen of two: argp takes it for letters, and
  /// may blame the word before it.
  private func problem(ofHyphensIn words: [String]) -> String? {
    for word in words where word.hasPrefix("-") && !word.hasPrefix("--") {
      let name = String(word.dropFirst().prefix { $0 != "=" })
      guard name.count > 1,
        let meant = closestMatches(to: name, in: allOptions.map(\.name)).first
      else { continue }
      return "unknown option \"\(word)\"; did you mean \"--\(meant)\", with two hyphens?"
    }
    return nil
  }

  /// What to do where a word that argp refused is one of a command that lacks its quotes.
  private func quotes(around words: [String], at offender: String) -> String {
    guard let name = options.first(where: { $0.file == .started })?.name,
      let end = words.firstIndex(of: offender),
      let start = words[..<end].firstIndex(of: "--" + name)
    else { return "" }
    let line = words[(start + 1)...].joined(separator: " ")
    return "; a word of the command for --\(name) stands in its quotes: --\(name) '\(line)'"
  }

  /// What is wrong with a word that argp refused; it states which, but not why.
  private func problem(with word: String, _ others: (String) -> [String]) -> String {
    guard word.hasPrefix("--") else {
      let letters = allOptions.compactMap { $0.letter.map { "-\($0)" } }
      return "unknown option \"\(word)\"; expected \(alternatives(letters)), or a name after --"
    }
    let name = String(word.dropFirst(2).prefix { $0 != "=" })
    let named = allOptions.filter { $0.name.hasPrefix(name) }
    if let option = named.first(where: { $0.name == name }) ?? (named.count == 1 ? named[0] : nil) {
      guard let value = option.value else { return "option --\(option.name) takes no value" }
      return "option --\(option.name) needs a value: --\(option.name) \(value)"
    }
    if named.count > 1 {
      let names = named.map { "--" + $0.name }.joined(separator: " or ")
      return "option \"--\(name)\" is ambiguous: \(names)"
    }
    let other = renamed[name].map { "; it is --\($0) now" }
    return "unknown option \"--\(name)\""
      + (other
        ?? didYouMean(name, allOptions.map(\.name), prefix: "--", orElse: owners(of: name, others)))
  }
}

extension Grammar {
  /// Which commands have an option that this one has not: the first two.
  private func owners(of option: String, _ others: (String) -> [String]) -> String {
    let owners = others(option).prefix(2).map { "'\($0) --\(option)'" }
    if !owners.isEmpty { return "; it belongs to another command: \(alternatives(owners))" }
    let names = self.options.map { "--" + $0.name }
    return (1...12).contains(names.count) ? "; expected \(alternatives(names))" : ""
  }
}

/// Gathers what argp finds; argp holds an untyped pointer to it while it parses.
private final class ArgpCollector {
  var arguments: Arguments
  var offender: String?
  let grammar: Grammar

  init(_ grammar: Grammar) {
    self.grammar = grammar
    arguments = Arguments(command: grammar.command)
  }

  func handle(_ key: Int32, _ text: String, _ state: UnsafeMutablePointer<argp_state>) -> error_t {
    switch key {
    case ARGP_KEY_ARG:
      arguments.operands.append(text)
      if grammar.stopsAtOperand { takeRest(state) }
    case ARGP_KEY_ERROR:
      let index = Int(state.pointee.next) - 1
      if let word = state.pointee.argv[max(index, 0)] { offender = String(cString: word) }
    default:
      guard let option = grammar.allOptions.first(where: { $0.key(in: grammar) == key }) else {
        return E2BIG  // ARGP_ERR_UNKNOWN, which Swift does not import.
      }
      arguments.options.append((option.name, text))
    }
    return 0
  }

  private func takeRest(_ state: UnsafeMutablePointer<argp_state>) {
    while state.pointee.next < state.pointee.argc {
      if let word = state.pointee.argv[Int(state.pointee.next)] {
        arguments.operands.append(String(cString: word))
      }
      state.pointee.next += 1
    }
  }
}

private func collect(
  key: Int32, text: UnsafeMutablePointer<CChar>?, state: UnsafeMutablePointer<argp_state>?
) -> error_t {
  guard let state, let input = state.pointee.input else { return EINVAL }
  let collector = Unmanaged<ArgpCollector>.fromOpaque(input).takeUnretainedValue()
  return collector.handle(key, text.map { String(cString: $0) } ?? "", state)
}

extension Grammar {
  /// The whole help, as argp lays it out.
  ///
  /// - Throws: `Failure.fault` when there is no memory for it.
  package func help() throws(Failure) -> String {
    let memory = ArgpMemory(self)
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let stream = open_memstream(&text, &size) else {
      throw .fault("cannot lay out the help: \(Files.lastReason())")
    }
    // Without the sentence about arguments of short options, which help lines show.
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 1)
    withExtendedLifetime(memory) {
      var argp = memory.argp
      let parts = UInt32(ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC)
      argp_help(&argp, stream, parts, memory.copy(of: command))
    }
    fclose(stream)
    defer { free(text) }
    return text.map { String(cString: $0) } ?? ""
  }
}

extension OptionDescription {
  /// The number by which argp calls an option: its letter, or its location beyond all letters.
  func key(in grammar: Grammar) -> Int32 {
    if let letter = letter?.asciiValue { return Int32(letter) }
    return Int32(256 + (grammar.allOptions.firstIndex { $0.name == name } ?? 0))
  }
}

/// A grammar in the form that argp reads, and the memory that it points into.
final class ArgpMemory {
  private(set) var argp = CArgp.argp()
  private var texts: [UnsafeMutablePointer<CChar>?] = []
  private var vectors: [UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>] = []
  private let options: UnsafeMutablePointer<argp_option>

  init(_ grammar: Grammar) {
    let all = grammar.allOptions
    let count = all.count + grammar.groups.count
    options = .allocate(capacity: count + 1)
    options.initialize(repeating: argp_option(), count: count + 1)
    for (index, group) in grammar.groups.enumerated() {
      options[all.count + index].doc = text(group.heading + ":")
      options[all.count + index].group = Int32(index + 1)
    }
    for (index, option) in all.enumerated() {
      options[index].name = text(option.name)
      options[index].key = option.key(in: grammar)
      options[index].arg = option.value.map { text($0) } ?? nil
      options[index].doc = text(option.summary)
      let group = grammar.groups.firstIndex { $0.options.contains(option.name) }
      options[index].group =
        ["color", "help", "version"].contains(option.name) ? -1 : Int32(group.map { $0 + 1 } ?? 0)
    }
    argp.options = UnsafePointer(options)
    argp.args_doc = grammar.operands.isEmpty ? nil : text(grammar.operands)
    argp.doc = text("\n" + grammar.summary + "\u{B}" + grammar.notes)
  }

  deinit {
    texts.forEach { free($0) }
    vectors.forEach { $0.deallocate() }
    options.deallocate()
  }

  /// A copy of `string` that lives as long as this object.
  func text(_ string: String) -> UnsafePointer<CChar>? {
    copy(of: string).map { UnsafePointer($0) }
  }

  /// The words as C hands them to a program, ended by a null pointer.
  func vector(_ words: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: words.count + 1)
    for (index, word) in words.enumerated() {
      (vector + index).initialize(to: copy(of: word))
    }
    (vector + words.count).initialize(to: nil)
    vectors.append(vector)
    return vector
  }

  /// A copy of `string` for functions of C that could write to it but do not.
  func copy(of string: String) -> UnsafeMutablePointer<CChar>? {
    let copy = strdup(string)
    texts.append(copy)
    return copy
  }
}
