internal import CCounting

// How the program counts references. The linker puts these two functions in place of those of the
// runtime, in the library of Swift too. A count that several threads may see costs a locked instruction,
// some hundred of them for an event of a run; hunts and runs have one thread. As soon as a second one
// begins, counts are kept as the runtime keeps them.

/// Adds to the count of an object.
@c(__wrap_swift_retain)
public func retain(_ object: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  kennel_has_one_thread() ? kennel_retain(object) : __real_swift_retain(object)
}

/// Takes from the count of an object, and destroys it with the last reference.
@c(__wrap_swift_release)
public func release(_ object: UnsafeMutableRawPointer?) {
  if kennel_has_one_thread() { kennel_release(object) } else { __real_swift_release(object) }
}
