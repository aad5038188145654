'use strict'
// A small complete realtime-sync client: the one that the template adapter drives.
//
// It talks to its surroundings through an environment alone: a connection, timers, a clock, random
// numbers and storage. After every change each view is computed anew and compared with what was
// shown.

const { CONNECTED, CONNECTING, TIMERS, WAITING } = require('./connection')
const { LocalTree } = require('./localtree')
const { PROFILES } = require('./profiles')
const { PushIds } = require('./pushids')
const { ALL, EVENTS, VALUE } = require('./query')
const { Storing } = require('./storage')
const { EMPTY, Node, Refusal, isBadPath, isSamePath } = require('./tree')
const { Listens, Promises } = require('./wire')
const { checkUpdate, checkWrite, partsJSON } = require('./writes')

/**
 * One instance with its own connection and local copy.
 *
 * Paths are lists of keys, values are nodes (see tree.js). Calls throw a Refusal for arguments that
 * the database does not take, and tell their end by `done(error)`.
 */
class Client extends Storing {
  constructor(env, profile, host, storage = [], cacheBytes = undefined) {
    super()
    Object.assign(this, { env, host, profile: PROFILES[profile] })
    this.tree = new LocalTree()
    this.info = new LocalTree()
    this.listens = new Listens()
    this.promised = new Promises()
    this.pushIds = new PushIds()
    Object.assign(this, {
      puts: [], onDisconnects: [], answeredOnDisconnects: [], transactions: [], credentials: [],
      synced: [], gets: [], queue: [], turn: [], late: [], expected: new Map(), lastRequest: 0, lastNumber: 0,
      token: undefined, gate: 'open', timeOffset: 0, due: [],
    })
    this.memory = {}
    this.tell(CONNECTED, false)
    this.recall(storage, cacheBytes)
    this.connect()
    this.finish()
  }

  // What happens to it

  connectionOpened() {
    if (this.state === CONNECTING) this.becomeOpen()
    this.finish()
  }

  /** The connection is gone, or could not be made. */
  connectionEnded() {
    if (this.state >= CONNECTING) this.loseConnection()
    this.finish()
  }

  messageReceived(message) {
    if (this.isUp) {
      this.feelPulse()
      this.receive(message)
    }
    this.finish()
  }

  timerFired(timer) {
    if (timer === TIMERS.backOff && this.state === WAITING) this.connect()
    else if (timer === TIMERS.keepAlive) this.takePulse()
    else if (timer === TIMERS.nextTurn) {
      const { turn } = this
      this.turn = []
      for (const action of turn) action()
    }
    this.finish()
  }

  // Listening

  /**
   * Calls `listener.onEvent(type, snapshot, previousKey)`, without the key where there is none, and
   * `listener.onCancel(error)` when the server ends it. `unlisten` takes the same object.
   */
  listen(path, query, events, listener, isOnce = false) {
    this.checkQuery(path, query)
    Object.assign(listener, { path, query })
    const [registration, owed] =
      path[0] === '.info'
        ? this.info.register(listener, path, query, events, isOnce)
        : this.registerAndListen(listener, path, query, events, isOnce)
    listener.registration = registration
    this.raise(owed)
    this.finish()
  }

  /** With a path: as a handle that is used there, which must be where it is registered. */
  unlisten(listener, path) {
    if (!path || isSamePath(path, listener.path)) {
      this.stopListening(listener)
      this.withdraw((other) => other === listener)
    }
    this.finish()
  }

  /** What is due to a listener that is removed from inside a callback is dropped. */
  withdraw(isMeant) {
    this.due = this.due.filter(({ listener }) => !listener || !isMeant(listener))
  }

  stopListening(listener) {
    const { registration } = listener
    listener.registration = undefined
    if (!registration) return
    this.stopWatching(registration)
    this.info.removeRegistrations((view, other) => other === registration)
  }

  /** Exactly at the place; with a query, that query alone. */
  unlistenAll(path, query = ALL) {
    this.checkQuery(path, query)
    const isMeant = (view, { listener }) =>
      listener && isSamePath(view.path, path) && (query.equals(ALL) || view.query.equals(query))
    for (const view of [...this.tree.views, ...this.info.views]) {
      for (const each of view.registrations) {
        if (isMeant(view, each)) each.listener.registration = undefined
      }
    }
    this.info.removeRegistrations(isMeant)
    this.removeRegistrations(isMeant)
    this.withdraw((each) =>
      isSamePath(each.path, path) && (query.equals(ALL) || each.query.equals(query)))
    this.finish()
  }

  /** Reads once from the server, without listening. What is local is answered at once. */
  get(path, query, onValue, onError) {
    this.checkQuery(path, query)
    if (path[0] === '.info') {
      const snapshot = this.snapshot(path, query.window(this.info.latest(path)).node, query)
      this.owe(undefined, () => onValue(snapshot))
    } else {
      const get = { path, query, onValue, onError }
      this.gets.push(get)
      if (this.isReady) this.transmitGet(get)
    }
    this.finish()
  }

  /** Holds a listen that no listener needs. Calls are not counted: the last one decides. */
  keepSynced(path, query, isOn) {
    this.checkQuery(path, query)
    if (path[0] === '.info') return
    const held = this.synced.find((s) => isSamePath(s.path, path) && s.query.equals(query))
    if (isOn && !held) {
      const [registration] = this.registerAndListen(undefined, path, query, [])
      this.synced.push({ path, query, registration })
    } else if (held && !isOn) {
      this.synced = this.synced.filter((each) => each !== held)
      this.stopWatching(held.registration)
    }
    this.finish()
  }

  checkQuery(path, query) {
    if (isBadPath(path)) throw new Refusal('invalid_path')
    query.check()
    query.staysWithinKind = Boolean(this.profile.staysWithinKind)
  }

  // Writing

  set(path, node, done) {
    this.check(path, node)
    this.write(path, node, done)
    this.finish()
  }

  setPriority(path, priority, done) {
    this.check(path, new Node(true, undefined, priority))
    this.write([...path, '.priority'], priority === null ? EMPTY : new Node(priority), done)
    this.finish()
  }

  /** `parts` are pairs of a relative path and a node. */
  update(path, parts, done) {
    this.check(path)
    checkUpdate(path, parts)
    this.writeParts(path, parts, done)
    this.finish()
  }

  /** Makes a key in the order of time, tells it, and writes the node there if one is given. */
  push(path, node, done, onKey) {
    this.check(path, node)
    const key = this.pushIds.next(this.clock() + this.timeOffset, () => this.env.random())
    onKey(key)
    if (node) this.write([...path, key], node, done)
    this.finish()
  }

  /**
   * `update(value)` returns the new value, or undefined to give up; `done(error, committed,
   * snapshot)`. A `constant` is what it may write whatever it finds: seen to be wrong before it runs.
   */
  transaction(path, update, done, localEvents = true, constant = EMPTY) {
    this.check(path, constant)
    this.runTransaction(path, update, done, localEvents)
    this.finish()
  }

  onDisconnectSet(path, node, done) {
    this.check(path, node)
    this.requestOnDisconnect('o', path, node.json(), [[path, node]], done)
    this.finish()
  }

  onDisconnectUpdate(path, parts, done) {
    this.check(path)
    checkUpdate(path, parts)
    const sets = parts.map(([below, node]) => [[...path, ...below], node])
    this.requestOnDisconnect('om', path, partsJSON(parts), sets, done)
    this.finish()
  }

  onDisconnectCancel(path, done) {
    this.check(path)
    this.requestOnDisconnect('oc', path, null, undefined, done)
    this.finish()
  }

  check(path, node = EMPTY) {
    if (isBadPath(path)) throw new Refusal('invalid_path')
    checkWrite(path, node)
  }

  // The rest

  goOffline() {
    this.stopConnecting()
    this.finish()
  }

  goOnline() {
    this.startConnecting()
    this.finish()
  }

  /** Without a token: nobody any more. */
  authenticate(token, done) {
    this.requestCredential(token, done)
    this.finish()
  }

  clock() {
    return Math.floor(this.env.now())
  }

  nextNumber() {
    this.lastNumber += 1
    return this.lastNumber
  }

  /** Raises everything that is owed, oldest first, and `events` after it. */
  raise(events = []) {
    this.queue.push(...events)
    while (this.queue.length) {
      const owed = this.queue
      this.queue = []
      for (let index = 0; index < owed.length; index++) this.raiseOne(owed, index)
    }
  }

  /**
   * A single read is over before it is called, and is called after all other listeners of its
   * place.
   */
  raiseOne(owed, index) {
    const event = owed[index]
    owed[index] = undefined
    const listener = event && event.registration.listener
    if (!listener) return
    if (event.registration.isOnce) {
      if (listener.registration !== event.registration) return
      this.stopListening(listener)
      for (let later = index + 1; later < owed.length; later++) {
        if (owed[later] && isSamePath(owed[later].place, event.place)) this.raiseOne(owed, later)
      }
    }
    const { type, key, node, previous } = event.change
    const isValue = type === VALUE
    const path = isValue ? event.place : [...event.place, key]
    const snapshot = this.snapshot(path, node, isValue ? event.query : ALL)
    this.owe(listener, () => listener.onEvent(type, snapshot, previous))
  }

  owe(listener, call) {
    this.due.push({ listener, call })
  }

  complete(done, ...outcome) {
    if (!done) return
    const call = () => done(...outcome)
    if (this.profile.lateCompletions) this.late.push({ call })
    else this.owe(undefined, call)
  }

  /** Puts something off until everything else of this instant is done. */
  inNextTurn(action) {
    if (!this.turn.length) this.env.setTimer(TIMERS.nextTurn, 0, 'other')
    this.turn.push(action)
  }

  /**
   * The end of everything that comes from outside. Callbacks come now, one after the other, when the
   * client has settled and can be called again: what one causes waits behind what is due already.
   */
  finish() {
    if (this.isRunningFunction) return
    this.due.push(...this.late)
    this.late = []
    if (this.memory.keepsData || this.memory.isStale) this.storeChanges()
    if (this.isCallingBack) return
    this.isCallingBack = true
    try {
      while (this.due.length) this.due.shift().call()
    } finally {
      this.isCallingBack = false
    }
  }
}

module.exports = { Client, EVENTS }
