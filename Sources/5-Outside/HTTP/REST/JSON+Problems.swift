package import Tree

extension JSON {
  /// What is wrong with data in the form in which they are sent; `nil` for nothing. A string may have
  /// `longestText` bytes of UTF-8. What is looked for here cannot be seen in a `Node` any more.
  package func problem(longestText: Int) -> String? {
    switch self {
    case .null, .bool, .number: return nil
    case let .string(text):
      return text.utf8.count > longestText
        ? "a string has more than \(longestText) bytes of UTF-8" : nil
    case let .array(elements):
      return elements.lazy.compactMap { $0.problem(longestText: longestText) }.first
    case let .object(members):
      if self[".sv"] != nil {
        return ServerValue(self) == nil
          ? "the server value \(self.text) is not known; expected \"timestamp\" or"
            + " {\"increment\": NUMBER}" : nil
      }
      if self[".value"] != nil, let other = members.first(where: { !$0.name.hasPrefix(".") }) {
        return "\"\(other.name)\" is beside \".value\"; a location has a value or children"
      }
      return members.lazy.compactMap { $0.value.problem(longestText: longestText) }.first
    }
  }
}
