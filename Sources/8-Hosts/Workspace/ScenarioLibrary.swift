import ClientInterface
package import Document
package import Reports
package import Scenario
package import ScenarioFiles
package import System
package import TraceFiles
import Tree

/// The scenario files that a command line selects.
package struct ScenarioLibrary {
  /// What was selected, in the order of the selectors and of the paths below each.
  package private(set) var scenarios: [Scenario] = []
  /// What was read, when some of it was left out afterwards.
  private var read: [Scenario]?
  /// Everything that is wrong with the files, ready to be printed.
  package private(set) var problems: [SourceError] = []
  /// The texts that scenarios were read from, by the file of the scenario: its own text, then those
  /// of the fragments that it includes.
  package private(set) var sources: [String: [TraceFile.Source]] = [:]
  /// The files of directories that are no scenarios, such as those of other programs, and what cannot
  /// be read as a file, with what it is: `a.yaml (a named pipe)`.
  package private(set) var leftOut: [String] = []
  package let rules: RuleBook
  private let purpose: ScenarioReader.Purpose

  /// Reads what `selectors` name; without any, all scenarios of the home directory.
  ///
  /// - Throws: `Failure` when a selector names nothing or a file cannot be read.
  package init(_ selectors: [String]) throws(Failure) { try self.init(selectors, for: .run) }

  /// Reads what a live server is to begin with, which may lack what only runs need.
  ///
  /// - Throws: `Failure` when the selector names nothing or a file cannot be read.
  package init(setting selector: String) throws(Failure) {
    try self.init([selector], for: .setting)
  }

  /// Reads what `selectors` name, for something that may need less of it than runs.
  ///
  /// - Throws: `Failure` when a selector names nothing or a file cannot be read.
  package init(
    _ selectors: [String], for purpose: ScenarioReader.Purpose
  ) throws(Failure) {
    self.purpose = purpose
    let home = Result { () throws(Failure) in try Home.find() }
    rules = try (try? home.get())?.ruleBook() ?? RuleBook(files: [])
    if selectors.isEmpty { try read(try home.get().scenarios) }
    for selector in selectors { try select(selector, in: home) }
    if selectors.count > 1 {
      var seen: Set<String> = []
      scenarios = scenarios.filter { seen.insert("\($0.file) \($0.id)").inserted }
    }
  }

  /// What scenarios cite or use although one of their profiles does not have it. They can be run
  /// nevertheless: what was drawn at random does not keep to profiles.
  package var strays: [SourceError] {
    var known: Set<String> = []
    return all.flatMap { $0.strays(from: rules) }.filter { known.insert($0.description).inserted }
  }

  /// Everything that was read, with what was left out afterwards.
  package var all: [Scenario] { read ?? scenarios }

  /// Leaves out what a condition does not hold for.
  package mutating func filter(where isMeant: (Scenario) -> Bool) {
    if read == nil { read = scenarios }
    scenarios = scenarios.filter(isMeant)
  }

  private mutating func select(
    _ selector: String, in found: Result<Home, Failure>
  ) throws(Failure) {
    if selector.isEmpty {
      throw .unusable(
        "the name of a scenario is empty, as that of a variable without a value is; expected a path, an id "
          + "or a pattern, or nothing for all")
    }
    if Files.exists(selector) {
      if Files.isExecutable(selector), !Self.checkedSuffixes.contains(where: selector.hasSuffix) {
        throw .unusable("\(selector) is a program; expected a scenario\(Self.hint(on: selector))")
      }
      try read(selector)
      return
    }
    if try readCombination(selector) { return }
    let home: Home
    do throws(Failure) {
      home = try found.get()
    } catch {
      if try readOwn(selector) { return }
      throw .unusable("there is no file or directory \(selector), and \(error)")
    }
    let name = selector.hasPrefix("Scenarios/") ? String(selector.dropFirst(10)) : selector
    if ["Scenarios", "Scenarios/"].contains(selector) { return try read(home.scenarios) }
    if Glob.isPattern(name) { return try read(matching: Glob(name), in: home) }
    let folder = Files.join(home.scenarios, name)
    if Files.isDirectory(folder) {
      try read(folder)
      return
    }
    if try read(id: name, below: home.scenarios + "/") { return }
    if try readOwn(selector) { return }
    throw .unusable(try noSuchScenario(selector, home))
  }

  /// Reads one combination of the parameters of a file: race.yaml[limit=1].
  private mutating func readCombination(_ selector: String) throws(Failure) -> Bool {
    guard let bracket = selector.lastIndex(of: "["), Files.exists(String(selector[..<bracket]))
    else { return false }
    let before = scenarios.count
    try read(String(selector[..<bracket]))
    let rest = selector[bracket...]
    scenarios = scenarios[..<before] + scenarios[before...].filter { $0.id.hasSuffix(rest) }
    return scenarios.count > before || !problems.isEmpty
  }

  /// Reads a scenario of the project by the id that runs print: its path without suffix, and without
  /// the first slash.
  private mutating func readOwn(_ id: String) throws(Failure) -> Bool {
    for root in ["", "/"] {
      if try read(id: id, below: root) { return true }
    }
    return false
  }

  private mutating func read(id: String, below root: String) throws(Failure) -> Bool {
    let file = id.prefix { $0 != "[" }
    guard !file.isEmpty else { return false }
    for suffix in Self.suffixes where Files.exists(root + file + suffix) {
      let before = scenarios.count
      try read(root + file + suffix)
      if file.count < id.count { selectPermutation(id, from: before) }
      if scenarios.count > before || !problems.isEmpty { return true }
    }
    return false
  }

  /// Reads the scenarios of the home directory whose ids match.
  private mutating func read(matching glob: Glob, in home: Home) throws(Failure) {
    let file = Glob(String(glob.text.prefix { $0 != "[" }))
    let before = (scenarios.count, problems.count)
    for path in try Self.listing(at: home.scenarios).files {
      let id = Self.id(ofFile: path, in: home)
      if file.matches(id) || glob.matches(id) { try read(path) }
    }
    scenarios = scenarios[..<before.0] + scenarios[before.0...].filter { glob.matches($0.id) }
    if scenarios.count > before.0 || problems.count > before.1 { return }
    let folders = try Self.listing(at: home.scenarios).files.compactMap {
      Self.id(ofFile: $0, in: home).split(separator: "/").dropLast().first.map(String.init)
    }
    let first = String(glob.text.prefix { $0 != "/" })
    let near =
      folders.contains(first)
      ? []
      : closestMatches(to: first, in: folders.unique()).map {
        "\"\($0)\(glob.text.dropFirst(first.count))\""
      }
    throw .unusable(
      "no scenario matches \"\(glob)\"" + didYouMean(near, orElse: "; 'kennel list' shows all"))
  }

  private static func id(ofFile path: String, in home: Home) -> String {
    let id = path.dropFirst(home.scenarios.count + 1)
    return String(id[..<(id.lastIndex(of: ".") ?? id.endIndex)])
  }

  /// Of the scenarios read last, keeps the one permutation that was asked for.
  private mutating func selectPermutation(_ id: String, from start: Int) {
    scenarios = scenarios[..<start] + scenarios[start...].filter { $0.id == id }
  }

  package static let suffixes = [".yaml", ".yml", ".json"]
  /// What the files end in that are checked and laid out: scenarios, and lists of known causes.
  package static let checkedSuffixes = suffixes + [".hunted"]

  private mutating func read(_ path: String) throws(Failure) {
    let isDirectory = Files.isDirectory(path)
    let listing = try Self.listing(at: path)
    leftOut += listing.leftOut.map { "\(Self.shown($0.path)) (\($0.reason))" }
    for file in listing.files {
      var texts = [TraceFile.Source(file: Self.shown(file), text: try Files.regularText(of: file))]
      let result = ScenarioReader.read(
        file: texts[0].file, bytes: Array(texts[0].text.utf8),
        load: { path in
          guard let text = try Self.fragment(path) else { return nil }
          texts.append(.init(file: path, text: text))
          return Array(text.utf8)
        },
        rules: rules.rules.isEmpty ? nil : rules, for: purpose)
      let objection =
        result.problems.isEmpty
        ? nil : FileKind.objection(to: texts[0].text, in: texts[0].file, expecting: .scenario)
      if isDirectory, objection != nil {
        if FileKind(of: texts[0].text, in: file) == nil { leftOut.append(texts[0].file) }
        continue
      }
      scenarios += result.scenarios
      sources[texts[0].file] = texts
      problems += objection.map { [$0] } ?? result.problems
    }
  }

  /// The text of a file that a scenario includes; `nil` when there is none.
  ///
  /// - Throws: `Failure.file` when it cannot be read.
  package static func fragment(_ path: String) throws(Failure) -> String? {
    Files.exists(path) ? try Files.regularText(of: path) : nil
  }

  /// The scenario files at a path: itself, or all below it that are not hidden, and what is left out
  /// there because it is no file. Fragments are read where they are included.
  package static func listing(
    at path: String, suffixes: [String] = suffixes, withFragments: Bool = false
  ) throws(Failure) -> (files: [String], leftOut: [FolderListing.LeftOut]) {
    guard Files.isDirectory(path) else { return ([path], []) }
    let directory = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let listing = try FolderListing(of: directory, suffixes: suffixes)
    let files = listing.files.filter { withFragments || !Files.name(of: $0).hasPrefix("_") }
    return (files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, listing.leftOut)
  }

  /// A path as reports show it: from the current directory, if it lies below.
  private static func shown(_ path: String) -> String {
    guard let current = try? Files.currentDirectory(), path.hasPrefix(current + "/") else {
      return path
    }
    return String(path.dropFirst(current.count + 1))
  }

  /// Files whose names are like that of a path that leads to none, in its folder or in one with such a name.
  private static func nearFiles(_ path: String) -> [String] {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[..<$0]) } ?? "."
    let name = Files.name(of: path)
    let folders =
      Files.isDirectory(folder) || folder.contains("/")
      ? [folder] : closestMatches(to: folder, in: (try? Files.entries(of: ".")) ?? [])
    return folders.flatMap { folder in
      closestMatches(to: name, in: (try? Files.entries(of: folder)) ?? [])
        .map { slash == nil ? $0 : Files.join(folder, $0) }
    }
  }

  /// What to do about a program in place of a scenario.
  private static func hint(on program: String) -> String {
    "; the COMMAND of an adapter comes after --: '-- \(shellWord(program)) ...'"
  }

  private func noSuchScenario(_ selector: String, _ home: Home) throws(Failure) -> String {
    if selector == "-" {
      return "scenarios are not read from standard input; expected the path of a file, or an id"
    }
    if let link = Files.brokenLink(at: selector) {
      return "\(selector) is \(link); expected one to a file or a directory"
    }
    let ids = try Self.listing(at: home.scenarios).files.map { Self.id(ofFile: $0, in: home) }
    let folders = Set(ids.compactMap { $0.split(separator: "/").dropLast().first }).sorted()
    var near = closestMatches(to: selector, in: folders.map(String.init) + ids)
    if near.isEmpty {
      // The beginning of an id, with a slip in it.
      let starts = closestMatches(to: selector, in: ids.map { String($0.prefix(selector.count)) })
      near = Array(ids.filter { id in starts.contains { id.hasPrefix($0) } }.prefix(3))
    }
    if near.isEmpty { near = Self.nearFiles(selector) }
    if near.isEmpty, let own = selector.firstRange(of: "Scenarios/") {
      // The path that an id has in the kit.
      near = closestMatches(
        to: String(selector[own.upperBound...]), in: folders.map(String.init) + ids)
    }
    let isDash = selector.unicodeScalars.first?.properties.generalCategory == .dashPunctuation
    let hint =
      isDash && selector.first != "-"
      ? "; it begins with a dash of texts; an option begins with two hyphens, as in --jobs"
      : Files.isProgram(selector)
        ? Self.hint(on: selector)
        : didYouMean(near.map { "\"\($0)\"" }, orElse: "; 'kennel list' shows all scenarios")
    return "there is no file, directory or scenario \"\(selector)\"\(hint)"
  }
}

extension ScenarioLibrary {
  /// What is said of paths without a scenario, and without another file that can be checked.
  package static func emptiness(of paths: [String], leftOut: [String]) -> String {
    let others =
      leftOut.isEmpty ? "" : ", only files of other kinds: " + leftOut.joined(separator: ", ")
    return
      "there is no scenario in \(paths.joined(separator: " or "))\(others); expected files that end in "
      + "\(alternatives(suffixes)), with 'kennel: 1' at the beginning"
  }

  /// - Throws: `Failure.mistakes` with the problems, if there are any.
  package func requireNoProblems() throws(Failure) {
    try Failure.refuse(problems, in: "scenario files")
  }
}

extension ScenarioLibrary {
  /// Keeps the scenarios that are meant.
  ///
  /// - Throws: `Failure.unusable` for a tag that no scenario has and for a rule that does not exist.
  package mutating func select(_ selection: ScenarioSelection) throws(Failure) {
    if selection.isEverything { return }
    let tags = scenarios.flatMap(\.tags)
    for tag in selection.tags where !tags.contains(tag) {
      throw .unusable("no scenario among these has the tag \"\(tag)\"" + didYouMean(tag, tags))
    }
    let families = RuleBook.families.flatMap(\.prefixes)
    let ids = rules.rules.map(\.id.description)
    for rule in selection.rules where !ids.contains(rule) && !families.contains(rule) {
      throw .unusable(
        "there is no rule \"\(rule)\""
          + didYouMean(rule, rule.contains { $0 == "-" || $0.isNumber } ? ids : families))
    }
    for selector in selection.excluded
    where !scenarios.contains(where: { ScenarioSelection.excludes(selector, $0.id) }) {
      throw .unusable(
        "no scenario among these matches \"\(selector)\", which is to be excluded"
          + didYouMean(selector, scenarios.map(\.id)))
    }
    filter(where: { selection.selects($0) })
  }

  /// Keeps every scenario whose turn it is when several machines share them in turn.
  package mutating func select(_ part: RunHeader.Part) {
    let ids = Set(
      scenarios.enumerated().filter { $0.offset % part.count == part.number - 1 }
        .map { "\($0.element.file) \($0.element.id)" })
    filter(where: { ids.contains("\($0.file) \($0.id)") })
  }
}

extension OptionKind where Value == String {
  /// The name of a profile.
  package static var profile: OptionKind { .name(among: Profile.all.map(\.name)) }
}

extension ScenarioSelection {
  /// The options that restrict what a command works on.
  package static var options: [Option<ScenarioSelection>] {
    [
      .list(
        "tag", "TAG", \.tags, .text,
        "Only scenarios with this tag. May be repeated; one of them must be there."),
      .list(
        "rule", "RULE", \.rules, .rule,
        "Only scenarios that cite this rule, or one of this family. May be repeated."),
      .list(
        "needs", "CAPABILITY", \.needs, .name(among: Capability.inDetail),
        "Only scenarios that need this capability of a client. May be repeated."),
      .list(
        "exclude", "ID|PATTERN", \.excluded, .text,
        "Exclude scenarios with this id, folder or pattern. May be repeated."
      ).setting("exclude"),
    ]
  }
}

extension OptionKind where Value == String {
  /// A rule or a family of rules, in any case.
  fileprivate static var rule: OptionKind { OptionKind("a rule", { $0.uppercased() }) }
}
