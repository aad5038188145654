internal import Document
public import Trace
internal import Tree

/// What a run came to, on one small picture.
public struct Badge: Sendable {
  private let label: String
  private let message: String
  private let colour: Colour

  private enum Colour: String {
    case brightgreen = "#278011"
    case yellow = "#86690a"
    case red = "#c42"
    case lightgrey = "#666"

    /// As badge services call it.
    var name: String {
      switch self {
      case .brightgreen: "brightgreen"
      case .yellow: "yellow"
      case .red: "red"
      case .lightgrey: "lightgrey"
      }
    }
  }

  /// - Parameters:
  ///   - report: The run.
  ///   - label: What is on the left.
  public init(of report: ReportFile, label: String = "kennel") {
    let tally = Tally(
      passed: report.passed, failed: report.failed, skipped: report.skipped, known: report.known)
    self.init(of: tally, advised: report.advised, label: label)
  }

  /// - Parameters:
  ///   - tally: What the run came to.
  ///   - advised: How many of those that passed did not do all that clients should.
  ///   - label: What is on the left.
  public init(of tally: Tally, advised: Int, label: String) {
    self.label = label
    let judged = tally.passed + tally.failed + tally.known
    if tally.failed > 0 {
      (message, colour) = ("\(tally.failed) of \(judged) failing", .red)
    } else if tally.known > 0 {
      (message, colour) = ("\(tally.passed) passed, \(tally.known) known", .yellow)
    } else if tally.passed > 0 {
      let advice = advised > 0 ? ", \(advised) with advice" : ""
      (message, colour) = ("\(tally.passed) passed\(advice)", .brightgreen)
    } else {
      (message, colour) = ("nothing judged", .lightgrey)
    }
  }

  /// What an endpoint badge of shields.io reads.
  public var json: String {
    let object: JSON = [
      "schemaVersion": 1, "label": .string(label), "message": .string(message),
      "color": .string(colour.name), "isError": .bool(colour == .red),
    ]
    return object.text + "\n"
  }

  /// The picture itself.
  public var svg: String {
    let left = Self.width(of: label)
    let right = Self.width(of: message)
    let title = Escaping.xml("\(label): \(message)")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(left + right)" height="20" role="img"\
      \(Escaping.xmlAttribute("aria-label", "\(label): \(message)"))>
        <title>\(title)</title>
        <rect width="\(left)" height="20" fill="#444"/>
        <rect x="\(left)" width="\(right)" height="20" fill="\(colour.rawValue)"/>
        <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" \
      text-anchor="middle">
          <text x="\(left / 2)" y="14" textLength="\(left - 10)">\(Escaping.xml(label))</text>
          <text x="\(left + right / 2)" y="14" textLength="\(right - 10)">\(Escaping.xml(message))</text>
        </g>
      </svg>

      """
  }

  /// In pixels, with five on each side. Every character gets the same, and the text is fitted in.
  private static func width(of text: String) -> Int { max(1, text.count) * 7 + 10 }
}
