'use strict'
// One query at one place, and what is shown of it.

const { EVERYTHING, Knowledge } = require('./knowledge')
const { NOTHING } = require('./query')
const { EMPTY } = require('./tree')

/** Why a view is looked at again; the server may send data for its query, or for others. */
const [CREATED, SERVER, OTHERS, WRITTEN, ACKNOWLEDGED, REVERTED] = [0, 1, 2, 3, 4, 5]

/** One query at one place: what the server sent about it, and what was last shown of it. */
class View {
  constructor(path, query, tag) {
    Object.assign(this, { path, query, tag })
    this.knowledge = new Knowledge()
    this.registrations = []
    this.window = NOTHING
    /** Whether the whole window is known, so that value events are raised. */
    this.isShown = false
    /** Whether everything was known when this was looked at last. */
    this.knewAll = false
    /** The same, with what pending writes covered. */
    this.wasWhole = false
  }

  /**
   * Computes the window again and returns what changed since it was last shown.
   *
   * `writes` are all visible pending ones as [path, node], `sets` those of the cause; `cover` is
   * what an unfiltered view at or above this one knows; `reach` tells which children the cause
   * reached, and matters only where not everything is known.
   */
  refresh(cause, sets, writes, cover, reach) {
    const before = this.window
    const wasShown = this.isShown
    this.knowledge.forgetAbsent((key) => !before.node.child(key).isEmpty)
    const lastWhole = writes.findLastIndex(([path]) => !path.length)
    const own = this.knowledge.knowsAll(this.query) ? this.knowledge.node : undefined
    // An unfiltered view knows more than a window, which lacks what is sent for that one alone.
    const base = this.knowledge.isNarrow ? cover || own : own || cover
    this.wasWhole = base !== undefined || lastWhole >= 0
    let value
    if (this.wasWhole) {
      value = base || EMPTY
      for (const [path, node] of writes.slice(Math.max(0, lastWhole))) {
        value = value.setting(path, node)
      }
      this.isShown = true
    } else {
      value = this.partialValue(cause, sets, writes, reach)
      if (cause === REVERTED) this.isShown = false
      this.isShown = this.isShown || this.knowledge.isComplete
    }
    this.knewAll = this.knowledge.knowsAll(this.query)
    this.window = this.query.window(value)
    this.knowledge.forgetAbsent((key) => writes.some(([path]) => path[0] === key))
    if (cause === CREATED) return []
    return this.window.changesSince(before, this.query, wasShown, this.isShown)
  }

  /**
   * Where not everything is known: the known children with the writes on top; what neither the
   * server nor a write determines stays as it was last shown.
   */
  partialValue(cause, sets, writes, reach) {
    const isFromScratch = cause === CREATED || cause === REVERTED || this.knowledge.isComplete
    // What was written below a child that was not there is a part of it as soon as there may be more.
    const startsClean = this.knewAll || (reach === EVERYTHING && isFromScratch)
    // The server's data for a window, or a window that has room, leave nothing to guess: only a pending
    // write can show more.
    const saysAll = cause === SERVER && this.knowledge.isComplete
    const isAll = startsClean || saysAll || this.knowledge.holdsAll(this.query)
    let value = isAll ? EMPTY : this.window.node
    const known = new Map(this.knowledge.node.children)
    const knownAt = (key) => known.get(key) || EMPTY
    const removed = new Set(this.knowledge.absent)
    const children = reach === EVERYTHING ? [] : reach.filter((key) => key !== '.priority')
    if (children.length < reach.length && [SERVER, OTHERS, REVERTED].includes(cause)) {
      value = value.withChild('.priority', this.knowledge.node.child('.priority'))
    }
    for (const [path, node] of writes) {
      const key = path[0]
      if (key === '.priority') {
        // On nothing it was lost, even if a later write has put something there since.
        if (cause !== ACKNOWLEDGED || startsClean) value = value.withChild(key, node)
      } else if (path.length === 1) {
        known.set(key, node)
        removed.delete(key)
        if (node.isEmpty) removed.add(key)
      } else if (!knownAt(key).isEmpty || removed.has(key)) {
        known.set(key, knownAt(key).setting(path.slice(1), node))
        if (knownAt(key).isEmpty) removed.add(key)
      }
    }
    for (const key of children) {
      if (knownAt(key).isEmpty && !removed.has(key)) {
        value = this.unknownChild(key, value, cause, sets)
      }
    }
    for (const key of removed) if (knownAt(key).isEmpty) value = value.withChild(key, EMPTY)
    const mayEnter = this.entrance(cause, reach)
    for (const [key, node] of known) {
      if (!node.isEmpty && mayEnter(key)) value = value.withChild(key, node)
    }
    return value
  }

  /**
   * Which known children may be shown now. While a limited window loads, none takes the place of
   * another unless it has changed itself: which ones come between them is not known.
   */
  entrance(cause, reach) {
    const isOpen = this.query.limit === undefined || this.knowledge.isComplete
    if (isOpen || reach === EVERYTHING) return () => true
    const changed = cause === ACKNOWLEDGED ? [] : reach
    return (key) => !this.window.node.child(key).isEmpty || changed.includes(key)
  }

  /** `value` with a child that was reached, and about which nothing is known now. */
  unknownChild(key, value, cause, sets) {
    if (value.child(key).isEmpty && (!this.isShown || this.query.filters)) return value
    if ([SERVER, OTHERS, REVERTED].includes(cause)) return value.withChild(key, EMPTY)
    if (cause === WRITTEN) {
      for (const [path, node] of sets) if (path[0] === key) value = value.setting(path, node)
    }
    return value
  }
}

/** Change by change, and for each change listener by listener in order of registration. */
function eventsOf(changes, view, registrations) {
  const events = []
  for (const change of changes) {
    for (const registration of registrations) {
      if (!registration.events.includes(change.type)) continue
      events.push({ registration, place: view.path, change, query: view.query })
    }
  }
  return events
}

module.exports = { ACKNOWLEDGED, CREATED, OTHERS, REVERTED, SERVER, View, WRITTEN, eventsOf }
