import Testing
import Tree

@Suite struct AddressTests {
  @Test(arguments: [
    ("https://h.test/a/b", "https://h.test/a/b"), ("https://h.test", "https://h.test/"),
    ("http://H.test//a//", "https://h.test/a"), ("https://h.test/a%20b/%C3%A9", nil),
    ("https://h.test/-._~/%25", nil),
  ])
  func `an address is read and written again`(text: String, written: String?) {
    #expect(Address(text)?.text == written ?? text)
  }

  @Test(arguments: [
    "", "h.test/a", "https://", "https:///a", "ftp://h.test/a", "https://h.test/a?b=c",
    "https://h.test/a#b", "https://h.test/%", "https://h.test/%2", "https://h.test/%zz",
    "https://h.test/%C3",
  ])
  func `another text is no address`(text: String) {
    #expect(Address(text) == nil)
  }

  @Test func `every key survives the way through an address`() throws {
    for code in (1...0x2FF).compactMap(Unicode.Scalar.init) where code != "/" {
      let address = Address(host: "h", path: Path([Key("x\(code)")]))

      #expect(Address(address.text) == address, "U+\(String(code.value, radix: 16))")
    }
  }
}

@Suite struct ArrayReadingTests {
  @Test(arguments: [
    // Keys, whether more than half of the indices are there, and whether at least half are.
    (["0"], true, true), (["1"], false, true), (["0", "1"], true, true), (["0", "2"], true, true),
    (["0", "3"], false, true), (["0", "1", "4"], true, true), (["0", "1", "5"], false, true),
    (["0", "1", "6"], false, false), (["2147483647"], false, false), (["0", "a"], false, false),
  ])
  func `the two readings differ at exactly half`(keys: [String], most: Bool, half: Bool) {
    let node = Node(Children(keys.map { (Key($0), Node(1)) }))

    #expect((node.plainJSON(.moreThanHalf).elements != nil) == most)
    #expect((node.plainJSON(.belowTwiceTheCount).elements != nil) == half)
  }
}
