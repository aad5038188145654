'use strict'
// The local tree: all views, with the pending writes on top.
//
// Nothing is ever patched: after each change every view that it can reach computes its window anew
// and raises the difference.

const { EVERYTHING, Knowledge } = require('./knowledge')
const {
  EMPTY, areRelated, compare, isSamePath, relative, startsWith,
} = require('./tree')
const {
  ACKNOWLEDGED, CREATED, OTHERS, SERVER, View, WRITTEN, eventsOf,
} = require('./view')

/** What sets by absolute path do at `place` or below it, by paths relative to it. */
function seenFrom(sets, place) {
  const seen = []
  for (const [path, node] of sets) {
    if (startsWith(path, place)) seen.push([path.slice(place.length), node])
    else if (startsWith(place, path)) seen.push([[], node.at(place.slice(path.length))])
  }
  return seen
}

/** The local copy of the database. Every operation returns the events that it owes. */
class LocalTree {
  constructor() {
    /** In order of creation: queries at one place are served oldest first. */
    this.views = []
    /** In order of issue. */
    this.writes = []
    /** What is kept of the server's data over the end of listeners and process. */
    this.kept = undefined
    this.lastTag = 0
    this.lastWrite = 0
  }

  // Looking

  view(path, query) {
    return this.views.find((view) => isSamePath(view.path, path) && view.query.equals(query))
  }

  viewTagged(tag) {
    return this.views.find((view) => view.tag === tag)
  }

  plainViews(path) {
    return this.views.filter((view) => isSamePath(view.path, path) && !view.query.filters)
  }

  plainView(path) {
    return this.plainViews(path)[0]
  }

  /** Whether an unfiltered query is listened to at `path` or above. */
  isCovered(path) {
    return this.views.some((view) => !view.query.filters && startsWith(path, view.path))
  }

  /**
   * What the server has at `path`, if some view at or above it knows; outermost first. With whether
   * that was kept, and the server has not answered yet.
   */
  serverData(path) {
    const above = this.views.filter((view) => startsWith(path, view.path))
    above.sort((a, b) => a.path.length - b.path.length)
    for (const view of above) {
      const data = view.knowledge.completeData(path.slice(view.path.length), view.query)
      if (data) return [data, view.knowledge.isRecalled]
    }
    const data = this.kept && this.kept.data(path)
    return data ? [data, true] : []
  }

  /** What the server has at `path` with the pending writes on top, except `ignored`. */
  latest(path, ignored = [], hidden = true) {
    let [node = EMPTY] = this.serverData(path)
    for (const write of this.writes) {
      if (ignored.includes(write.id) || !(write.isVisible || hidden)) continue
      for (const [place, data] of seenFrom(write.sets, path)) node = node.setting(place, data)
    }
    return node
  }

  // Listeners

  /** Returns the registration, and the events that show it what is known already. */
  register(listener, path, query, events, isOnce = false) {
    const view = this.view(path, query) || this.create(path, query)
    const registration = { listener, events, isOnce }
    view.registrations.push(registration)
    const initial = view.window.initialChanges(view.isShown)
    return [registration, eventsOf(initial, view, [registration])]
  }

  create(path, query) {
    const view = new View(path, query, query.filters ? ++this.lastTag : undefined)
    const [data, isRecalled] = this.serverData(path)
    const window = this.kept && this.kept.window(query, path)
    if (data) view.knowledge = new Knowledge(data, true, false, isRecalled)
    else if (window) view.knowledge = new Knowledge(window, true, true, true)
    else view.knowledge.node = this.knownChildren(path)
    const served = query.filters ? undefined : this.plainView(path)
    if (served) view.knowledge.shareClaim(served.knowledge)
    this.views.push(view)
    this.refresh(view, CREATED, EVERYTHING)
    return view
  }

  /** The children of `path` that are known because they are listened to themselves. */
  knownChildren(path) {
    let node = EMPTY
    for (const view of this.views) {
      if (view.path.length !== path.length + 1 || !startsWith(view.path, path)) continue
      const data = view.knowledge.completeData([], view.query)
      if (data) node = node.withChild(view.path[path.length], data)
    }
    return node
  }

  /** Takes out registrations, and views without any are left; returns these views. */
  removeRegistrations(isRemoved) {
    const gone = []
    for (const view of this.views) {
      view.registrations = view.registrations.filter((each) => !isRemoved(view, each))
      if (view.registrations.length) continue
      gone.push(view)
      if (this.kept) this.kept.retire(view)
    }
    this.views = this.views.filter((view) => view.registrations.length)
    return gone
  }

  // Writes

  write(path, sets, isVisible = true) {
    const write = { id: ++this.lastWrite, path, sets, isVisible }
    this.writes.push(write)
    return [write.id, isVisible ? this.refreshWritten(write, WRITTEN) : []]
  }

  /** Takes a write out, because the server answered it or it is given up. */
  settle(id, cause) {
    const index = this.writes.findIndex((write) => write.id === id)
    if (index < 0) return []
    const [write] = this.writes.splice(index, 1)
    if (cause === ACKNOWLEDGED) {
      if (!this.isServed(write.path)) {
        if (this.kept) for (const [path, node] of write.sets) this.kept.overwrite(path, node)
        for (const view of this.views) {
          view.knowledge.accept(seenFrom(write.sets, view.path), view.query)
        }
      }
      this.forgetOutsideWindows(write)
    }
    if (!write.isVisible) return []
    // What a later write covers completely was not to be seen and leaves no trace.
    const later = this.writes.slice(index).filter((each) => each.isVisible)
    const covers = later.flatMap(({ sets }) => sets)
      .filter(([path]) => startsWith(write.path, path))
      .map(([path, node]) => node.at(write.path.slice(path.length)))
    if (!covers.length) return this.refreshWritten(write, cause)
    // But a removal below a scalar covers nothing once the scalar is back.
    if (covers.some((node) => !node.isEmpty)) return []
    const whole = this.visitOrder(write.path).filter((view) => view.wasWhole)
    return whole.flatMap((view) => this.refresh(view, ACKNOWLEDGED, []))
  }

  /** Whether an answered listen brings all of `path`: the server has said what came of a write. */
  isServed(path) {
    return this.views.some(({ query, knowledge, path: place }) => !query.filters
      && knowledge.isComplete && !knowledge.isRecalled && startsWith(path, place))
  }

  forgetOutsideWindows(write) {
    for (const view of this.views) {
      if (!view.query.filters || this.isCovered(view.path)) continue
      for (const [path] of seenFrom(write.sets, view.path)) {
        if (path.length) view.knowledge.forgetOutside(path[0], view.query)
      }
    }
  }

  refreshWritten(write, cause) {
    return this.visitOrder(write.path).flatMap((view) => {
      const sets = seenFrom(write.sets, view.path)
      const isWhole = sets.some(([path]) => !path.length)
      const reach = isWhole ? EVERYTHING : sets.map(([path]) => path[0])
      return sets.length ? this.refresh(view, cause, reach, sets) : []
    })
  }

  // What the server says

  /** The server sends `data` for `path`; with a view, for that view alone. */
  put(data, path, only) {
    return this.apply(path, only, (view) => {
      const { knowledge, query } = view
      if (startsWith(view.path, path)) {
        return knowledge.put(data.at(view.path.slice(path.length)), [], query, !only)
      }
      const below = relative(path, view.path)
      return below && knowledge.put(data, below, query, !only)
    })
  }

  /** The server sends that all of `sets`, by absolute path, happened at once. */
  merge(sets, path, only) {
    return this.apply(path, only, (view) => {
      const above = sets.findLast(([place]) => startsWith(view.path, place))
      if (above) {
        const data = above[1].at(view.path.slice(above[0].length))
        return view.knowledge.put(data, [], view.query, !only)
      }
      const below = sets.filter(([place]) => startsWith(place, view.path))
      const changes = below.map(([place, node]) => [place.slice(view.path.length), node])
      return changes.length ? view.knowledge.merge(changes, view.query, !only) : undefined
    })
  }

  /**
   * The server answered a listen at `path` that has ended, or its end: data that came were not
   * those of listens that are still to be answered.
   */
  passOver(path) {
    for (const view of this.views) {
      if (startsWith(view.path, path)) view.knowledge.isAnsweredByData = false
    }
  }

  /** The server answered a listen: what it did not send is as the client has it. */
  completeListen(path, only) {
    const askers = only ? [only] : this.plainViews(path)
    const [agreed] = askers.map((view) => view.knowledge.settleClaim())
    return this.apply(path, only, ({ path: place, query, knowledge }) => {
      const below = relative(path, place)
      if (below && below.length) {
        return knowledge.knows(below[0]) || below.length === 1 ? [below[0]] : undefined
      }
      const inside = relative(place, path)
      if (agreed && inside) {
        if (only) knowledge.takeWindow(agreed.at(inside), query)
        else knowledge.take(agreed.at(inside))
      }
      knowledge.complete(!only, query)
      return EVERYTHING
    })
  }

  /** Lets every view learn first, then looks at each again: one message is one change. */
  apply(path, only, learn) {
    const reached = []
    for (const view of only ? [only] : this.visitOrder(path)) {
      const reach = learn(view) || (this.cover(view.path) && EVERYTHING)
      if (reach) reached.push([view, reach])
    }
    const cause = only ? SERVER : OTHERS
    return reached.flatMap(([view, reach]) => this.refresh(view, cause, reach))
  }

  // Recomputing

  refresh(view, cause, reach, sets = []) {
    const visible = this.writes.filter((write) => write.isVisible)
    const writes = visible.flatMap((write) => seenFrom(write.sets, view.path))
    const cover = view.query.filters ? this.cover(view.path) : undefined
    return eventsOf(view.refresh(cause, sets, writes, cover, reach), view, view.registrations)
  }

  /** What the outermost complete unfiltered view at or above `path` knows of it. */
  cover(path) {
    let best
    for (const view of this.views) {
      if (view.query.filters || !view.knowledge.isComplete) continue
      if (!startsWith(path, view.path)) continue
      if (!best || view.path.length < best.path.length) best = view
    }
    return best && best.knowledge.node.at(path.slice(best.path.length))
  }

  /**
   * The views that a change at `path` can reach, in the order in which they are told: below it
   * first, siblings in the order of their text, then the place, then up to the root.
   */
  visitOrder(path) {
    const related = this.views.filter((view) => areRelated(view.path, path))
    return related.sort(({ path: a }, { path: b }) => {
      for (let i = 0; i < a.length && i < b.length; i++) {
        if (a[i] !== b[i]) return compare(a[i], b[i])
      }
      return b.length - a.length
    })
  }
}

module.exports = { LocalTree }
