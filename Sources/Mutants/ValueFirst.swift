internal import ClientInterface

/// Raises the value event of a change before its child events.
struct ValueFirst: Spoiler {
  var client: any SyncClient

  func spoiled(_ outputs: [ClientOutput], of input: ClientInput) -> [ClientOutput] {
    var result = outputs
    // Where the events of a listener stand that no value event has ended yet.
    var open: [ListenerID: [Int]] = [:]
    for index in outputs.indices {
      guard let event = outputs[index].event else { continue }
      let places = open[event.listener, default: []] + [index]
      guard event.type == .value else {
        open[event.listener] = places
        continue
      }
      open[event.listener] = nil
      let rotated = [index] + places.dropLast()
      for (place, source) in zip(places, rotated) { result[place] = outputs[source] }
    }
    return result
  }
}
