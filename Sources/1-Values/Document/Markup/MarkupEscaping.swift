import Tree

/// Text that is read as itself, whatever is in it, where a language of markup is expected.
package enum Escaping {
  /// Text between the tags, or within the quotes, of HTML and SVG, on one line.
  package static func html(_ text: String) -> String {
    visible(text).replacingScalars(htmlReference)
  }

  /// Text between the tags, or within the quotes, of HTML and SVG, which may have several lines.
  package static func htmlLines(_ text: String) -> String {
    visibleLines(text).replacingScalars(htmlReference)
  }

  private static func htmlReference(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "\"": "&quot;"
    case "'": "&#39;"
    default: reference(scalar)
    }
  }

  /// Text between the tags of an XML document.
  package static func xml(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "\r": "&#13;"
      case "\n", "\t": nil
      default: reference(scalar) ?? (isAllowedInXML(scalar) ? nil : escape(scalar))
      }
    }
  }

  /// An attribute of an XML document with its name: ` name="value"`.
  package static func xmlAttribute(_ name: String, _ value: String) -> String {
    let value = xml(value).replacingScalars { scalar in
      switch scalar {
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\t": "&#9;"
      default: nil
      }
    }
    return " \(name)=\"\(value)\""
  }

  /// Whether a document may have it, as a reference or by itself.
  private static func isAllowedInXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// `\u001b`, for what no document may have.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u" + hexadecimal(scalar.value, digits: 4)
  }

  /// Text in Markdown on one line.
  ///
  /// - Parameters:
  ///   - text: Without characters that would end the line.
  ///   - special: What means something besides, where the page is shown: `$` or `@`.
  /// - Returns: Text in which nothing means anything, neither for Markdown nor for the HTML in it.
  package static func markdown(_ text: String, also special: Unicode.Scalar) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~", special: "\\\(scalar)"
      default: reference(scalar)
      }
    }
  }

  /// A path as part of an address.
  package static func address(_ path: String) -> String { path.percentEncoded(except: "/-_.") }

  /// What stands for the three characters that mean something in every language of markup.
  private static func reference(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    default: nil
    }
  }
}
