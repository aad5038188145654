import ClientInterface
import ReferenceClient
import Runs
import ServerHost
import Tree

/// The client that is judged.
func makeClient(_ profile: Profile) -> any SyncClient { ReferenceClient(profile: profile) }

let check = try checkClient(["limits"], profiles: [.firebase], makeClient: makeClient)
print("gate: \(check.passed), \(check.exitCode)")

let hunt = huntClient(seeds: 1...20, profile: .firebase, makeClient: makeClient)
print("campaign: \(hunt.passed), \(hunt.scenarios.count) found")

if let kennel = CommandLine.arguments.dropFirst().first {
  let check = try checkAdapter([kennel, "adapter"], ["writes/local-echo"])
  print("adapter gate: \(check.passed)")
}

try serveLocally(["room": ["a": 1]], until: { true }) { print("server: \($0 > 0)") }
