internal import ClientInterface
internal import Interception
internal import Tree

// In which order the listeners of one query are called.

extension Mutant {
  static let betweenListenerMutants = [
    Mutant(
      "value-first-across",
      "The listeners that receive only values are called before the others of their query.",
      violating: "EVT-7 EVT-17"
    ) { step in
      step.outputs.permutingEvents { events in
        events.stablySorted { a, b in
          step.target(of: a) == step.target(of: b) && step.isOfValuesOnly(a)
            && !step.isOfValuesOnly(b)
        }
      }
    },
    Mutant(
      "listener-by-listener",
      "A listener receives all events of a change before the next one receives the first.",
      violating: "EVT-17"
    ) { step in
      step.outputs.permutingEvents { events in
        let order = events.map(\.listener)
        return events.stablySorted { a, b in
          step.target(of: a) == step.target(of: b)
            && order.firstIndex(of: a.listener) ?? 0 < order.firstIndex(of: b.listener) ?? 0
        }
      }
    },
  ]
}

extension InterceptedStep {
  private func listener(of event: Event) -> ClientModel.Listener? {
    before.listeners[event.listener] ?? after.listeners[event.listener]
  }

  fileprivate func target(of event: Event) -> Operation.Target? { listener(of: event)?.target }

  fileprivate func isOfValuesOnly(_ event: Event) -> Bool {
    listener(of: event)?.events == [.value]
  }
}
