public import Conformance

/// The words of a scenario that was found.
public enum FoundScenarioText {
  /// What should have been, as a sentence without its full stop.
  public static func title(_ divergence: Divergence) -> String {
    divergence.kind.traits.ideal ?? "It goes as with the reference client"
  }

  /// The rules that it is about, if that is known.
  public static func rules(_ divergence: Divergence) -> [String] {
    let traits = divergence.kind.traits
    return [traits.likely.first ?? traits.missingRule ?? traits.rule ?? "EVT-23"]
  }

  /// A name for the file, after the signature.
  public static func fileName(_ signature: Signature) -> String {
    let bytes = signature.text.utf8.map { byte in
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
