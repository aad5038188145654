import Testing

@testable import Runs

@Suite struct ClientEffortTests {
  @Test("The effort of several jobs is that of all of them, and shares are of processor time")
  func report() throws {
    var effort = ClientEffort()
    for job in [[200, 12_000, 1_000, 8_000, 500, 0], [0, 0, 0, 0, 0, 27_000]] as [[Int64]] {
      let inMilliseconds = ClientEffort(
        zip(job, [1, 1] + Array(repeating: 1_000_000, count: 4)).map(*))
      let progress = HuntJob.Progress(line: "effort \(inMilliseconds.text)")
      #expect(progress == .effort(inMilliseconds))
      effort.add(inMilliseconds)
    }
    #expect(
      effort.report == """
        5.6 scenarios a second of processor time, 60 round trips each; of hunting the kit took 11 %,
        the start of the program 6 %; shrinking and confirming took 75 % of the whole

        """)
  }

  @Test(
    "What is shrunk is no seed that was run",
    arguments: [
      (HuntJob.run(3...7), "hunting", 5), (.watch(3...3), "hunting", 1),
      (.hash(3, nil), "hunting", 0),
      (.save(.init(seed: 3, signature: "inv-1", file: "f")), "shrinking", 0),
    ])
  func activity(job: HuntJob, activity: String, seeds: Int) {
    #expect(job.activity == activity)
    #expect(job.seeds == seeds)
  }
}
