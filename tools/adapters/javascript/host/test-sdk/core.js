'use strict'
// An SDK of the kit's own, to try the host with: the small client of the template behind the two
// interfaces that shipped SDKs have, over every kind of socket that they use.
//
// Unlike the client it takes its clock, its chance and its connections from around it, as SDKs do.

const { Client } = require('../../client')
const { queryOf } = require('../../client/query')
const { EMPTY, Refusal, fromJSON, parsePath, pathText, priorityOf } = require('../../client/tree')
const { answerOf } = require('../../client/values')

const SEGMENT = 16384

/** What the client needs, from what there is around it. `connect` opens a socket of some kind. */
class Surroundings {
  constructor(connect) {
    this.openSocket = connect
    this.timers = new Map()
    this.random = () => Math.random()
  }

  now() { return Date.now() }
  log(text) { console.warn(text) }
  send(message) { this.socket.send(message) }

  connect(host) {
    const current = {}
    this.current = current
    const only = (action) => (detail) => current === this.current && action(detail)
    this.socket = this.openSocket(host || this.host, {
      opened: only(() => this.client.connectionOpened()),
      message: only((message) => this.client.messageReceived(message)),
      closed: only(() => this.client.connectionEnded()),
    })
  }

  disconnect() {
    this.current = undefined
    this.socket.close()
  }

  setTimer(timer, after) {
    this.cancelTimer(timer)
    this.timers.set(timer, setTimeout(() => this.client.timerFired(timer), after))
  }

  cancelTimer(timer) {
    clearTimeout(this.timers.get(timer))
  }

  store(key, text) { if (typeof localStorage !== 'undefined') localStorage.setItem(key, text) }
  erase(key) { if (typeof localStorage !== 'undefined') localStorage.removeItem(key) }
}

/** A socket in the framing of Firebase: long messages are cut, with their number in front. */
function overWebSocket(Socket) {
  return (host, observer) => {
    const socket = new Socket(`wss://${host}/.ws?v=5&ns=kennel`)
    let parts = []
    let missing = 0
    const receive = (text) => {
      if (!missing && text.length <= 6 && !Number.isNaN(Number(text))) {
        missing = Number(text)
        return
      }
      parts.push(text)
      missing = Math.max(0, missing - 1)
      if (missing) return
      const whole = parts.join('')
      parts = []
      observer.message(JSON.parse(whole))
    }
    socket.onopen = () => observer.opened()
    socket.onmessage = (event) => receive(event.data)
    socket.onclose = () => observer.closed()
    return {
      close: () => socket.close(),
      send(message) {
        const text = JSON.stringify(message)
        const count = Math.ceil(text.length / SEGMENT)
        if (count > 1) socket.send(String(count))
        for (let n = 0; n < count; n++) socket.send(text.slice(n * SEGMENT, (n + 1) * SEGMENT))
        socket.send('0')
      },
    }
  }
}

/** What of engine.io is the same over every transport: packets of `["wd", message]`. */
function packets(observer, send) {
  return {
    receive(packet) {
      if (packet[0] === '0') observer.opened()
      if (packet.startsWith('42')) observer.message(JSON.parse(packet.slice(2))[1])
    },
    send: (message) => send(`42${JSON.stringify(['wd', message])}`),
  }
}

/** engine.io in a WebSocket. */
function overEngineSocket(Socket) {
  return (host, observer) => {
    const socket = new Socket(`wss://${host}/.ws/?v=1.0&EIO=3&transport=websocket`)
    const { receive, send } = packets(observer, (packet) => socket.send(packet))
    socket.addEventListener('message', (event) => receive(event.data))
    socket.addEventListener('close', () => observer.closed())
    return { send, close: () => socket.close() }
  }
}

/** engine.io by the module of that name. */
function overEngine(engine) {
  return (host, observer) => {
    const socket = engine(`https://${host}?v=1.0`, { path: '/.ws/' })
    const { receive, send } = packets(observer, (packet) => socket.send(packet.slice(1)))
    socket.on('open', () => observer.opened())
    socket.on('message', (text) => receive(`4${text}`))
    socket.on('error', () => {})
    socket.on('close', () => observer.closed())
    return { send, close: () => socket.close() }
  }
}

/** engine.io by requests that wait for an answer. */
function overPolling(Request) {
  return (host, observer) => {
    const address = `https://${host}/.ws/?v=1.0&EIO=3&transport=polling`
    let isOver = false
    let outgoing = []
    let isPosting = false
    const ask = (method, where, body, answered) => {
      const request = new Request()
      request.open(method, where, true)
      request.onreadystatechange = () => {
        if (request.readyState !== 4 || isOver) return
        if (request.status === 200) answered(request.responseText)
        else {
          isOver = true
          observer.closed()
        }
      }
      request.send(body)
    }
    const post = () => {
      if (isPosting || !outgoing.length) return
      isPosting = true
      const body = outgoing.map((packet) => `${packet.length}:${packet}`).join('')
      outgoing = []
      ask('POST', `${address}&sid=kennel`, body, () => {
        isPosting = false
        post()
      })
    }
    const { receive, send } = packets(observer, (packet) => {
      outgoing.push(packet)
      post()
    })
    const poll = (where) => ask('GET', where, null, (text) => {
      for (let rest = text; rest && !isOver;) {
        const colon = rest.indexOf(':')
        const end = colon + 1 + Number(rest.slice(0, colon))
        receive(rest.slice(colon + 1, end))
        rest = rest.slice(end)
      }
      if (!isOver) poll(`${address}&sid=kennel`)
    })
    poll(address)
    return {
      send,
      close() {
        isOver = true
        const request = new Request()
        request.open('POST', `${address}&sid=kennel`)
        request.send('1:1')
      },
    }
  }
}

// What both interfaces have in common

/** A snapshot as applications see it. */
class DataSnapshot {
  constructor(inner, database) {
    Object.assign(this, { inner, database })
  }

  get key() { return this.inner.key() }
  get ref() { return new Ref(this.database, this.inner.path) }
  val() { return this.inner.value() }
  exportVal() { return this.inner.export() }
  exists() { return this.inner.exists() }
  getPriority() { return this.inner.priority() }
  hasChild(path) { return this.inner.hasChild(path) }
  hasChildren() { return this.inner.hasChildren() }
  numChildren() { return this.inner.childrenCount() }
  child(path) { return new DataSnapshot(this.inner.child(checked(path)), this.database) }

  forEach(action) {
    for (const key of this.inner.keys()) action(new DataSnapshot(this.inner.child([key]), this.database))
  }
}

/** A place, or a query there. */
class Ref {
  constructor(database, path, conditions = []) {
    Object.assign(this, { database, path, conditions })
  }

  get key() { return this.path.length ? this.path[this.path.length - 1] : null }
  get parent() { return this.path.length ? new Ref(this.database, this.path.slice(0, -1)) : null }
  get root() { return new Ref(this.database, []) }
  get ref() { return new Ref(this.database, this.path) }
  get target() { return queryOf(Object.assign({}, ...this.conditions)) }
  child(path) { return new Ref(this.database, checked([...this.path, ...parsePath(path)].join('/'))) }
  toString() { return ask({ path: pathText(this.path), ask: 'url' }, this.database.client) }

  /** The same with one more condition, or an error. */
  with(name, value, key) {
    const isPlain = key === undefined && Object(value) !== value
    const condition = { [name]: isPlain ? value : { value, ...(key !== undefined && { key }) } }
    const conditions = [...this.conditions, condition]
    ask({ path: pathText(this.path), query: conditions, ask: 'valid' }, this.database.client)
    return new Ref(this.database, this.path, conditions)
  }
}

const ask = (question, client) => words(() => answerOf(question, client, new Map()))

function checked(path) {
  const keys = parsePath(path)
  const isBad = (key, index) => /[.#$[\]\x00-\x1f\x7f]/.test(key) && !(index === 0 && key === '.info')
  if (keys.some(isBad)) throw new Error(`${path} is an invalid path`)
  return keys
}

/** Refusals as SDKs word them. */
function words(call) {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'invalid_path') throw new Error('the first argument is an invalid path')
    throw new Error(`${error.code}: it contains something in property a`)
  }
}

/** One database: the client with its surroundings, and the calls in a form for both interfaces. */
class Database {
  constructor(connect, profile, address) {
    Object.assign(this, { connect, profile, address, started: undefined, handles: [] })
  }

  /** Like shipped SDKs, it does nothing before somebody asks for a place. */
  get client() {
    if (!this.started) {
      const surroundings = new Surroundings(this.connect)
      surroundings.host = new URL(this.address).host
      this.started = new Client(surroundings, this.profile, surroundings.host)
      surroundings.client = this.started
    }
    return this.started
  }

  ref(path = '') {
    return this.client && new Ref(this, checked(path))
  }

  refFromURL(address) {
    const path = ask({ url: address.replace(/\?.*/, ''), of: '', ask: 'child', with: '' }, this.client)
    return this.ref(path)
  }

  /** `name` is the function by which the listener is removed. */
  listen(ref, type, onEvent, onCancel, isOnce, name = onEvent) {
    const heard = (kind, snapshot, previous) => onEvent(new DataSnapshot(snapshot, this), previous)
    const failed = (status) => onCancel && onCancel(failure(status))
    const handle = { onEvent: heard, onCancel: failed }
    // Kept first: a callback may remove the listener while it is being registered.
    this.handles.push({ path: String(ref.path), type, onEvent: name, handle })
    words(() => this.client.listen(ref.path, ref.target, [type], handle, isOnce))
    return handle
  }

  get(ref) {
    return new Promise((resolve, reject) => {
      const onValue = (snapshot) => resolve(new DataSnapshot(snapshot, this))
      this.call('get', ref, ref.target, onValue, (status) => reject(failure(status)))
    })
  }

  /** Takes the token of who has signed in with another package; null for nobody. */
  use(token) {
    this.client.authenticate(token === null ? undefined : token, () => {})
  }

  call(name, ref, ...rest) {
    return words(() => this.client[name](ref.path, ...rest))
  }

  transaction(ref, update, end, isShown) {
    let thrown
    const guarded = (value) => {
      try {
        return update(value)
      } catch (error) {
        thrown = error
        throw error
      }
    }
    const done = (error, committed, snapshot) => {
      const reason = error === 'usercode' ? thrown : error && failure(error)
      end(reason || null, committed, snapshot && new DataSnapshot(snapshot, this))
    }
    this.call('transaction', ref, guarded, done, isShown)
  }
}

const failure = (status) => Object.assign(new Error(status), { code: status.toUpperCase() })
const ending = (done) => (status) => done && done(status ? failure(status) : null)
const parts = (value) => Object.entries(value).map(([name, each]) => [parsePath(name), fromJSON(each)])

module.exports = {
  DataSnapshot, Database, EMPTY, Ref, ending, fromJSON, overEngine, overEngineSocket, overPolling,
  overWebSocket, parts, priorityOf,
}
