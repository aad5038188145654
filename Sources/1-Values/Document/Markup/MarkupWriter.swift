/// Writes HTML and SVG. Every text goes through here, so no value can become an element.
package struct MarkupWriter {
  package private(set) var text = ""

  package init() {}

  /// An element without content. An attribute that is `nil` is left out.
  package mutating func empty(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
    open(name, attributes, ending: "/>")
  }

  /// An element with a text in it.
  package mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?>, _ content: String
  ) {
    open(name, attributes)
    text += Escaping.html(content)
    close(name)
  }

  package mutating func element(_ name: String, _ content: String) { element(name, [:], content) }

  /// An element with whatever `body` writes in it.
  package mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:],
    _ body: (inout MarkupWriter) -> Void
  ) {
    open(name, attributes)
    body(&self)
    close(name)
  }

  private mutating func open(
    _ name: String, _ attributes: KeyValuePairs<String, String?>, ending: String = ">"
  ) {
    text += "<\(name)"
    for (name, value) in attributes {
      if let value { text += " \(name)=\"\(Escaping.html(value))\"" }
    }
    text += ending
  }

  private mutating func close(_ name: String) { text += "</\(name)>" }

  /// Text that is markup already, such as a style sheet of the kit.
  package mutating func raw(_ markup: String) { text += markup }
}
