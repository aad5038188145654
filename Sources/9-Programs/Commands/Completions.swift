import System

/// Completions of the command line for a shell, from the same grammars as the help.
package struct Completions {
  package enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  /// A command with what can follow it.
  package struct Entry {
    package var name: String
    package var grammar: Grammar

    package init(name: String, grammar: Grammar) {
      self.name = name
      self.grammar = grammar
    }
  }

  package let entries: [Entry]
  /// The options in front of a command.
  package let general: Grammar

  package init(entries: [Entry], general: Grammar) {
    self.entries = entries
    self.general = general
  }

  package func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The commands with a name of one word.
  private var single: [Entry] { entries.filter { !$0.name.contains(" ") } }

  /// The commands with a name of two words.
  private var double: [Entry] { entries.filter { $0.name.contains(" ") } }

  private var names: String { (single.map(\.name) + ["help"]).joined(separator: " ") }

  /// What can follow the first word of a command as a second one.
  private func seconds(_ first: String) -> String {
    let names = double.map { $0.name.split(separator: " ") }.filter { $0[0] == first }.map { $0[1] }
    return names.joined(separator: " ")
  }

  /// The names of two words as the pattern of a shell.
  private var pattern: String {
    double.isEmpty ? "''" : double.map { "\"\($0.name)\"" }.joined(separator: " | ")
  }

  private static func flags(_ grammar: Grammar) -> String {
    grammar.allOptions.map { "--\($0.name)" }.joined(separator: " ")
  }

  /// The first sentence of what a command does, on one line.
  private static func brief(_ text: String) -> String {
    let line = text.split(separator: "\n").joined(separator: " ")
    let end = line.firstRange(of: ". ")?.lowerBound ?? line.endIndex
    let sentence = line[..<end]
    return sentence.hasSuffix(".") ? String(sentence.dropLast()) : String(sentence)
  }
}

// bash: one function; files are completed where nothing else is known.

extension Completions {
  private var bash: String {
    let text = """
      # Completions of kennel for bash: source <(kennel help completions bash)
      _kennel() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        local command=${COMP_WORDS[1]} index kinds= names=
        COMPREPLY=()
        for ((index = 1; index < COMP_CWORD; index++)); do
          if [ "${COMP_WORDS[index]}" = -- ]; then
            COMPREPLY=($(compgen -c -f -- "$word"))
            return
          fi
        done
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(names) \(Self.flags(general))" -- "$word"))
          return
        fi
        case "$command ${COMP_WORDS[2]}" in
          \(pattern)) command+=" ${COMP_WORDS[2]}" ;;
        esac
        case $command:$before in

      """
    return text + bashCases + """
          *) index= ;;
        esac
        case $word in
          -*) COMPREPLY=($(compgen -W "$index" -- "$word")) ;;
          *)
            [ -z "$kinds" ] || names=$("${COMP_WORDS[0]}" complete $kinds 2>/dev/null)
            COMPREPLY=($(compgen -f -W "$names" -- "$word")) ;;
        esac
      }
      complete -o filenames -F _kennel kennel

      """
  }

  /// The values of options, and the options of commands.
  private var bashCases: String {
    var text = ""
    for entry in entries {
      for option in entry.grammar.allOptions {
        var choices = option.choices.joined(separator: " ")
        if let kind = option.candidates {
          choices = "$(\"${COMP_WORDS[0]}\" complete \(kind) 2>/dev/null)"
        }
        guard !choices.isEmpty else { continue }
        text += "    \"\(entry.name)\":--\(option.name))\n"
        text += "      COMPREPLY=($(compgen -W \"\(choices)\" -- \"$word\")); return ;;\n"
      }
    }
    text += "  esac\n  case $command in\n"
    for entry in entries {
      let kinds = entry.grammar.candidates.map(\.rawValue).joined(separator: " ")
      let index = Self.flags(entry.grammar)
      text += "    \"\(entry.name)\") index=\"\(index)\" kinds=\"\(kinds)\""
      let seconds = seconds(entry.name)
      text += seconds.isEmpty ? " ;;\n" : " names=\"\(seconds)\" ;;\n"
    }
    return text + "    help) index= names=\"\(seconds("help")) \(names)\" ;;\n"
  }
}

// zsh: a case for each command, in the form of _arguments.

extension Completions {
  private var zsh: String {
    var text = """
      #compdef kennel
      # Completions of kennel for zsh: source <(kennel help completions zsh)
      _kennel() {
        local -a commands
        commands=(

      """
    for entry in single {
      text += "    \(Self.quoted("\(entry.name):\(Self.brief(entry.grammar.summary))"))\n"
    }
    text += """
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        case "$words[2] $words[3]" in
          \(pattern)) command="$words[2] $words[3]" ;;
        esac
        case $command in
          help) compadd -- \(seconds("help")) \(names) ;;

      """
    text += entries.map(zshCase).joined()
    return text + """
        esac
      }
      if [ "$funcstack[1]" = _kennel ]; then _kennel "$@"; else compdef _kennel kennel; fi

      """
  }

  /// What can follow a command.
  private func zshCase(_ entry: Entry) -> String {
    let specs = entry.grammar.allOptions.map { "      \(Self.specification($0))" }
    var text = "    \"\(entry.name)\")\n      _arguments -s '1:command:' \\\n"
    if entry.name.contains(" ") { text += "      '2:command:' \\\n" }
    let seconds = seconds(entry.name)
    let kinds =
      entry.grammar.candidates.map { "; compadd -- \(Self.listed($0))" }.joined()
      + (seconds.isEmpty ? "" : "; compadd -- \(seconds)")
    text += specs.joined(separator: " \\\n")
    return text + " \\\n      '*:file:\(kinds.isEmpty ? "_files" : "{_files\(kinds)}")' ;;\n"
  }

  /// `'*--seed[What it does]:N:_files'`.
  private static func specification(_ option: OptionDescription) -> String {
    let words = brief(option.summary).replacing("[", with: "(").replacing("]", with: ")")
    var text = "*--\(option.name)\(option.value == nil ? "" : "=")[\(words)]"
    if let value = option.value {
      var choices = option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
      if let kind = option.candidates { choices = "{compadd -- \(listed(kind))}" }
      text += ":\(value):\(choices)"
    }
    return quoted(text)
  }

  /// The names of a kind, as a shell asks for them.
  private static func listed(_ kind: Candidates) -> String {
    "$(kennel complete \(kind) 2>/dev/null)"
  }

  /// Text in single quotes, for a shell.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

// fish: a line for each command and option.

extension Completions {
  private var fish: String {
    var text = "# Completions of kennel for fish: kennel help completions fish | source\n"
    text += "complete -c kennel -n __fish_use_subcommand -f -a help -d 'Prints help'\n"
    text += "complete -c kennel -n '__fish_seen_subcommand_from help' -f"
    text += " -a '\(seconds("help")) \(names)'\n"
    for entry in single {
      text += "complete -c kennel -n __fish_use_subcommand -f -a \(entry.name)"
      text += " -d \(Self.fishQuoted(Self.brief(entry.grammar.summary)))\n"
    }
    for entry in entries {
      let words = entry.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
      let known = "complete -c kennel -n '\(words.joined(separator: "; and "))'"
      let seconds = seconds(entry.name)
      if !seconds.isEmpty { text += "\(known) -a '\(seconds)'\n" }
      for kind in entry.grammar.candidates { text += "\(known) -a '(kennel complete \(kind))'\n" }
      for option in entry.grammar.allOptions {
        text += known
        text += " -l \(option.name)"
        if let letter = option.letter { text += " -s \(letter)" }
        if option.value != nil { text += " -r" }
        if !option.choices.isEmpty { text += " -f -a '\(option.choices.joined(separator: " "))'" }
        if let kind = option.candidates { text += " -f -a '(kennel complete \(kind))'" }
        text += " -d \(Self.fishQuoted(Self.brief(option.summary)))\n"
      }
    }
    return text
  }

  /// Text in single quotes, where fish has two escapes.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

/// Names that change with the folder, so that completions ask the kit for them.
package enum Candidates: String, CaseIterable {
  case scenarios, rules, tags, clients, languages
}

extension OptionDescription {
  /// What can be given for it, where that differs from folder to folder.
  var candidates: Candidates? {
    switch value {
    case "RULE": .rules
    case "TAG": .tags
    case "ID|PATTERN": .scenarios
    case "NAME" where name == "client", "[CLIENT=]NAME": .clients
    default: nil
    }
  }
}

extension Grammar {
  /// What the operands can name, beside files.
  var candidates: [Candidates] {
    let words = operands.split { !$0.isLetter }
    let kinds: [(word: Substring, kind: Candidates)] = [
      ("ID", .scenarios), ("RULE", .rules), ("LANGUAGE", .languages),
    ]
    return kinds.filter { words.contains($0.word) }.map(\.kind)
  }
}
