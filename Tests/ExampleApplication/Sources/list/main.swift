import Dispatch
import Glibc
import WilddogSync

// A shared list in a terminal: list URL USER [FOLDER]. With a folder, what is on it and what was not
// sent is kept there. Each line of standard input is a command, the end of input says goodbye.

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
  print("usage: list URL USER [FOLDER]\n\(commands)")
  exit(2)
}

// Everything that the list knows belongs to this queue.
let queue = DispatchQueue(label: "list")
WDGSync.callbackQueue = queue
WDGSync.problemHandler = { problem in say("* \(problem)") }
if arguments.count > 3 {
  WDGSync.persistenceEnabled = true
  WDGSync.persistenceFolder = arguments[3]
}
WDGApp.configure(with: WDGOptions(syncURL: arguments[1]))
let sync = WDGSync.sync()
let list = queue.sync { SharedList(sync, user: arguments[2]) }

while let line = readLine() { queue.sync { perform(line, on: list) } }

// Gone for the others at once, and nothing is lost that was added before; offline, not for long.
let sent = DispatchSemaphore(value: 0)
queue.sync { list.leave() }
sync.waitForPendingWrites { sent.signal() }
if sent.wait(timeout: .now() + 2) == .timedOut { say("* not everything was sent") }
