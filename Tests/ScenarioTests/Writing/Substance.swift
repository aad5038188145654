/// What a value is made of, as text: the same for two scenarios that say the same.
///
/// Where something stands in its file, and what its text there is, is left out.
func substance(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  let children = mirror.children
  switch mirror.displayStyle {
  case .set?: return braced(children.map { substance(of: $0.value) }.sorted())
  case .dictionary?: return braced(children.map { substance(of: $0.value) }.sorted())
  case .optional?: return children.first.map { substance(of: $0.value) } ?? "nil"
  case .collection?, .tuple?: return braced(children.map { substance(of: $0.value) })
  case .enum? where children.isEmpty: return "\(value)"
  case .enum?:
    return children.map { "\($0.label ?? "")(\(substance(of: $0.value)))" }.joined()
  default:
    if children.isEmpty || value is any CustomStringConvertible { return "\(value)" }
    let omitted = ["position", "text", "file", "id", "parameters"]
    return braced(
      children.filter { !omitted.contains($0.label ?? "") || $0.value is Int }
        .map { "\($0.label ?? ""): \(substance(of: $0.value))" })
  }
}

private func braced(_ parts: [String]) -> String { "{" + parts.joined(separator: ", ") + "}" }
