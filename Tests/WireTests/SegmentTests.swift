import Testing
import Wire

@Suite struct SegmentTests {
  @Test(arguments: [0, 1, 16383, 16384])
  func `a message that fits goes as it is`(length: Int) {
    let message = String(repeating: "x", count: length)

    #expect(Segments.frames(of: message) == [message])
  }

  @Test func `a longer message goes as a count and segments`() {
    let message = String(repeating: "a", count: 16384) + String(repeating: "b", count: 16384) + "c"

    #expect(
      Segments.frames(of: message) == [
        "3", String(repeating: "a", count: 16384), String(repeating: "b", count: 16384), "c",
      ])
  }

  @Test func `no segment ends inside a surrogate pair`() {
    let message = String(repeating: "x", count: 16383) + "😀y"

    #expect(Segments.frames(of: message) == ["2", String(repeating: "x", count: 16383), "😀y"])
  }

  @Test(arguments: [0, 1, 16384, 16385, 40000, 100_000])
  func `what was cut is put together again`(length: Int) {
    let message = "{" + String((0..<length).map { $0 % 7 == 0 ? "é" : "z" })
    var assembler = SegmentAssembler()

    let messages = Segments.frames(of: message).compactMap { assembler.receive($0) }

    #expect(messages == [message])
  }

  @Test func `a keep-alive is no message, and a count of one is allowed`() {
    var assembler = SegmentAssembler()

    #expect(assembler.receive("0") == nil)
    #expect(assembler.receive("1") == nil)
    #expect(assembler.receive("{}") == "{}")
    #expect(assembler.receive("1234567") == "1234567")
  }
}
