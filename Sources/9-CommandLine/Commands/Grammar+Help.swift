import CArgp
import Glibc
package import System

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
    options = .allocate(capacity: all.count + 1)
    options.initialize(repeating: argp_option(), count: all.count + 1)
    for (index, option) in all.enumerated() {
      options[index].name = text(option.name)
      options[index].key = option.key(in: grammar)
      options[index].arg = option.value.map { text($0) } ?? nil
      options[index].doc = text(option.summary)
      options[index].group = ["color", "help", "version"].contains(option.name) ? -1 : 0
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
