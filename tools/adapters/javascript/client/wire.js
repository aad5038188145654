'use strict'
// What is asked of the server: listens, writes, and what it is to do on disconnection.

const { ALL } = require('./query')
const { Node, compareKeys, isSamePath, pathText, startsWith } = require('./tree')

/** A listen as the server knows it. A query that only orders is listened to plainly. */
class Listen {
  constructor(view) {
    this.path = view.path
    this.query = view.query.filters ? view.query : undefined
    this.tag = view.tag
  }

  body(profile, hash) {
    const body = { p: pathText(this.path) }
    if (this.query) Object.assign(body, { q: this.query.wire(profile.statesInclusion), t: this.tag })
    return hash === undefined ? body : { ...body, h: hash }
  }
}

/** The listens that the server has, or will have once there is a connection. */
class Listens {
  constructor() {
    this.places = new Map()
  }

  /** Place by place, the place with the oldest listen first. */
  inRestoreOrder() {
    return [...this.places.values()].flat()
  }

  at(path) {
    return this.places.get(pathText(path)) || []
  }

  has(listen) {
    return this.at(listen.path).includes(listen)
  }

  add(view) {
    const listen = new Listen(view)
    this.places.set(pathText(view.path), [...this.at(view.path), listen])
    return listen
  }

  find(path, query) {
    return this.at(path).find((listen) => (query ? query.equals(listen.query) : !listen.query))
  }

  remove(listen) {
    const rest = this.at(listen.path).filter((each) => each !== listen)
    if (rest.length) this.places.set(pathText(listen.path), rest)
    else this.places.delete(pathText(listen.path))
  }
}

/** A write that the server has not answered; `finish(status)` ends it. */
class Put {
  constructor(number, action, path, data, finish, hash) {
    Object.assign(this, { number, action, path, data, finish, hash, isSent: false })
  }

  get isTransaction() {
    return this.hash !== undefined
  }

  body() {
    const body = { p: pathText(this.path), d: this.data }
    return this.isTransaction ? { ...body, h: this.hash } : body
  }
}

/**
 * What the server has promised to do on disconnection: the client does it locally as well.
 *
 * A tree whose leaves are nodes; an operation below one changes it, and one above swallows it.
 */
class Promises {
  constructor() {
    this.root = new Map()
  }

  remember(path, node) {
    this.root = this.withOperation(this.root, path, node)
  }

  withOperation(branch, path, node) {
    if (!path.length) return node
    if (branch instanceof Node) return branch.setting(path, node)
    const below = branch.get(path[0]) || new Map()
    return branch.set(path[0], this.withOperation(below, path.slice(1), node))
  }

  /** Forgets what is to happen at `path` and below; of an operation above, that part alone. */
  forget(path) {
    this.root = this.without(this.root, path) || new Map()
  }

  without(branch, path) {
    if (!path.length) return undefined
    if (branch instanceof Node) {
      if (branch.scalar !== null) return branch
      branch = new Map(ALL.sorted(branch.children).map((key) => [key, branch.child(key)]))
    }
    const below = branch.get(path[0])
    if (below) {
      const rest = this.without(below, path.slice(1))
      if (rest) branch.set(path[0], rest)
      else branch.delete(path[0])
    }
    return branch.size ? branch : undefined
  }

  /** Everything that is remembered, in order, as [path, node]; nothing is afterwards. */
  takeAll(indexesFirst) {
    const { root } = this
    this.root = new Map()
    return this.operations(root, [], indexesFirst)
  }

  operations(branch, path, indexesFirst) {
    if (branch instanceof Node) return [[path, branch]]
    let keys = [...branch.keys()]
    if (indexesFirst) {
      const isIndex = (key) => /^(0|[1-9][0-9]*)$/.test(key)
      const others = keys.filter((key) => !isIndex(key))
      keys = [...keys.filter(isIndex).sort(compareKeys), ...others]
    }
    return keys.flatMap((key) => this.operations(branch.get(key), [...path, key], indexesFirst))
  }
}

/**
 * The views that would need listens of their own if nothing covered `path`: at each place a plain
 * one hides all others there and below.
 */
function outermostViews(views, path) {
  const here = views.filter((view) => isSamePath(view.path, path))
  const plain = here.find((view) => !view.query.filters)
  return plain ? [plain] : [...here, ...outermostViewsBelow(views, path)]
}

function outermostViewsBelow(views, path) {
  const isBelow = (view) => view.path.length > path.length && startsWith(view.path, path)
  const below = views.filter(isBelow)
  const keys = [...new Set(below.map((view) => view.path[path.length]))].sort(compareKeys)
  return keys.flatMap((key) => outermostViews(below, [...path, key]))
}

module.exports = { Listens, Promises, Put, outermostViews, outermostViewsBelow }
