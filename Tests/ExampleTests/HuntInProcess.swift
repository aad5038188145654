import ClientInterface
import Runs

/// Looks for failures of a client in a hundred scenarios that are drawn at random.
func huntInProcess(makeClient: @escaping (Profile) -> any SyncClient) -> Bool {
  let hunt = huntClient(seeds: 1...100, makeClient: makeClient)
  print(hunt.text)
  for scenario in hunt.scenarios { print(scenario) }
  return hunt.passed
}
