import Mutants
import Recordings
import ReferenceClient
import TestKit
import Testing

@Suite struct ReplayTests {
  @Test(arguments: Figures.all)
  func `every group is equal or explained by a known accident`(figures: Figures) throws {
    let replay = Replay(of: try Recording(named: figures.name))

    #expect(Figures(figures.name, replay) == figures)
    #expect(replay.unexplained.isEmpty)
  }

  /// Specs/recordings.md, Agreement: these figures may only rise.
  @Test(
    arguments: [
      (folder: "Tests/RecordingsTests/Recordings", equal: 1763),
      (folder: "../shared/recordings", equal: 7603),
    ].filter { SourceTree.exists($0.folder) })
  func `recorded clients and reference client agree in no fewer groups than before`(
    folder: String, equal: Int
  ) throws {
    var summary = ReplaySummary()
    for file in try SourceTree.files(below: folder, ending: ["jsonl"]) {
      summary.add(Replay(of: try Recording(SourceTree.text(of: file), file: file)))
    }

    #expect(summary.equal >= equal)
    #expect(summary.unexplained == 0)
  }

  @Test func `every accident has a witness`() {
    let witnessed = Set(Figures.all.flatMap(\.accidents.keys))

    #expect(witnessed == Set(Accident.allCases.map(\.id)))
  }

  @Test func `every accident has its entry in the specification, under its title`() throws {
    let text = try SourceTree.text(of: "Specs/accidents.md")
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ACC-") }

    #expect(headings.map { $0.prefix(10) } == Accident.allCases.map { "## \($0.id)" })
  }

  @Test func `all recordings in the folder are replayed`() throws {
    var names: [String] = []
    for folder in ["firebase-js-12.18", "made", "wilddog-js-2.0.0", "windows"] {
      let files = try SourceTree.entries(of: "Tests/RecordingsTests/Recordings/\(folder)")
      names += files.map { "\(folder)/\($0.dropLast(6))" }
    }

    #expect(Figures.all.map(\.name) == names)
  }

  @Test(arguments: Mutant.examples)
  func `a client with a defect has unexplained differences`(mutant: Mutant) throws {
    #expect(
      try Figures.all.contains { figures in
        let recording = try Recording(named: figures.name)
        let client = mutant.makeClient(recording.profile)
        return !Replay(of: recording, with: client).unexplained.isEmpty
      })
  }

  @Test func `a client that does the same as the reference client has no unexplained difference`()
    throws
  {
    let recording = try Recording(named: "wilddog-js-2.0.0/mixed-0003-B")
    let client = ReferenceClient(profile: recording.profile)

    #expect(Replay(of: recording, with: client).unexplained.isEmpty)
    #expect(Replay(of: recording, with: client).explained.count == 6)
  }

  @Test(arguments: ["firebase-js-12.18/listens-0001-A", "wilddog-js-2.0.0/presence-0002-B"])
  func `whatever is missing in a recording without accidents is noticed`(name: String) throws {
    let recording = try Recording(named: name)
    for (index, group) in recording.groups.enumerated() where !group.received.isEmpty {
      var poorer = recording
      poorer.groups[index].outputs.remove(at: group.received[0])

      #expect(Replay(of: poorer).unexplained.contains { $0.line == group.line })
    }
  }

  @Test(arguments: [
    ("wilddog-js-2.0.0/transactions-0007-A", 26), ("firebase-js-12.18/mixed-0003-B", 22),
    ("wilddog-js-2.0.0/mixed-0009-A", 27),
  ])
  func `accidents excuse little of what is missing`(name: String, noticed: Int) throws {
    let recording = try Recording(named: name)
    var count = 0
    for (index, group) in recording.groups.enumerated() where !group.received.isEmpty {
      var poorer = recording
      poorer.groups[index].outputs.remove(at: group.received[0])
      count += Replay(of: poorer).unexplained.contains { $0.line == group.line } ? 1 : 0
    }

    #expect(count == noticed)
  }

  @Test func `a difference shows what was recorded, what was done, and where`() throws {
    let recording = try Recording(
      """
      {"recording":1,"client":"firebase","seed":1,"name":"A","epoch":0}
      {"t":0,"in":{"call":{"id":"c1","op":"set","path":"/a","value":1}}}
      {"t":1,"in":{"call":{"id":"c2","op":"listen","listener":"l1","path":"/a","event":"value"}}}
      {"t":1,"out":{"event":{"listener":"l1","type":"value","key":"a","value":2,"children":[]}}}

      """, file: "x.jsonl")
    let replay = Replay(of: recording)

    #expect(
      replay.unexplained.map { $0.text(file: "x.jsonl") } == [
        #"""
        UNEXPLAINED  x.jsonl:3
            input {"call":{"id":"c2","op":"listen","listener":"l1","path":"/a","event":"value"}}
          - {"event":{"listener":"l1","type":"value","key":"a","value":2,"children":[]}}
          + {"event":{"listener":"l1","type":"value","key":"a","value":1,"children":[]}}

        """#
      ])
  }

  @Test func `the summary has the figures of all accidents and ends with the verdicts`() throws {
    var summary = ReplaySummary()
    for name in ["wilddog-js-2.0.0/transactions-0004-A", "firebase-js-12.18/listens-0001-A"] {
      summary.add(Replay(of: try Recording(named: name)))
    }

    #expect(
      summary.text == """
        ACC-101      1  a transaction that is overtaken twice is forgotten
        ACC-102      6  a write that settles under or over another leaves a trace
        2 recordings, 70 groups with output: 63 equal (90.00 %), 7 explained by accidents, 0 unexplained
        70 passed, 0 failed, 0 skipped

        """)
  }
}
