import CArgp
import Glibc
package import System

extension Grammar {
  /// Cuts a command line into options and operands, by the conventions of GNU programs: options
  /// anywhere, `--name value` or `--name=value`, unambiguous beginnings of names, `--`.
  ///
  /// - Parameter words: What follows the name of the command.
  /// - Returns: Every option and operand, in order.
  /// - Throws: `Failure.usage` for an option that is unknown, lacks its value or has one too many.
  package func parse(_ words: [String]) throws(Failure) -> Arguments {
    guard takesAdapter, let end = words.firstIndex(of: "--") else { return try cut(words) }
    var arguments = try cut(Array(words[..<end]))
    arguments.adapter = Array(words[(end + 1)...])
    return arguments
  }

  private func cut(_ words: [String]) throws(Failure) -> Arguments {
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
      throw .usage(problem(with: collector.offender ?? ""), command: command)
    }
    return collector.arguments
  }

  /// What is wrong with a word that argp refused; it states which, but not why.
  private func problem(with word: String) -> String {
    guard word.hasPrefix("--") else { return "unknown option \"\(word)\"" }
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
    return "unknown option \"--\(name)\"" + didYouMean(name, allOptions.map(\.name), prefix: "--")
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
