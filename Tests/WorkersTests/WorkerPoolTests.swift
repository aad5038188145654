import System
import Testing

@Suite struct WorkerPoolTests {
  private func worker(_ script: String) throws -> Worker<Int> {
    try Worker(["-c", script], program: "/bin/sh")
  }

  @Test func `jobs are handed out and answered by lines`() throws {
    var pool = WorkerPool<Int>()
    for number in 0..<2 {
      let worker = try worker("while read line; do echo \"did $line\"; done")
      worker.begin(number, line: "job \(number)")
      pool.add(worker)
    }
    var answers: [String] = []
    while !pool.isIdle {
      for event in pool.events(within: 5000) {
        guard case let .line(line, worker) = event, let job = worker.finishJob() else { continue }
        answers.append("\(job): \(line)")
      }
    }
    pool.dismiss()

    #expect(answers.sorted() == ["0: did job 0", "1: did job 1"])
    #expect(pool.workers.map(\.done) == [1, 1])
  }

  @Test func `a worker that ends says why`() throws {
    var pool = WorkerPool<Int>()
    pool.add(try worker("echo half; echo broken >&2; exit 3"))
    var ended: [String] = []
    while ended.isEmpty {
      for case let .ended(worker) in pool.events(within: 5000) {
        let (ending, complaint) = worker.awaitEnd()
        ended.append("\(ending): \(complaint)")
      }
    }
    pool.clear(at: 0)

    #expect(ended == ["exit code 3: broken\n"])
    #expect(pool.workers.isEmpty)
  }

  @Test func `a worker that is silent for too long is given up`() throws {
    var pool = WorkerPool<Int>()
    let silent = try worker("sleep 60")
    silent.begin(1, line: "job", before: 10)
    pool.add(silent)
    pool.clear(at: 9)
    #expect(!silent.isHung)
    pool.clear(at: 11)

    #expect(silent.isHung)
    #expect(silent.process.wait() == .killed(15))
  }

  @Test func `a process is run to its end`() throws {
    let process = try FinishedProcess(
      ["-c", "echo out; echo $WORD >&2; exit 1"], environment: ["WORD": "err"],
      program: "/bin/sh")

    #expect(process.output == "out\n")
    #expect(process.errorOutput == "err\n")
    #expect(process.ending == .exited(1))
  }

  @Test func `a program that does not exist is a failure`() {
    let failure = #expect(throws: Failure.self) {
      _ = try FinishedProcess([], program: "/nowhere/at/all")
    }
    #expect(
      failure?.description
        == "cannot start /nowhere/at/all: No such file or directory; "
        + "expected the path of a program")
  }
}
