internal import Document
internal import Documentation
internal import Tree

/// One HTML file that needs nothing else: no network, no file beside it.
///
/// What it shows comes from data within it; a policy within it forbids every request.
struct HTMLPage {
  var title: String
  var styles: [[UInt8]]
  var scripts: [[UInt8]]
  /// What the scripts find in the element `data`.
  var data: JSON
  /// Writes what stands in the body above the scripts.
  var body: (inout MarkupWriter) -> Void

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

  var html: String {
    var markup = MarkupWriter()
    markup.raw("<!doctype html>\n")
    markup.element("html", ["lang": "en"]) { html in
      html.element("head") { head in
        head.empty("meta", ["charset": "utf-8"])
        head.empty(
          "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        head.empty("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
        head.empty("link", ["rel": "icon", "href": "data:,"])
        head.element("title", title)
        head.element("style") { style in
          style.raw(Self.colours)
          for sheet in styles { style.raw(String(decoding: sheet, as: UTF8.self)) }
        }
      }
      html.element("body") { body in
        self.body(&body)
        body.element("noscript") { $0.element("p", "This page needs JavaScript.") }
        body.element("script", ["type": "application/json", "id": "data"]) {
          $0.raw(Self.embedded(data))
        }
        for script in scripts {
          body.element("script") { $0.raw(String(decoding: script, as: UTF8.self)) }
        }
      }
    }
    return markup.text + "\n"
  }

  /// JSON that cannot end the element that it stands in: it has no `<` that is not escaped.
  static func embedded(_ json: JSON) -> String {
    var bytes: [UInt8] = []
    json.write(to: &bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == UInt8(ascii: "<") {
        result.append(contentsOf: #"\u003c"#.utf8)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  static let colours =
    ":root{\(Theme.declarations(isDark: false))}"
    + "@media(prefers-color-scheme:dark){:root{\(Theme.declarations(isDark: true))}}"
}
