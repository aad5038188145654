/// Where a fault comes from.
struct Origin {
  /// The position of its mark; `nil` for one that nobody asks about.
  var mark: Int?
  /// The event that set it off; `nil` for a step.
  var cause: Int?

  static let step = Origin()
}
