'use strict'
// Queries, the windows that they show, and what changes from one window to the next.

const {
  EMPTY, Node, Refusal, compareKeys, compareValues, isObject, parsePath, scalarJSON,
  scalarOf, valueOf,
} = require('./tree')

const REMOVED = 'child_removed'
const ADDED = 'child_added'
const MOVED = 'child_moved'
const CHANGED = 'child_changed'
const VALUE = 'value'
const EVENTS = [REMOVED, ADDED, MOVED, CHANGED, VALUE]

const INDEXES = ['.key', '.value', '.priority']
const CHILDREN = { rank: 4, value: 0 }

/** An ordering with a range and a limit. `orderBy` is `.key`, `.value`, … or a child's path. */
class Query {
  constructor({ orderBy = '.priority', start, end, limit, side } = {}) {
    this.orderBy = orderBy
    this.childPath = INDEXES.includes(orderBy) ? undefined : parsePath(orderBy)
    Object.assign(this, { start, end, limit, side })
    this.filters = Boolean(start || end || limit !== undefined)
    /** Whether a range leaves out values of other kinds than those of its bounds. */
    this.staysWithinKind = false
    this.id = JSON.stringify(this.wire(true))
  }

  equals(other) {
    return Boolean(other) && this.id === other.id
  }

  check() {
    if (this.limit !== undefined && this.limit < 1) throw new Refusal('invalid_query')
    if (this.orderBy !== '.key') return
    for (const bound of [this.start, this.end]) {
      if (bound && (typeof bound.value !== 'string' || bound.key !== undefined)) {
        throw new Refusal('invalid_query')
      }
    }
  }

  // Ordering

  valueIn(node) {
    if (this.childPath) node = node.at(this.childPath)
    else if (this.orderBy === '.priority') return valueOf(node.priority)
    else if (this.orderBy === '.key') return valueOf(null)
    return node.children.size ? CHILDREN : valueOf(node.scalar)
  }

  /** The keys of `children` in the order of the query. */
  sorted(children) {
    const keys = [...children.keys()]
    if (this.orderBy === '.key') return keys
    if (this.orderBy === '.priority' && ![...children.values()].some((n) => n.priority !== null)) {
      return keys
    }
    const entries = keys.map((key) => [key, this.valueIn(children.get(key))])
    entries.sort(([a, x], [b, y]) => compareValues(x, y) || compareKeys(a, b))
    return entries.map(([key]) => key)
  }

  /** Whether a child that was `old` and is `new` may stand elsewhere now. */
  moves(before, after) {
    if (this.orderBy === '.key') return false
    if (this.orderBy === '.value') return !before.equals(after)
    return compareValues(this.valueIn(before), this.valueIn(after)) !== 0
  }

  // Windows

  /** What the query shows of `node`. */
  window(node) {
    let keys = this.sorted(node.children)
    if (!this.filters) return new Window(node, keys)
    if (this.start || this.end) {
      keys = keys.filter((key) => this.selects(key, node.children.get(key)))
    }
    if (this.limit !== undefined) {
      keys = this.side === 'l' ? keys.slice(0, this.limit) : keys.slice(-this.limit)
    }
    return new Window(Node.withChildren(keys.map((key) => [key, node.children.get(key)])), keys)
  }

  selects(key, node) {
    if (this.staysWithinKind && this.orderBy !== '.key') {
      const { rank } = this.valueIn(node)
      for (const bound of [this.start, this.end]) {
        if (bound && bound.value !== null && valueOf(bound.value).rank !== rank) return false
      }
    }
    if (this.start) {
      const distance = this.distance(key, node, this.start)
      if (this.start.isExclusive ? distance <= 0 : distance < 0) return false
    }
    if (this.end) {
      const distance = this.distance(key, node, this.end)
      if (this.end.isExclusive ? distance >= 0 : distance > 0) return false
    }
    return true
  }

  /** Negative before the bound, zero at it, positive behind it. */
  distance(key, node, bound) {
    if (this.orderBy === '.key') {
      return typeof bound.value === 'string' ? compareKeys(key, bound.value) : 1
    }
    const order = compareValues(this.valueIn(node), valueOf(bound.value))
    return order || bound.key === undefined ? order : compareKeys(key, bound.key)
  }

  // The wire

  /** The query as requests carry it. */
  wire(statesInclusion) {
    const fields = {}
    const write = (bound, value, key, inclusive, outermost) => {
      if (!bound) return
      fields[value] = scalarJSON(bound.value)
      if (bound.key !== undefined) fields[key] = bound.key
      else if (bound.isExclusive && this.orderBy !== '.key') fields[key] = outermost
      if (statesInclusion || bound.isExclusive) fields[inclusive] = !bound.isExclusive
    }
    write(this.start, 'sp', 'sn', 'sin', '[MAX_NAME]')
    write(this.end, 'ep', 'en', 'ein', '[MIN_NAME]')
    if (this.limit !== undefined) Object.assign(fields, { l: this.limit, vf: this.side })
    if (this.orderBy !== '.priority') {
      fields.i = this.childPath ? this.childPath.join('/') : this.orderBy
    }
    return fields
  }
}

const BOUNDS = {
  startAt: [['start'], false], startAfter: [['start'], true],
  endAt: [['end'], false], endBefore: [['end'], true], equalTo: [['start', 'end'], false],
}

function boundOf(argument, isExclusive) {
  if (!isObject(argument) || '.sv' in argument) {
    return { value: scalarOf(argument), key: undefined, isExclusive }
  }
  return { value: scalarOf(argument.value), key: argument.key, isExclusive }
}

/** The query that is described as `{orderBy: 'x', startAt: 3, limitToFirst: 2}`. */
function queryOf(description = {}) {
  const parts = { orderBy: description.orderBy }
  for (const [name, value] of Object.entries(description)) {
    if (BOUNDS[name]) {
      for (const end of BOUNDS[name][0]) parts[end] = boundOf(value, BOUNDS[name][1])
    } else if (name !== 'orderBy') {
      parts.limit = Number.isInteger(value) ? value : 0
      parts.side = name === 'limitToFirst' ? 'l' : 'r'
    }
  }
  return new Query(parts)
}

/** What `Query.wire` writes, as it is stored. */
function queryFromWire(fields) {
  const end = (value, key, inclusive, outermost) =>
    value in fields
      ? {
          value: scalarOf(fields[value]),
          key: fields[key] === outermost ? undefined : fields[key],
          isExclusive: fields[inclusive] === false,
        }
      : undefined
  return new Query({
    orderBy: fields.i,
    start: end('sp', 'sn', 'sin', '[MAX_NAME]'),
    end: end('ep', 'en', 'ein', '[MIN_NAME]'),
    limit: fields.l,
    side: fields.vf,
  })
}

/** What a query shows: a node with the order of its children. */
class Window {
  constructor(node, keys) {
    this.node = node
    this.keys = keys
  }

  /** What shows the window to a listener who is new to it. */
  initialChanges(isShown) {
    const changes = this.changes(ADDED, this.keys)
    if (isShown) changes.push({ type: VALUE, node: this.node })
    return changes
  }

  /** Removed, added, moved, changed, then value; previous keys are those of this window. */
  changesSince(old, query, wasShown, isShown) {
    const isSame = this.node.equals(old.node)
    if (isSame && isShown === wasShown) return []
    const before = old.node.children
    const after = this.node.children
    const [added, moved, changed] = [[], [], []]
    for (const key of this.keys) {
      const node = after.get(key)
      const earlier = before.get(key)
      if (!earlier) added.push(key)
      else if (!node.equals(earlier)) {
        changed.push(key)
        if (query.moves(earlier, node)) moved.push(key)
      }
    }
    const removed = old.keys.filter((key) => !after.has(key))
    const changes = removed.map((key) => ({ type: REMOVED, key, node: before.get(key) }))
    changes.push(...this.changes(ADDED, added))
    changes.push(...this.changes(MOVED, moved))
    changes.push(...this.changes(CHANGED, changed))
    if (isShown && (!wasShown || !isSame)) changes.push({ type: VALUE, node: this.node })
    return changes
  }

  /** A change without a previous key at all has `previous` undefined, the first child null. */
  changes(type, keys) {
    if (!keys.length) return []
    const previous = new Map(this.keys.map((key, index) => [key, this.keys[index - 1] ?? null]))
    return keys.map((key) => (
      { type, key, node: this.node.children.get(key), previous: previous.get(key) }))
  }
}

const ALL = new Query()
const NOTHING = new Window(EMPTY, [])

module.exports = {
  ALL, BOUNDS, EVENTS, INDEXES, NOTHING, Query, VALUE, boundOf, queryFromWire, queryOf,
}
