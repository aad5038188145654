import Glibc

// What libFuzzer calls. The program has one of the targets at a time, which KENNEL_FUZZ names, so that
// each has a corpus of its own: see tools/fuzz.

/// Everything that reads what others wrote, by the name of its corpus.
let fuzzTargets: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
  ("yaml", fuzzYAML), ("json", fuzzJSON), ("scenario", fuzzScenario), ("faults", fuzzFaults),
  ("known", fuzzKnownFailures), ("adapter", fuzzAdapter), ("trace", fuzzTrace),
  ("recording", fuzzRecording), ("client-message", fuzzClientMessage),
  ("server-message", fuzzServerMessage), ("segments", fuzzSegments), ("engine", fuzzEngine),
  ("http", fuzzHTTP), ("websocket", fuzzWebSocket), ("gzip", fuzzGzip), ("rules", fuzzRules),
  ("expression", fuzzExpression),
  ("server", fuzzServer), ("sdk", fuzzSDK),
]

let fuzzTarget: @Sendable ([UInt8]) -> Void = {
  let name = getenv("KENNEL_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = fuzzTargets.first(where: { $0.name == name }) else {
    print("KENNEL_FUZZ names one of: \(fuzzTargets.map(\.name).joined(separator: " "))")
    exit(2)
  }
  return target.run
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzTarget(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the program: what should always hold does not.
func require(_ holds: Bool, _ law: @autoclosure () -> String) {
  if !holds { fatalError(law()) }
}
