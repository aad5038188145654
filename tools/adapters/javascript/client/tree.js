'use strict'
// Nodes: the data that a client keeps. A node is never changed; setting something makes a new one.

const crypto = require('crypto')
const keys = require('./keys')

const { Refusal, compare, compareKeys, integerOf, isBadKey, isBadPath } = keys

/** A placeholder that the server replaces: the time, or an addition to what is there. */
class ServerValue {
  constructor(delta) {
    this.delta = delta
  }

  static read(json) {
    const kind = json['.sv']
    if (kind === 'timestamp') return new ServerValue()
    if (kind && typeof kind.increment === 'number') return new ServerValue(kind.increment)
    return undefined
  }

  json() {
    return { '.sv': this.delta === undefined ? 'timestamp' : { increment: this.delta } }
  }

  resolved(time, current) {
    if (this.delta === undefined) return time
    return typeof current === 'number' ? current + this.delta : this.delta
  }
}

const isObject = (json) => typeof json === 'object' && json !== null && !Array.isArray(json)

/** The scalar that `json` stands for; null for nothing, lists and mappings. */
function scalarOf(json) {
  if (isObject(json)) return ServerValue.read(json) || null
  return json === undefined || Array.isArray(json) ? null : json
}

/** The priority that an application gives; a list or a mapping is none. */
function priorityOf(json) {
  if (Array.isArray(json) || (isObject(json) && scalarOf(json) === null)) {
    throw new Refusal('invalid_value')
  }
  return scalarOf(json)
}

function isSameScalar(a, b) {
  if (a instanceof ServerValue && b instanceof ServerValue) return a.delta === b.delta
  return a === b
}

const scalarJSON = (scalar) => (scalar instanceof ServerValue ? scalar.json() : scalar)

/** A scalar or children in key order, with a priority; or nothing at all. */
class Node {
  constructor(scalar, children, priority) {
    this.scalar = scalar === undefined ? null : scalar
    this.children = children || NO_CHILDREN
    this.priority = priority === undefined ? null : priority
    this.knownHash = undefined
  }

  /** Takes pairs in any order; empty children vanish, and so does a node without any. */
  static withChildren(entries, priority) {
    const kept = entries.filter(([, node]) => !node.isEmpty)
    if (!kept.length) return EMPTY
    kept.sort((a, b) => compareKeys(a[0], b[0]))
    return new Node(null, new Map(kept), priority)
  }

  get isEmpty() {
    return this.scalar === null && this.children.size === 0
  }

  equals(other) {
    if (this === other) return true
    if (!isSameScalar(this.scalar, other.scalar)) return false
    if (!isSameScalar(this.priority, other.priority)) return false
    if (this.children.size !== other.children.size) return false
    for (const [key, node] of this.children) {
      const counterpart = other.children.get(key)
      if (!counterpart || !node.equals(counterpart)) return false
    }
    return true
  }

  child(key) {
    if (key === '.priority') return this.priority === null ? EMPTY : new Node(this.priority)
    return this.children.get(key) || EMPTY
  }

  at(path) {
    return path.reduce((node, key) => node.child(key), this)
  }

  withPriority(priority) {
    return this.isEmpty ? EMPTY : new Node(this.scalar, this.children, priority)
  }

  withChild(key, child) {
    if (key === '.priority') return this.withPriority(child.scalar)
    const isNew = !this.children.has(key)
    if (child.isEmpty && isNew) return this
    const children = new Map(this.children)
    if (child.isEmpty) {
      children.delete(key)
      return children.size ? new Node(null, children, this.priority) : EMPTY
    }
    children.set(key, child)
    if (isNew) return Node.withChildren([...children], this.priority)
    return new Node(null, children, this.priority)
  }

  setting(path, node) {
    if (path.length === 0) return node
    if (path.length === 1) return this.withChild(path[0], node)
    return this.withChild(path[0], this.child(path[0]).setting(path.slice(1), node))
  }

  get hasServerValues() {
    if (this.scalar instanceof ServerValue || this.priority instanceof ServerValue) return true
    return [...this.children.values()].some((child) => child.hasServerValues)
  }

  /** With the placeholders replaced by what the server will probably put there. */
  resolving(time, current) {
    let { scalar, priority } = this
    if (priority instanceof ServerValue) priority = priority.resolved(time)
    if (scalar instanceof ServerValue) scalar = scalar.resolved(time, current.scalar)
    const children = [...this.children].map(([k, n]) => [k, n.resolving(time, current.child(k))])
    return new Node(scalar, new Map(children), priority)
  }

  /** By which client and server find out that they have the same. */
  get hash() {
    if (this.knownHash === undefined) this.knownHash = this.computedHash()
    return this.knownHash
  }

  computedHash() {
    if (this.isEmpty) return ''
    let text = this.priority === null ? '' : `priority:${hashText(this.priority)}:`
    if (this.scalar !== null) text += hashText(this.scalar)
    const inOrder = [...this.children].sort(
      ([a, x], [b, y]) =>
        compareValues(valueOf(x.priority), valueOf(y.priority)) || compareKeys(a, b))
    for (const [key, child] of inOrder) text += `:${key}:${child.hash}`
    return crypto.createHash('sha1').update(text).digest('base64')
  }

  /** The export format, with priorities. */
  json() {
    if (this.isEmpty) return null
    if (this.scalar !== null) {
      const value = scalarJSON(this.scalar)
      if (this.priority === null) return value
      return { '.value': value, '.priority': scalarJSON(this.priority) }
    }
    const json = Object.create(null)
    for (const [key, child] of this.children) json[key] = child.json()
    if (this.priority !== null) json['.priority'] = scalarJSON(this.priority)
    return json
  }

  /** What applications get: without priorities, and as a list where keys are like indexes. */
  plain(isListWhenHalfFull) {
    if (this.scalar !== null) return scalarJSON(this.scalar)
    if (this.isEmpty) return null
    const size = this.listSize(isListWhenHalfFull)
    if (size) {
      const part = (index) => this.child(String(index)).plain(isListWhenHalfFull)
      return Array.from({ length: size }, (_, index) => part(index))
    }
    const json = Object.create(null)
    for (const [key, child] of this.children) json[key] = child.plain(isListWhenHalfFull)
    return json
  }

  listSize(isListWhenHalfFull) {
    let last = -1
    for (const key of this.children.keys()) {
      const index = integerOf(key)
      if (index === undefined || index < 0 || String(index) !== key) return 0
      last = index
    }
    const count = this.children.size
    const isList = isListWhenHalfFull ? 2 * count > last + 1 : last < 2 * count
    return isList ? last + 1 : 0
  }
}

const NO_CHILDREN = new Map()
const EMPTY = new Node(null, NO_CHILDREN, null)

function hashText(scalar) {
  if (typeof scalar === 'string') return 'string:' + scalar
  if (typeof scalar === 'boolean') return 'boolean:' + scalar
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(scalar)
  return 'number:' + bytes.toString('hex')
}

const RANKS = { boolean: 1, number: 2, string: 3 }

/** How a scalar sorts: nothing, false and true, numbers, texts; children come after them all. */
function valueOf(scalar) {
  const rank = RANKS[typeof scalar] || 0
  return { rank, value: rank ? scalar : 0 }
}

const compareValues = (a, b) => a.rank - b.rank || compare(a.value, b.value)

/** The node that `json` describes in export format. Nothing is refused here. */
function fromJSON(json, priority = null) {
  if (json === null || json === undefined) return EMPTY
  if (Array.isArray(json)) {
    return Node.withChildren(json.map((value, i) => [String(i), fromJSON(value)]), priority)
  }
  if (typeof json !== 'object') return new Node(json, null, priority)
  if ('.priority' in json) priority = scalarOf(json['.priority'])
  const placeholder = ServerValue.read(json)
  if (placeholder) return new Node(placeholder, null, priority)
  if (json['.value'] !== null && json['.value'] !== undefined) {
    return fromJSON(json['.value'], priority)
  }
  const names = Object.keys(json).filter((name) => name[0] !== '.')
  return Node.withChildren(names.map((name) => [name, fromJSON(json[name])]), priority)
}

function isFinite(scalar) {
  const number = scalar instanceof ServerValue ? scalar.delta : scalar
  return typeof number !== 'number' || Number.isFinite(number)
}

function isPriority(scalar) {
  return scalar instanceof ServerValue ? scalar.delta === undefined : typeof scalar !== 'boolean'
}

/** Refuses what the database does not take at `path`. */
/**
 * [path, node] of an update in an order in which one after the other does what all at once do: a
 * node that has children in the end keeps its priority.
 */
function inOneChange(sets) {
  const rank = ([path, node]) => (path.at(-1) === '.priority' ? 2 : node.isEmpty ? 1 : 0)
  return [...sets].sort((a, b) => rank(a) - rank(b))
}

function checkNode(node, path) {
  if (!isFinite(node.scalar) || !isFinite(node.priority)) throw new Refusal('invalid_value')
  if (node.priority !== null && !isPriority(node.priority)) throw new Refusal('invalid_value')
  for (const [key, child] of node.children) {
    if (isBadKey(key)) throw new Refusal('invalid_value')
    if (isBadPath([...path, key])) throw new Refusal('invalid_path')
    checkNode(child, [...path, key])
  }
}

module.exports = {
  ...keys, EMPTY, Node, ServerValue, checkNode, compareValues, fromJSON, inOneChange, isObject,
  priorityOf, scalarJSON, scalarOf, valueOf,
}
