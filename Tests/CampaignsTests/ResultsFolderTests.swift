import Hunting
import Runs
import System
import TestKit
import Testing

@Suite struct ResultsFolderTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func campaign(_ name: String, _ records: [ChunkRecord]) throws -> String {
    let path = folder.path(name)
    let opened = try ResultsFolder.open(path, HuntSettings(), resuming: false)
    try opened.folder.append(records)
    return path
  }

  @Test func `a campaign goes on with the records that it has`() throws {
    let records = [ChunkRecord(seeds: 1...10), ChunkRecord(seeds: 11...20)]
    let path = try campaign("a", records)

    #expect(ResultsFolder.hasCampaign(path))
    #expect(
      try ResultsFolder.open(path, HuntSettings(), resuming: true).records == records)
    let failure = #expect(throws: Failure.self) {
      _ = try ResultsFolder.open(path, HuntSettings(), resuming: false)
    }
    #expect(
      failure?.description
        == "\(path) has the results of a hunt already; go on with it by --resume, or name another folder"
    )
  }

  @Test(arguments: [("notes.txt", false), ("states.txt", false), (".gitignore", true)])
  func `a hunt does not begin among other files, which stay as they are`(
    name: String, begins: Bool
  ) throws {
    try folder.write("mine", to: name)
    let failure: String?
    do throws(Failure) {
      _ = try ResultsFolder.open(folder.path(""), HuntSettings(), resuming: false)
      failure = nil
    } catch {
      failure = error.description
    }

    #expect(
      failure
        == (begins
          ? nil
          : "\(folder.path("")) holds something else, such as \(name); expected an empty folder or a new one "
            + "for the results of a hunt, and nothing was written"))
    #expect(try folder.text(name) == "mine")
  }

  @Test func `results of several campaigns are put together`() throws {
    let first = try campaign("a", [ChunkRecord(seeds: 1...10)])
    let second = try campaign("b", [ChunkRecord(seeds: 11...20), ChunkRecord(seeds: 1...10)])
    let merged = try MergedResults(of: [first, second])
    let whole = folder.path("whole")
    try merged.write(to: whole)

    #expect(merged.results.seeds.count == 20)
    #expect(
      try ResultsFolder.records(in: whole).records
        == [ChunkRecord(seeds: 1...10), ChunkRecord(seeds: 11...20)])
  }

  @Test func `of the recipes those are kept whose seeds still come first somewhere`() throws {
    let recipe = try #require(Recipe(text: "1-2-3.4.5_.6.0"))
    func results(_ name: String, _ seeds: [UInt64]) throws -> String {
      let path = try campaign(name, [])
      let folder = try ResultsFolder.open(path, HuntSettings(), resuming: true).folder
      try folder.append(seeds.compactMap { StateTable.Entry(text: "7:\($0)") })
      try folder.append(seeds.map { KeptRecipe(seed: $0, recipe: recipe) })
      return path
    }
    let whole = folder.path("whole")
    try MergedResults(of: [results("a", [40, 50]), results("b", [10, 20, 30])]).write(to: whole)

    #expect(try ResultsFolder.recipes(in: whole).map(\.seed) == [10, 20, 30])
    #expect(try Corpus(keptIn: whole, HuntSettings()).recipes == [recipe])
  }

  @Test(arguments: [
    HuntJob.run(1...5), .watch(7...7), .hash(3, nil), .hash(4, Recipe(text: "1-2-3.4.5_.6.0")),
    .save(.init(seed: 4, signature: "INV-4 listener", file: "found/a b.yaml")),
    .draw(.init(seed: 4, signature: "crash", file: "found/crash.yaml")),
  ])
  func `a job is read as it was written`(job: HuntJob) {
    #expect(HuntJob(line: job.line) == job)
  }

  @Test func `a line that is no job is a failure`() throws {
    let worker = try HuntWorker(HuntOptions(), corpus: nil)

    #expect(throws: Failure.self) { try worker.answer(to: "dance 1..2") { _ in } }
    #expect(try worker.answer(to: "run 1..2") { _ in }.hasPrefix("record "))
  }
}
