import ClientEngine
import ClientInterface
import Foundation
import ReferenceClient
import Testing
import Tree

@Suite struct LockOrderTests {
  /// The function has the lock of its database and asks for that of the application; the other
  /// thread takes the application offline, which reaches the database.
  @Test func `a function may ask for a location while a thread goes offline`() async {
    let isOver = await withCheckedContinuation { (result: CheckedContinuation<Bool, Never>) in
      let finished = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Self.askInAFunction()
        finished.signal()
      }
      Thread.detachNewThread {
        result.resume(returning: finished.wait(timeout: .now() + 180) == .success)
      }
    }

    #expect(isOver, "the two threads wait for each other")
  }

  private static func askInAFunction() {
    let url = "https://kennel.wilddogio.com/"
    let application = Application(trap: { _ in }) { address, _, _ in
      Engine(EngineSettings(.wilddog2, address, .init()), on: IdlePlatform()) { _ in }
    }
    let engine = application.location(of: url, .second).engine
    let function: (Node) -> TransactionFunction.Run = { node in
      let begins = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        begins.signal()
        application.go(.goOffline)
      }
      begins.wait()
      // Long enough for the other thread to wait for the database.
      Thread.sleep(forTimeInterval: 0.2)
      _ = application.location(of: url, .second)
      return .ended(Completion(committed: false, value: node))
    }
    engine.perform(.transaction("counter", .abort, localEvents: .shown), function: function)
  }
}
