import Hunting
import TestKit
import Testing

/// Lists of kinds of failure that are known.
@Suite struct KnownSignaturesTests {
  @Test func `each line is a signature, and behind a hash is why it is known`() throws {
    let known = try KnownSignatures(
      text: "# what Client 2.0 does\n\n  inv-38 \n"
        + "inv-4  listener on-data # value comes first\n")

    #expect(known.reasons == ["inv-38": "", "inv-4 listener on-data": "value comes first"])
    #expect(known.contains("inv-38"))
    #expect(!known.contains("inv-4"))
  }

  @Test(arguments: [("inv-38\n inv_4, listener", 2, 7), ("FAIL  inv-38", 1, 1)])
  func `a line that is no signature is refused at its first foreign character`(
    text: String, line: Int, column: Int
  ) {
    let mistake = #expect(throws: KnownSignatures.Mistake.self) {
      _ = try KnownSignatures(text: text)
    }
    #expect(mistake?.line == line)
    #expect(mistake?.column == column)
    #expect(mistake?.description.contains("expected a signature as a hunt reports it") == true)
  }
}
