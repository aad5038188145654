/// What can be wrong with a YAML text whose syntax is right.
enum YAMLValueError {
  case empty
  case secondDocument
  case keyIsNoText
  case mergeKey
  case tag(String)
  case unknownAlias(String)
  case aliasInsideItself(String)
  case aliasBomb

  var message: String {
    switch self {
    case .empty:
      "the text is empty; expected a YAML document; write one"
    case .secondDocument:
      "a second document begins here; expected one document; move it to a text of its own"
    case .keyIsNoText:
      "this key is a list, a mapping or an alias; expected a word or a string; write the key out"
    case .mergeKey:
      "the merge key << is not supported; expected an ordinary key; "
        + "use include:, or quote it to mean the text"
    case let .tag(tag):
      "the tag \(shown(YAMLValueError.short(tag))) is not supported here; "
        + "expected none, or !!str before a scalar; remove it"
    case let .unknownAlias(name):
      "nothing before this location has the anchor &\(name); expected the name of an anchor; "
        + "define it earlier, or put the text in quotes"
    case let .aliasInsideItself(name):
      "the alias *\(name) stands inside the value that it repeats; expected a finished value; "
        + "write the value out"
    case .aliasBomb:
      "aliases repeat more than \(Limits.aliasedNodes) values; expected fewer; "
        + "write a smaller document"
    }
  }

  /// `!!int` for `tag:yaml.org,2002:int`, as people write it.
  private static func short(_ tag: String) -> String {
    let prefix = "tag:yaml.org,2002:"
    return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
  }
}
