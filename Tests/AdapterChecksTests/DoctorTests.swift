import AdapterSessions
import Runs
import System
import TestKit
import Testing

@Suite struct DoctorTests {
  private var adapter: AdapterOptions {
    AdapterOptions(command: [Program.kennel.path, "adapter"]) { _ in }
  }

  @Test func `an adapter is examined without a scenario of the kit's files`() throws {
    var doctor = Doctor(CheckSettings(adapter))
    var lines: [String] = []

    try doctor.examine(with: { () throws(Failure) in [] }) { finding throws(Failure) in
      lines.append(finding.text)
    }

    #expect(!doctor.hasFailed)
    #expect(lines.first?.hasPrefix("ok    it starts and introduces itself") == true)
    #expect(!lines.contains { $0.hasPrefix("FAIL") })
    #expect(doctor.summary.contains(" failed, "))
  }

  @Test func `nothing more is looked at when it does not start`() throws {
    var doctor = Doctor(CheckSettings(AdapterOptions(command: ["/does/not/exist"]) { _ in }))
    var lines: [String] = []

    try doctor.examine(with: { () throws(Failure) in [] }) { finding throws(Failure) in
      lines.append(finding.text)
    }

    #expect(doctor.hasFailed)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("cannot start /does/not/exist") == true)
    #expect(doctor.summary == "\n0 passed, 1 failed, 0 skipped\n")
  }
}
