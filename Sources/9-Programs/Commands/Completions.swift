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

// bash: one function; each place of a command line is completed by what can stand there.

extension Completions {
  private var bash: String {
    let text = """
      # Completions of kennel for bash: source <(kennel help completions bash)
      _kennel() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        local command=${COMP_WORDS[1]} index
        COMPREPLY=()
        words() { COMPREPLY+=($(compgen -W "$*" -- "$word")); }
        names() { words $("${COMP_WORDS[0]}" complete "$1" 2>/dev/null); }
        folders() { COMPREPLY+=($(compgen -d -- "$word")); }
        files() {
          local file suffix
          for file in $(compgen -f -- "$word"); do
            [ -d "$file" ] || [ -z "$1" ] && COMPREPLY+=("$file") && continue
            for suffix in $1; do case $file in *$suffix) COMPREPLY+=("$file") ;; esac; done
          done
        }
        for ((index = 1; index < COMP_CWORD; index++)); do
          if [ "${COMP_WORDS[index]}" = -- ]; then
            COMPREPLY=($(compgen -c -f -- "$word"))
            return
          fi
        done
        if [ "$COMP_CWORD" -eq 1 ]; then
          words "\(names) \(Self.flags(general))"
          return
        fi
        case "$command ${COMP_WORDS[2]}" in
          \(pattern)) command+=" ${COMP_WORDS[2]}" ;;
        esac
        case $command:$before in

      """
    return text + bashCases + """
        esac
      }
      complete -o filenames -F _kennel kennel

      """
  }

  /// The values of options, then the options and operands of commands.
  private var bashCases: String {
    var text = ""
    for entry in entries {
      for option in entry.grammar.allOptions where option.value != nil {
        let letter = option.letter.map { " | \"\(entry.name)\":-\($0)" } ?? ""
        text += "    \"\(entry.name)\":--\(option.name)\(letter))"
        text += " \(option.completions.map(\.bash).joined())return ;;\n"
      }
    }
    text += "  esac\n  case $command:$word in\n"
    for entry in entries {
      let operands = entry.grammar.completions + words(seconds(entry.name))
      text += "    \"\(entry.name)\":-*) words \"\(Self.flags(entry.grammar))\" ;;\n"
      text += "    \"\(entry.name)\":*) \(operands.map(\.bash).joined()):;;\n"
    }
    return text + "    help:*) words \"\(seconds("help")) \(names)\" ;;\n"
  }

  private func words(_ text: String) -> [Completion] {
    text.isEmpty ? [] : [.words(text.split(separator: " ").map(String.init))]
  }
}

extension Completion {
  fileprivate var bash: String {
    switch self {
    case let .words(words): "words \"\(words.joined(separator: " "))\"; "
    case let .names(kind): "names \(kind); "
    case let .files(suffixes): "files \"\(suffixes.joined(separator: " "))\"; "
    case .folders: "folders; "
    }
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
    text += single.map(zshName).joined()
    text += """
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local adapter=${words[(i)--]}
        if (( adapter < CURRENT )); then
          words=("${(@)words[adapter+1,-1]}")
          (( CURRENT -= adapter ))
          _normal
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

  /// A command with what it does.
  private func zshName(_ entry: Entry) -> String {
    "    \(Self.quoted("\(entry.name):\(Self.brief(entry.grammar.summary))"))\n"
  }

  /// What can follow a command.
  private func zshCase(_ entry: Entry) -> String {
    var specs = ["'1:command:'"] + (entry.name.contains(" ") ? ["'2:command:'"] : [])
    specs += entry.grammar.allOptions.flatMap(Self.specifications)
    let operands = entry.grammar.completions + words(seconds(entry.name))
    if !operands.isEmpty { specs.append(Self.quoted("*:operand:\(Self.action(operands))")) }
    return "    \"\(entry.name)\")\n      _arguments -s "
      + specs.joined(separator: " \\\n      ") + " ;;\n"
  }

  /// `'*--seed=[What it does]:N: '`, and the same for its letter.
  private static func specifications(_ option: OptionDescription) -> [String] {
    let words = brief(option.summary).replacing("[", with: "(").replacing("]", with: ")")
    var rest = "[\(words)]"
    if let value = option.value {
      rest += ":\(value.replacing(":", with: "\\:")):\(action(option.completions))"
    }
    let name = "*--\(option.name)\(option.value == nil ? "" : "=")\(rest)"
    return [quoted(name)] + (option.letter.map { [quoted("*-\($0)\(rest)")] } ?? [])
  }

  /// What completes a place: a blank where nothing is known.
  private static func action(_ completions: [Completion]) -> String {
    completions.isEmpty ? " " : "{\(completions.map(\.zsh).joined(separator: "; "))}"
  }

  /// Text in single quotes, for a shell.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

extension Completion {
  fileprivate var zsh: String {
    switch self {
    case let .words(words): "compadd -- \(words.joined(separator: " "))"
    case let .names(kind): "compadd -- $(kennel complete \(kind) 2>/dev/null)"
    case let .files(suffixes) where suffixes.isEmpty: "_files"
    case let .files(suffixes): "_files -g \"\(suffixes.map { "*\($0)" }.joined(separator: " "))\""
    case .folders: "_files -/"
    }
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
      let operands = entry.grammar.completions + self.words(seconds(entry.name))
      // A command of an adapter may be any file.
      if !entry.grammar.takesAdapter { text += "\(known) -f\n" }
      for operand in operands { text += "\(known) \(operand.fish)\n" }
      for option in entry.grammar.allOptions {
        text += known
        text += " -l \(option.name)"
        if let letter = option.letter { text += " -s \(letter)" }
        if option.value != nil { text += " -x" }
        for completion in option.completions { text += " \(completion.fish)" }
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

extension Completion {
  fileprivate var fish: String {
    switch self {
    case let .words(words): "-a '\(words.joined(separator: " "))'"
    case let .names(kind): "-a '(kennel complete \(kind))'"
    case let .files(suffixes) where suffixes.isEmpty: "-a '(__fish_complete_path)'"
    case let .files(suffixes):
      "-a '(\(suffixes.map { "__fish_complete_suffix \($0)" }.joined(separator: "; ")))'"
    case .folders: "-a '(__fish_complete_directories)'"
    }
  }
}

/// Names that change with the folder, so that completions ask the kit for them.
package enum Candidates: String, CaseIterable {
  case scenarios, rules, tags, clients, languages, settings
}

/// What can stand at a place of a command line.
enum Completion: Equatable {
  case words([String])
  case names(Candidates)
  /// Files that end in one of these, and folders on the way there; any files for none.
  case files([String])
  case folders

  /// The same for the words by which help texts call what stands there.
  static func of(_ placeholders: String) -> [Completion] {
    let words = placeholders.split { !$0.isLetter }
    let kinds: [(words: [Substring], completion: Completion)] = [
      (["PATH", "LIST"], .files([".yaml", ".yml", ".json"])),
      (["TRACE", "RECORDING", "REPORT", "OLD"], .files([".jsonl"])),
      (["FILE"], .files([])), (["DIR", "FOLDER"], .folders), (["ID"], .names(.scenarios)),
      (["RULE"], .names(.rules)), (["TAG"], .names(.tags)), (["CLIENT"], .names(.clients)),
      (["LANGUAGE"], .names(.languages)), (["adapter"], .words(["adapter"])),
      (["bash"], .words(Completions.Shell.allCases.map(\.rawValue))),
    ]
    return kinds.filter { !Set($0.words).isDisjoint(with: words) }.map(\.completion)
  }
}

extension OptionDescription {
  /// What its value can be, as far as that is known.
  var completions: [Completion] {
    if !choices.isEmpty { return [.words(choices)] }
    if name == "settings" { return [.names(.settings)] }
    if ["client", "with"].contains(name) { return [.names(.clients)] }
    return Completion.of(["known", "update"].contains(name) ? "LIST" : value ?? "")
  }
}

extension Grammar {
  /// What the operands can be, as far as that is known. What follows `--` is another program's.
  var completions: [Completion] {
    let end = operands.firstRange(of: "--")?.lowerBound ?? operands.endIndex
    return Completion.of(String(operands[..<end]))
  }
}
