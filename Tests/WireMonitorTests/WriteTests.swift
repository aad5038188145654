import Testing

/// What the monitor says of writes.
@Suite struct WriteTests {
  @Test func `places of a merge do not overlap`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 m {"p":"/a","d":{"b":1,"b/c":2}}"#, #"2 om {"p":"/a","d":{"b":1,"b/":2}}"#)
    #expect(
      watched.found() == [
        "request 1 merges \"b\" and \"b/c\" at /a, a location within the other; write each location once "
          + "(WRT-25)",
        "request 2 merges \"b\" and \"b\" at /a, the same location; write each location once (WRT-25)",
      ])
  }

  @Test func `merges and priorities have no hash`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(
      #"1 m {"p":"/a","d":{"b":1},"h":""}"#, #"2 p {"p":"/a/.priority","d":1,"h":""}"#)
    #expect(
      watched.found() == [
        "request 1 merges at /a with a hash; only transactions have one, and they put; leave \"h\" "
          + "out (WIR-8)",
        "request 2 writes the priority /a/.priority with a hash; only transactions have one, and they "
          + "write whole locations; leave \"h\" out (WIR-8)",
      ])
  }

  @Test func `who sends a hash listens`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(#"1 q {"p":"/a","h":""}"#, #"2 p {"p":"/a/b","d":1,"h":""}"#)
    #expect(watched.found() == [])
    try watched.send(#"3 p {"p":"/b","d":1,"h":""}"#)
    #expect(
      watched.found() == [
        "note: request 3 writes /b with a hash, but no plain listen is at or above it; only "
          + "transactions have a hash, and they listen while they run (TXN-19)"
      ])
  }
}
