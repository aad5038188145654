/// A way in which a server can word what it has to convey.
///
/// All of them convey the same, and a client must be able to receive each (WIR-20). Where a form
/// does not apply, the server words it as in the first one. The raw values are the words of
/// scenarios; the order is that of the choices of recorded runs and only grows at the end.
public enum WireForm: String, CaseIterable, Hashable, Sendable {
  /// As recorded servers do it. Plain listens get a change as it was written, queries a merge of the
  /// children that changed; a listen with the right hash gets no data.
  case asWritten = "as-written"
  /// All that the listen covers, as one put. A listen with the right hash gets its data all the
  /// same: null where there is nothing.
  case whole
  /// A merge at the location of the listen: the children that differ, each of them whole.
  case children
  /// A put of the only child that differs, at its own location.
  case child
  /// A merge at the location of the listen: paths that go as deep as the differences.
  case deep
  /// The same at the deepest location that has all differences, as a put if it is the only one.
  case deepest
  /// A merge with its parts in the opposite order.
  case reversed
  /// The same message twice.
  case twice
}
