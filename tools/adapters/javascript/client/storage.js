'use strict'
// What outlives the process: who is signed in, pending writes, and data that were known.

const { queryFromWire } = require('./query')
const {
  EMPTY, compare, fromJSON, isObject, isSamePath, parsePath, pathText, relative, startsWith,
} = require('./tree')
const { Put } = require('./wire')
const { Writing } = require('./writes')

const queryOfView = (view) => (view.query.filters ? view.query : undefined)

/** What is kept of one place: everything, or the window of a filtering query. */
class Entry {
  constructor(path, query, node, lastUse) {
    Object.assign(this, { path, query, lastUse })
    this.set(node)
  }

  set(node) {
    this.node = node
    this.bytes = Buffer.byteLength(JSON.stringify(node.json()))
  }

  isOf(view) {
    const query = queryOfView(view)
    const isSameQuery = query ? query.equals(this.query) : !this.query
    return isSameQuery && isSamePath(this.path, view.path)
  }

  get key() {
    return 'data/' + this.path.join('/') + (this.query ? '#' + this.query.id : '')
  }

  get text() {
    const fields = { data: this.node.json(), path: pathText(this.path), used: this.lastUse }
    return JSON.stringify(this.query ? { ...fields, query: this.query.wire(true) } : fields)
  }
}

/**
 * The server's data that outlive the listeners and the process.
 *
 * An entry that a view stands for repeats what the view knows; the others learn what is received of
 * their places from any source, so that all that is kept agrees.
 */
class KeptData {
  constructor(entries, capacity) {
    Object.assign(this, { entries, capacity, inUse: [] })
    this.lastUse = Math.max(0, ...entries.map((entry) => entry.lastUse))
    this.bytes = this.total()
  }

  total() {
    return this.entries.reduce((sum, entry) => sum + entry.bytes, 0)
  }

  /** What is kept of `path`, if all of it is; the entry nearest to the root is asked. */
  data(path) {
    const above = this.entries.filter((entry) => !entry.query && startsWith(path, entry.path))
    above.sort((a, b) => a.path.length - b.path.length)
    return above.length ? above[0].node.at(path.slice(above[0].path.length)) : undefined
  }

  window(query, path) {
    const entry = this.entries.find((each) => each.isOf({ path, query }))
    return query.filters && entry ? entry.node : undefined
  }

  /** Takes over what the views know, and throws out what is too much. */
  follow(views) {
    const before = this.inUse
    this.inUse = [...views]
    for (const view of views) this.learn(view)
    for (const view of views) if (!before.includes(view)) this.touch(view)
    this.throwOut()
  }

  /** Takes over what a view knew whose last listener has gone: that was a use of it. */
  retire(view) {
    this.learn(view)
    this.touch(view)
  }

  entryOf(view) {
    return this.entries.find((entry) => entry.isOf(view))
  }

  learn(view) {
    if (!view.knowledge.isComplete) return
    const { query, path } = view
    const node = query.filters ? query.window(view.knowledge.node).node : view.knowledge.node
    const entry = this.entryOf(view)
    const old = entry ? entry.node : EMPTY
    if (entry && old.equals(node)) return
    if (entry) entry.set(node)
    else this.entries.push(new Entry(path, queryOfView(view), node, ++this.lastUse))
    if (!query.filters) {
      this.overwrite(path, node)
      return
    }
    for (const [key, child] of node.children) {
      // What left a window need not be gone.
      if (!old.child(key).equals(child)) this.overwrite([...path, key], child)
    }
  }

  /** The server has `node` at `path`, as far as it is known. */
  overwrite(path, node) {
    for (const entry of this.entries) {
      if (this.inUse.some((view) => entry.isOf(view))) continue
      const below = relative(path, entry.path)
      const above = relative(entry.path, path)
      if (!below && !above) continue
      const changed = below ? entry.node.setting(below, node) : node.at(above)
      entry.set(entry.query ? entry.query.window(changed).node : changed)
    }
  }

  touch(view) {
    const entry = this.entryOf(view)
    if (entry) entry.lastUse = ++this.lastUse
  }

  /** When what is kept has grown and is too much, what was unused for longest goes first. */
  throwOut() {
    let total = this.total()
    if (total > this.bytes) {
      const isUnused = (entry) => !this.inUse.some((view) => entry.isOf(view))
      const unused = this.entries.filter(isUnused).sort((a, b) => a.lastUse - b.lastUse)
      for (const entry of unused) {
        if (total <= this.capacity) break
        this.entries = this.entries.filter((each) => each !== entry)
        total -= entry.bytes
      }
    }
    this.bytes = total
  }

  /** Forgets what may not be read any more. */
  forget(path) {
    this.entries = this.entries.filter((entry) => !startsWith(entry.path, path))
  }
}

/** The part of a client that keeps things over its end. */
class Storing extends Writing {
  /**
   * Takes up what earlier processes have left: nothing is raised and nothing completes, because
   * there are no listeners yet and the calls are gone.
   */
  recall(storage, cacheBytes) {
    const keepsData = cacheBytes !== undefined
    this.memory = { keepsData, isStale: false, stored: new Map() }
    const [writes, entries] = [[], []]
    for (const [key, text] of storage) {
      if (key === 'credential') this.token = text
      else if (!keepsData || !/^(paused$|write\/|data\/)/.test(key)) continue
      else if (key === 'paused') this.gate = 'paused'
      else if (!this.take(key, text, writes, entries)) {
        this.env.log(`what is stored as ${key} cannot be read and is erased`)
        this.env.erase(key)
        continue
      }
      this.memory.stored.set(key, text)
    }
    if (!keepsData) return
    this.tree.kept = new KeptData(entries, cacheBytes)
    for (const [number, fields] of writes) this.restore(number, fields)
  }

  /** Takes in one stored text; returns whether it can be read. */
  take(key, text, writes, entries) {
    try {
      const fields = JSON.parse(text)
      if (key.startsWith('write/')) {
        if (!isObject(fields.merge) && !('put' in fields)) return false
        writes.push([Number(key.slice(6)), { ...fields, path: parsePath(fields.path) }])
        return true
      }
      const query = fields.query && queryFromWire(fields.query)
      const node = fromJSON(fields.data)
      const entry = new Entry(parsePath(fields.path), query, node, fields.used)
      if (entry.key === key) entries.push(entry)
      return entry.key === key
    } catch {
      return false
    }
  }

  /** Shows a write of an earlier process and puts it in line to be sent. */
  restore(number, { path, put, merge }) {
    const names = Object.keys(merge || {})
    const parts = merge ? names.map((n) => [parsePath(n), fromJSON(merge[n])]) : [[[], fromJSON(put)]]
    const [id] = this.tree.write(path, this.estimatedParts(path, parts))
    this.lastNumber = Math.max(this.lastNumber, number)
    const finish = (status) => this.finishWrite(id, path, status, undefined, Boolean(merge))
    this.puts.push(new Put(number, merge ? 'm' : 'p', path, merge || put, finish))
  }

  /** Stores what has changed of what is to be kept. */
  storeChanges() {
    const { stored } = this.memory
    const texts = this.memory.keepsData ? this.textsToKeep() : new Map()
    if (this.token !== undefined) texts.set('credential', this.token)
    this.memory.isStale = false
    this.memory.stored = texts
    for (const key of [...new Set([...stored.keys(), ...texts.keys()])].sort(compare)) {
      if (!texts.has(key)) this.env.erase(key)
      else if (stored.get(key) !== texts.get(key)) this.env.store(key, texts.get(key))
    }
  }

  textsToKeep() {
    const texts = new Map()
    if (this.gate === 'paused') texts.set('paused', 'true')
    for (const put of this.puts) {
      if (put.isTransaction) continue // What it was computed from is gone.
      const fields = { [put.action === 'm' ? 'merge' : 'put']: put.data, path: pathText(put.path) }
      texts.set('write/' + String(put.number).padStart(10, '0'), JSON.stringify(fields))
    }
    this.tree.kept.follow(this.tree.views)
    for (const entry of this.tree.kept.entries) texts.set(entry.key, entry.text)
    return texts
  }
}

module.exports = { Storing }
