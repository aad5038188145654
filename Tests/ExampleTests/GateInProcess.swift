import ClientInterface
import Runs

/// Judges a client in this process against a list of known failures, and writes a report for CI.
func gateInProcess(
  list: String, report: String, makeClient: @escaping (Profile) -> any SyncClient
) throws -> Bool {
  let check = try checkClient(
    ["limits"], knownFailures: list, junit: report, makeClient: makeClient)
  print(check.text)
  return check.passed
}
