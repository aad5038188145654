'use strict'
// What applications hold in their hands: snapshots, references, mutable data, queries being built.
//
// Each answers questions about itself by methods of the names that scenarios use.

const { ALL, BOUNDS, INDEXES, Query, boundOf } = require('./query')
const {
  Node, Refusal, checkNode, fromJSON, isBadPath, isObject, isSamePath, parsePath, pathText,
  scalarJSON, scalarOf,
} = require('./tree')

function checkedPath(path) {
  if (isBadPath(path)) throw new Refusal('invalid_path')
  return path
}

function namedPath(text) {
  if (typeof text !== 'string') throw new Refusal('invalid_path')
  return checkedPath(parsePath(text))
}

/** A node with the order of its children: what an event handed over, as it was at that moment. */
class Snapshot {
  constructor(path, node, query = ALL, isListWhenHalfFull = false) {
    Object.assign(this, { path, node, query, isListWhenHalfFull })
  }

  value() {
    return this.node.plain(this.isListWhenHalfFull)
  }

  export() {
    return this.node.json()
  }

  exists() {
    return !this.node.isEmpty
  }

  priority() {
    return scalarJSON(this.node.priority)
  }

  key() {
    return this.path.length ? this.path[this.path.length - 1] : null
  }

  ref() {
    return pathText(this.path)
  }

  hasChild(path) {
    return !this.node.at(namedPath(path)).isEmpty
  }

  hasChildren() {
    return this.node.children.size > 0
  }

  childrenCount() {
    return this.node.children.size
  }

  /** Of each child in order its key, or its answer to a question. */
  children(question = 'key') {
    return this.keys().map((key) => this.child([key])[question]())
  }

  keys() {
    return this.query.sorted(this.node.children)
  }

  /** The part at a relative path. Its children have the default order. */
  child(path) {
    if (!path.length) return this
    const whole = [...this.path, ...path]
    return new Snapshot(whole, this.node.at(path), ALL, this.isListWhenHalfFull)
  }
}

function valid(node) {
  try {
    checkNode(node, [])
  } catch {
    throw new Refusal('invalid_value')
  }
  return node
}

/** A copy of a node that a transaction's function reads and changes, after `changes`. */
function mutableData(value, changes, isListWhenHalfFull) {
  let node = valid(fromJSON(value))
  for (const change of changes) {
    const part = namedPath(change.child === undefined ? '' : change.child)
    if ('value' in change) {
      node = node.setting(part, valid(fromJSON(change.value)))
    } else {
      const priority = scalarOf(change.priority)
      valid(new Node(true, undefined, priority))
      node = node.setting(part, node.at(part).withPriority(priority))
    }
  }
  return new Snapshot([], node, ALL, isListWhenHalfFull)
}

/** The path that an absolute address names. */
function pathOfAddress(address, host) {
  const match = /^https?:\/\/([^/?#]+)(\/[^?#]*)?$/.exec(address)
  if (!match || match[1].toLowerCase() !== host) throw new Refusal('invalid_url')
  try {
    return parsePath(match[2] || '').map(decodeURIComponent)
  } catch {
    throw new Refusal('invalid_url')
  }
}

const escaped = (key) =>
  encodeURIComponent(key)
    .replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase())

/** A name of a place. It holds no data and needs no connection. */
class Reference {
  constructor(path, host, isOwnParent) {
    Object.assign(this, { path: checkedPath(path), host, isOwnParent })
  }

  key() {
    return this.path.length ? this.path[this.path.length - 1] : null
  }

  parent() {
    return this.path.length || this.isOwnParent ? pathText(this.path.slice(0, -1)) : null
  }

  ref() {
    return pathText(this.path)
  }

  root() {
    return '/'
  }

  child(path) {
    return pathText(checkedPath([...this.path, ...namedPath(path)]))
  }

  equals(path) {
    return isSamePath(this.path, namedPath(path))
  }

  url() {
    return `https://${this.host}/${this.path.map(escaped).join('/')}`
  }

  description() {
    return this.url()
  }
}

/** A query that conditions are added to one by one. What is there is not given again. */
class QueryBuilder {
  constructor(path, conditions) {
    this.path = checkedPath(path)
    this.conditions = conditions
    this.check(conditions)
  }

  ref() {
    return pathText(this.path)
  }

  valid(further = []) {
    for (const condition of further) this.check([...this.conditions, condition])
    return true
  }

  check(conditions) {
    const parts = {}
    for (const condition of conditions) {
      const entries = isObject(condition) ? Object.entries(condition) : []
      if (entries.length !== 1) throw new Refusal('invalid_query')
      for (const [part, value] of Object.entries(this.parts(...entries[0]))) {
        if (part in parts) throw new Refusal('invalid_query')
        parts[part] = value
      }
    }
    new Query(parts).check()
  }

  parts(name, value) {
    if (name === 'orderBy' && typeof value === 'string') {
      const path = parsePath(value)
      if (!INDEXES.includes(value) && (!path.length || isBadPath(path))) {
        throw new Refusal('invalid_path')
      }
      return { orderBy: value }
    }
    if (BOUNDS[name]) {
      const bound = boundOf(value, BOUNDS[name][1])
      const inner = isObject(value) && !('.sv' in value) ? value.value : value
      if (bound.value === null && inner !== null && inner !== undefined) {
        throw new Refusal('invalid_query')
      }
      return Object.fromEntries(BOUNDS[name][0].map((end) => [end, bound]))
    }
    if (name === 'limitToFirst' || name === 'limitToLast') {
      const limit = Number.isInteger(value) ? value : 0
      return { limit, side: name === 'limitToFirst' ? 'l' : 'r' }
    }
    throw new Refusal('invalid_query')
  }
}

/** The answer to a question that is data: what is looked at, and what is asked about it. */
function answerOf(question, client, snapshots) {
  const subject = subjectOf(question, client, snapshots)
  if (typeof subject[question.ask] !== 'function') throw new Refusal('not_supported')
  return 'with' in question ? subject[question.ask](question.with) : subject[question.ask]()
}

function subjectOf(question, client, snapshots) {
  const part = checkedPath(parsePath(question.of || ''))
  const path = parsePath(question.path || '')
  const { sparseArrays, isRootOwnParent } = client.profile
  if ('snapshot' in question || 'completion' in question) {
    const handed = snapshots.get(question.snapshot || question.completion) || []
    const subject = handed[(question.nth || handed.length) - 1]
    if (!subject) throw new Refusal('no_snapshot')
    return part.length ? subject.child(part) : subject
  }
  if ('mutable' in question) {
    return mutableData(question.mutable, question.changes || [], sparseArrays).child(part)
  }
  if ('query' in question) return new QueryBuilder(path, question.query)
  const base = 'url' in question ? pathOfAddress(question.url, client.host) : checkedPath(path)
  return new Reference([...base, ...part], client.host, isRootOwnParent)
}

module.exports = { Reference, Snapshot, answerOf }
