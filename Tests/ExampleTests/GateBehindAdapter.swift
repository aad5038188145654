import Runs

/// Judges a client in any language, behind its adapter, and writes a report for CI.
func gateBehindAdapter(_ command: [String], list: String, report: String) throws -> Bool {
  let check = try checkAdapter(command, ["limits"], knownFailures: list, junit: report)
  print(check.text)
  return check.passed
}
