import Document
import Foundation
import Testing
import Tree

/// The data within a page, read as a browser does.
func embeddedData(of html: String) throws -> JSON {
  let start = try #require(html.range(of: #"<script type="application/json" id="data">"#))
  let rest = html[start.upperBound...]
  let end = try #require(rest.range(of: "</script>"))
  return try JSON(parsing: Array(rest[..<end.lowerBound].utf8))
}
