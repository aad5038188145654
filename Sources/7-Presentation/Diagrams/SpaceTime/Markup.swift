internal import Text
internal import Tree

/// Writes markup. Every text goes through here, so no value can become an element.
package struct Markup {
  package private(set) var text = ""

  package init() {}

  /// `text` so that it can stand between tags and within quotes.
  package static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// An element without content.
  package mutating func empty(_ name: String, _ attributes: KeyValuePairs<String, String>) {
    open(name, attributes, ending: "/>")
  }

  /// An element with a text in it.
  package mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String
  ) {
    open(name, attributes)
    text += Self.escaped(content)
    close(name)
  }

  package mutating func element(_ name: String, _ content: String) { element(name, [:], content) }

  /// An element with whatever `body` writes in it.
  package mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:],
    _ body: (inout Markup) -> Void
  ) {
    open(name, attributes)
    body(&self)
    close(name)
  }

  private mutating func open(
    _ name: String, _ attributes: KeyValuePairs<String, String>, ending: String = ">"
  ) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
    text += ending
  }

  private mutating func close(_ name: String) { text += "</\(name)>" }

  /// Text that is markup already, such as a style sheet of the kit.
  package mutating func raw(_ markup: String) { text += markup }
}

/// A number with at most three digits behind the point, as style sheets and SVG read it.
func decimal(_ number: Double) -> String {
  canonicalText(of: (number * 1000).rounded() / 1000)
}
