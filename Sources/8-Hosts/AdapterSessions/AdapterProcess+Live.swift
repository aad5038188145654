package import AdapterProtocol
import System
import Tree

// The conversation with an adapter whose clients have a clock of their own: the kit does not wait
// for anybody.

extension AdapterProcess {
  /// Asks without waiting for the answer.
  package func post(_ request: AdapterRequest) {
    run = request.run ?? run
    isFresh = false
    post(dialogue.ask(request))
  }

  /// Asks something that costs nothing to answer: every adapter says that it does not know it.
  package func postProbe() {
    isFresh = false
    post(dialogue.ask(unknown: [.init("probe", .object([]))]))
  }

  private func post(_ bytes: [UInt8]) {
    transcript?.append(">", bytes)
    unsent = offer(unsent + bytes)
  }

  /// Whether everything that it was asked is answered.
  package var isIdle: Bool { unsent.isEmpty && dialogue.answer.isComplete }

  /// Reads what it has written, and writes what waits for it.
  ///
  /// - Returns: What its clients have done meanwhile.
  /// - Throws: What is wrong with it; the process is then good for nothing more.
  package func exchange() throws(AdapterFault) -> [AdapterDialogue.ReceivedOutput] {
    unsent = offer(unsent)
    while try listen(within: 0, forSpace: false) {}
    if transport.streams[.output] == nil || transport.hasEnded {
      throw dialogue.fault(atEnd: ending())
    }
    if ignoresInput { throw .closedInput }
    return dialogue.takeReceived()
  }

  /// What it means that it has not answered for so many milliseconds.
  package func silence(after milliseconds: Int) -> AdapterFault {
    .silent(
      milliseconds: milliseconds, hasWritten: dialogue.answer.hasBegun,
      unfinishedLine: dialogue.unfinishedLine)
  }

  /// The descriptors that it writes to.
  package var outputs: [Int32] { ChildProcess.Stream.allCases.compactMap { transport.streams[$0] } }
}
