import Documentation
import Foundation
import Testing

/// The colours of pictures and pages.
@Suite struct ThemeTests {
  @Test(arguments: Theme.colours) func `a colour can be told from the paper`(
    colour: Theme.Colour
  ) throws {
    let needed: Double =
      switch colour.use {
      case .text: 4.5
      case .line: 3
      case .paper, .decoration: 1
      }

    #expect(try contrast(colour.light, Theme.paper.light) >= needed, "\(colour.name), light")
    #expect(try contrast(colour.dark, Theme.paper.dark) >= needed, "\(colour.name), dark")
  }

  @Test func `text can be read on what lies behind it`() throws {
    let behind = Theme.colours.filter { $0.use == .decoration && $0.name != "rule" }
    for text in Theme.colours where text.use == .text {
      for ground in behind where ground.name == "shade" {
        #expect(try contrast(text.light, ground.light) >= 4.5, "\(text.name) on \(ground.name)")
        #expect(try contrast(text.dark, ground.dark) >= 4.5, "\(text.name) on \(ground.name), dark")
      }
    }
  }

  @Test func `contrast is computed as the guidelines say`() throws {
    #expect(try contrast("#000000", "#ffffff") == 21)
    #expect(abs(try contrast("#767676", "#ffffff") - 4.54) < 0.01)
  }

  private func contrast(_ first: String, _ second: String) throws -> Double {
    let (a, b) = (try luminance(first), try luminance(second))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private func luminance(_ colour: String) throws -> Double {
    let number = try #require(Int(colour.dropFirst(), radix: 16))
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(number >> shift & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
