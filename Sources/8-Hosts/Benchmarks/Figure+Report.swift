package import System
import Text

extension Figure {
  /// Measures figures, and writes a line for each of them below the name of the processor.
  package static func report(
    _ figures: [Figure], rounds: Int, write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    try write("on  \(Measurement.processor)\n\n")
    for figure in figures {
      let value = figure.measure(rounds)
      try write(
        "\(padded(figure.name, to: 17)) \(padded(value.map(figure.text) ?? "not measured", to: 21)) "
          + "\(padded(figure.verdict(on: value), to: 29)) \(figure.remark)\n")
    }
  }
}

extension Growth {
  /// Measures everything that can grow, and writes a line for each kind.
  ///
  /// - Returns: Whether the time of all of them grows with what is in the run.
  package static func report(
    rounds: Int, write: (String) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var areLinear = true
    for growth in all {
      let seconds = growth.measure(rounds: rounds)
      areLinear = areLinear && growth.isLinear(seconds)
      try write(growth.line(of: seconds))
    }
    return areLinear
  }
}
