import TestKit
import Testing
import Tree
import UserInterface

/// Runs are made once, for all pages, and each is seen as soon as it is there.
@Suite struct ProgressTests {
  @Test func `each result is there at once, with what is run next`() throws {
    let page = try Page()

    let before = try page.progress()
    _ = page.workbench.advance()
    let after = try page.progress()

    #expect(before["results"] == [])
    #expect(before["left"] == before["total"])
    #expect(after["results"]?.elements?.first?["id"] == before["running"]?["id"])
    #expect(after["results"]?.elements?.count == 1)
    #expect(after["running"] != before["running"])
    #expect(after["left"]?.integer == (before["left"]?.integer ?? 0) - 1)
  }

  @Test func `a second page gets the results of the first and starts nothing`() throws {
    let page = try Page(selectors: ["limits/refill-after-foreign-removal", "races"])
    page.runAll()

    let second = try page.progress()
    let newest = second["newest"]?.integer ?? 0

    #expect(newest > 3)
    #expect(second["results"]?.elements?.count == newest)
    #expect(second["left"] == 0)
    #expect(!page.workbench.advance())
    #expect(try page.progress(after: newest)["results"] == [])
    #expect(try page.progress(after: newest - 1)["results"]?.elements?.count == 1)
  }

  @Test func `what has failed before is run first, and what was asked for last replaces the rest`()
    throws
  {
    let refill = "limits/refill-after-foreign-removal"
    let page = try Page(client: "no-refill", selectors: ["races/two-writers-at-once", refill])
    page.runAll()
    let runs = try page.progress()["results"]?.elements ?? []

    _ = try page.ask("POST", "/api/start", ["runs": .array(runs)])
    let started = try page.progress()
    _ = try page.ask("POST", "/api/start", ["runs": []])

    #expect(runs.first?["id"]?.string == "races/two-writers-at-once")
    #expect(started["running"]?["id"]?.string == refill)
    #expect(started["total"]?.integer == runs.count)
    #expect(try page.progress()["running"] == .null)
  }

  @Test func `the run that a page asks for counts unless it has another seed or order`() throws {
    let refill = "limits/refill-after-foreign-removal"
    let page = try Page(selectors: [refill])

    let runs = try [[], [.init("seed", "1")], [JSON.Member("order", "0")]].map {
      try page.run(refill, $0)["number"]
    }

    #expect(runs == [1, 0, 0])
    #expect(try page.scenario(refill)["results"]?.elements?.count == 1)
  }
}
