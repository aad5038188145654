'use strict'
// What a view believes the server has at its place.

const { EMPTY } = require('./tree')

/** The reach of a change that is not confined to some children. */
const EVERYTHING = Symbol('everything')

/** The data. A child that is missing is empty or unknown; `knows` states which. */
class Knowledge {
  constructor(node = EMPTY, isComplete = false, isNarrow = false, isRecalled = false) {
    this.node = node
    /** Whether the whole place is known, or at least the whole window of the query. */
    this.isComplete = isComplete
    /** Whether only the window is known: what lies outside is unknown, not empty. */
    this.isNarrow = isNarrow
    /** Whether what lies outside is only taken for empty: the server sent nothing. */
    this.isPresumed = false
    /** Children of which others must not rely on the rest: only something inside was told. */
    this.fragments = new Set()
    /** Children that the server has said are not there, although not all is known. */
    this.absent = new Set()
    /** What the last listen sent to the server as its hash, until that is answered. */
    this.claim = undefined
    this.isAnsweredByData = false
    /** Whether the data were kept from before, and the server has not answered a listen since. */
    this.isRecalled = isRecalled
    /** Whether children left a full window otherwise than by data for its query. */
    this.hasGaps = false
  }

  knows(key) {
    return (this.isComplete && !this.isNarrow) || !this.node.child(key).isEmpty
  }

  /** The data below `path`, if all of it is known. */
  completeData(path, query) {
    if (!this.isComplete) return undefined
    if (query.filters) {
      const isWhole = path.length && !this.node.child(path[0]).isEmpty
      if (!isWhole || this.fragments.has(path[0])) return undefined
    }
    return this.node.at(path)
  }

  // Listens and their answers

  claimNode() {
    this.claim = this.node
    this.isAnsweredByData = false
  }

  /** Takes part in the listen of another view. */
  shareClaim(other) {
    this.claim = other.claim
    this.isAnsweredByData = other.isAnsweredByData
  }

  /** The server has accepted a write of the client: what was kept is older than that. */
  accept(sets, query) {
    if (!this.isRecalled) return
    const wasFull = this.isFull(query)
    for (const [path, data] of sets) {
      if (path.length < 2 || this.knows(path[0])) this.node = this.node.setting(path, data)
    }
    if (this.isNarrow) this.node = query.window(this.node).node
    this.noteGaps(query, wasFull)
  }

  noteGaps(query, wasFull) {
    if (wasFull && this.isNarrow && !this.isFull(query)) this.hasGaps = true
  }

  /** The server answered its listen or one for all: what it did not send is as it was claimed. */
  complete(isForAll, query) {
    if (!this.isComplete) {
      // What lies outside a range may be there.
      this.isNarrow = !isForAll && Boolean(query.start || query.end)
      this.isPresumed = !isForAll && !this.isNarrow
    }
    this.isComplete = true
    this.isRecalled = this.hasGaps = false
  }

  /** What the server has agreed to; undefined if it sent data instead. */
  settleClaim() {
    const { claim } = this
    this.claim = undefined
    return this.isAnsweredByData ? undefined : claim
  }

  /** The server has agreed that this is all: what says otherwise is older. */
  take(agreed) {
    this.node = agreed
    this.isNarrow = this.isPresumed = false
    this.fragments = new Set()
    this.absent = new Set()
  }

  takeWindow(agreed, query) {
    if (!query.window(this.node).node.equals(query.window(agreed).node)) this.node = agreed
  }

  /** A child outside the window was written; once it has answered, the server does not tell of it. */
  forgetOutside(key, query) {
    if (this.claim !== undefined || this.isNarrow || this.node.child(key).isEmpty) return
    if (!query.window(this.node).node.child(key).isEmpty) return
    this.node = this.node.withChild(key, EMPTY)
    this.isPresumed = true
  }

  // Data

  /**
   * The server sends `data` for `path`. Returns the keys of the children that it reached,
   * EVERYTHING, or undefined when the data are about something unknown and were not kept.
   */
  put(data, path, query, isForAll) {
    if (!path.length) {
      this.isNarrow = !isForAll
      this.node = this.isNarrow ? query.window(data).node : data
      this.isComplete = this.isAnsweredByData = true
      this.isPresumed = this.isRecalled = this.hasGaps = false
      this.fragments = new Set()
      this.absent = new Set()
      return EVERYTHING
    }
    return this.change([[path, data]], query, isForAll)
  }

  /** The server sends that all of `changes` happened at once. */
  merge(changes, query, isForAll) {
    if (this.node.isEmpty && !this.isComplete) return undefined
    return this.change(changes, query, isForAll)
  }

  /** A change deep inside an unknown child is left out: the rest of that child is not known. */
  change(changes, query, isForAll) {
    const narrowsNow = !isForAll && !this.isNarrow
    let changed = narrowsNow ? query.window(this.node).node : this.node
    const whole = new Set(changes.filter(([p]) => p.length === 1).map(([p]) => p[0]))
    const reached = new Set()
    for (const [path, data] of changes) {
      if (!whole.has(path[0]) && !this.knows(path[0])) continue
      this.note(path, data)
      changed = changed.setting(path, data)
      reached.add(path[0])
    }
    if (!reached.size) return undefined
    this.isNarrow = !isForAll || this.isNarrow
    this.noteEmptied(reached, changed)
    const wasFull = this.isFull(query)
    this.node = this.isNarrow ? query.window(changed).node : changed
    if (isForAll) this.noteGaps(query, wasFull)
    else this.hasGaps = false
    this.forgetHidden(query, isForAll)
    return [...reached]
  }

  forgetAbsent(isKept) {
    this.absent = new Set([...this.absent].filter(isKept))
  }

  /** What has left a window may be there nevertheless, unless the window has room for all. */
  forgetHidden(query, isForAll) {
    if (isForAll) return
    if (this.isFull(query) || query.start || query.end) this.absent = new Set()
  }

  isFull(query) {
    return query.limit !== undefined && this.node.children.size >= query.limit
  }

  /** Whether the server has sent a window that has room for more than it has. */
  holdsAll(query) {
    return this.isComplete && this.isNarrow && !this.isFull(query) && !this.hasGaps
  }

  /**
   * Whether these are all data of the place: a window without bounds that has room for more leaves
   * nothing out.
   */
  knowsAll(query) {
    if (!this.isComplete) return false
    return !this.isNarrow || (!query.start && !query.end && this.holdsAll(query))
  }

  /** Notes which of these children have lost their last leaf: they are not there. */
  noteEmptied(keys, changed) {
    for (const key of keys) {
      if (key === '.priority') continue
      if (changed.child(key).isEmpty && !this.fragments.has(key)) this.absent.add(key)
    }
  }

  /** Notes what data of a child say besides themselves. */
  note(path, data) {
    this.absent.delete(path[0])
    if (path.length === 1) this.fragments.delete(path[0])
    else if (this.isPresumed && this.node.child(path[0]).isEmpty) this.fragments.add(path[0])
  }
}

module.exports = { EVERYTHING, Knowledge }
