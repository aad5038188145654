import Glibc

// After each input libFuzzer looks at all counters that it knows. The program has 600,000, of which an input
// changes a few thousand, so that looking took half of the time of most targets. Therefore libFuzzer learns of a
// page of counters when an input first writes to it. Until then the page is read-only, and the system signals the
// write. The linker puts the two functions that begin with `__wrap_` in place of those that show libFuzzer
// everything.

/// The counters of the program, one for each edge.
private nonisolated(unsafe) var counters = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
/// What belongs to each counter: the address of its code, and a flag.
private nonisolated(unsafe) var places: UnsafeMutablePointer<(UInt, UInt)>?
/// How many counters lie before the first whole page of them.
private nonisolated(unsafe) var head = 0
/// The pages that were written to and that libFuzzer does not know yet.
private nonisolated(unsafe) var written = UnsafeMutableBufferPointer<Int>(start: nil, count: 0)
private nonisolated(unsafe) var writtenCount = 0
/// What is done with writes to other places.
private nonisolated(unsafe) var otherwise = sigaction()

private let pageSize = 4096

@_silgen_name("__real___sanitizer_cov_8bit_counters_init")
private func show(counters: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer)

@_silgen_name("__real___sanitizer_cov_pcs_init")
private func show(places: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer)

@_cdecl("__wrap___sanitizer_cov_8bit_counters_init")
public func note(counters start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>) {
  counters = UnsafeMutableBufferPointer(start: start, count: end - start)
}

@_cdecl("__wrap___sanitizer_cov_pcs_init")
public func note(places start: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer) {
  places = start.assumingMemoryBound(to: (UInt, UInt).self)
}

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  counters.update(repeating: 0)
  // Processes that reduce a corpus together have to count in the same order.
  if CommandLine.arguments.contains(where: { $0.hasPrefix("-") && $0.contains("merge") }) {
    show(0..<counters.count)
    return 0
  }
  head = -Int(bitPattern: counters.baseAddress) & (pageSize - 1)
  let pages = (counters.count - head) / pageSize
  written = .allocate(capacity: pages)
  show(0..<head)
  show(head + pages * pageSize..<counters.count)
  handleWrites()
  // What handles a write counts edges as well, and may not be interrupted for that: one write makes known
  // which pages it needs.
  protect(0, PROT_READ)
  counters[head] = 1
  writtenCount = 0
  for page in 0..<pages {
    if counters[range(of: page)].contains(where: { $0 != 0 }) {
      show(range(of: page))
    } else {
      protect(page, PROT_READ)
    }
  }
  return 0
}

/// Shows libFuzzer the pages of counters to which an input was the first to write.
func showNewCoverage() {
  while writtenCount > 0 {
    writtenCount -= 1
    show(range(of: written[writtenCount]))
  }
}

private func show(_ range: Range<Int>) {
  guard !range.isEmpty, let start = counters.baseAddress, let places else { return }
  show(counters: start + range.lowerBound, to: start + range.upperBound)
  show(places: places + range.lowerBound, to: places + range.upperBound)
}

private func range(of page: Int) -> Range<Int> {
  head + page * pageSize..<head + (page + 1) * pageSize
}

private func protect(_ page: Int, _ access: CInt) {
  mprotect(counters.baseAddress.map { $0 + head + page * pageSize }, pageSize, access)
}

private func handleWrites() {
  var action = sigaction()
  action.sa_flags = SA_SIGINFO | SA_ONSTACK
  sigaddset(&action.sa_mask, SIGPROF)
  action.__sigaction_handler.sa_sigaction = { _, information, _ in
    let address = Int(bitPattern: information?.pointee._sifields._sigfault.si_addr)
    let page = (address - Int(bitPattern: counters.baseAddress) - head) / pageSize
    if page >= 0, page < written.count, address - Int(bitPattern: counters.baseAddress) >= head {
      protect(page, PROT_READ | PROT_WRITE)
      written[writtenCount] = page
      writtenCount += 1
    } else {
      // The same access is tried again, and reported.
      sigaction(SIGSEGV, &otherwise, nil)
    }
  }
  sigaction(SIGSEGV, &action, &otherwise)
}
