import Glibc

// What libFuzzer calls. The program has one of the targets at a time, which KENNEL_FUZZ names, so that
// each has a corpus of its own: see tools/fuzz.

/// Everything that reads what others wrote, by the name of its corpus.
let fuzzTargets: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
  ("yaml", fuzzYAML), ("json", fuzzJSON), ("scenario", fuzzScenario), ("faults", fuzzFaults),
  ("known", fuzzKnownFailures), ("causes", fuzzKnownCauses), ("project", fuzzProject),
  ("found", fuzzFound), ("cases", fuzzCases), ("campaign", fuzzCampaign), ("report", fuzzReport),
  ("adapter", fuzzAdapter), ("run", fuzzRun), ("trace", fuzzTrace), ("recording", fuzzRecording),
  ("monitor", fuzzMonitor), ("session", fuzzSession), ("view", fuzzView), ("replay", fuzzReplay),
  ("client-message", fuzzClientMessage), ("server-message", fuzzServerMessage),
  ("segments", fuzzSegments), ("engine", fuzzEngine), ("http", fuzzHTTP),
  ("answer", fuzzAnswer), ("websocket", fuzzWebSocket), ("gzip", fuzzGzip), ("token", fuzzToken),
  ("rules", fuzzRules), ("expression", fuzzExpression), ("server", fuzzServer), ("sdk", fuzzSDK),
]

/// What the fuzzer must report, and what it must not: `tools/fuzz --self-test` runs each once.
private let plantedDefects: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
  ("planted-crash", { require($0.count < 0, "planted") }),
  ("planted-loop", { _ in while clock() >= 0 {} }),
  ("planted-wait", { _ in sleep(3) }),
  ("planted-depth", { require(depth(of: $0.count) < 0, "not reached") }),
]

/// Uses up the stack.
@inline(never) private func depth(of count: Int) -> Int {
  count < 0 ? count : depth(of: count + 1) &* 3 &+ count
}

private let fuzzTarget: @Sendable ([UInt8]) -> Void = {
  let name = getenv("KENNEL_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = (fuzzTargets + plantedDefects).first(where: { $0.name == name }) else {
    print("KENNEL_FUZZ names one of: \(fuzzTargets.map(\.name).joined(separator: " "))")
    exit(2)
  }
  limitProcessorTime()
  atexit { print("stat::processor_seconds: \(processorSeconds())") }
  return target.run
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let target = fuzzTarget
  ticks = 0
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  ticks = -1
  showNewCoverage()
  return 0
}

/// Ends the program: what should always hold does not.
func require(_ holds: Bool, _ law: @autoclosure () -> String) {
  if !holds { fatalError(law()) }
}

// A machine that does other work stops the clock of nobody, so an input is judged by the processor time that it
// takes: a timer of the process ticks ten times in each second of it.

/// How often the timer has ticked since the present input began; negative without one.
private nonisolated(unsafe) var ticks = -1

private func limitProcessorTime() {
  signal(SIGPROF) { _ in
    if ticks < 0 { return }
    ticks += 1
    guard ticks > 10 else { return }
    let message: StaticString = "an input takes more than a second of processor time\n"
    write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    abort()
  }
  let tenth = timeval(tv_sec: 0, tv_usec: 100_000)
  var timer = itimerval(it_interval: tenth, it_value: tenth)
  setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
}

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
