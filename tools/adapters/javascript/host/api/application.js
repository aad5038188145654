'use strict'
// The application that the kit plays: it calls the SDK and tells what the SDK calls back.
//
// How each thing is called is the business of a driver (namespaced.js, firebase.js); here is what is
// common to all.

const { Reactions } = require('./callbacks')
const { codeOf, codeOfRefusal } = require('./errors')
const { answerOf } = require('./inspection')

/** In which order the kinds of event are registered: that in which one change raises them. */
const EVENTS = ['child_removed', 'child_added', 'child_moved', 'child_changed', 'value']

const CAPABILITIES = [
  'listen.value', 'listen.child', 'listen.query', 'once', 'set', 'update', 'priority', 'push',
  'transaction', 'on-disconnect', 'offline', 'info', 'server-values', 'inspect', 'auth', 'callbacks',
]

/**
 * What no edition has: a sign-in ends where it is made, a completion has no reference, and a boolean is
 * no priority to compare with.
 */
const LACKS = ['auth.ends', 'inspect.completion', 'query.boolean-priority']

/** What is a function in some editions and a property in others: `key`, `parent`, `ref`. */
const read = (object, name) => (typeof object[name] === 'function' ? object[name]() : object[name])

/** The keys of a snapshot's children in the order in which it lists them. */
function keysOf(snapshot) {
  const keys = []
  snapshot.forEach((child) => {
    keys.push(read(child, 'key'))
  })
  return keys
}

/** The conditions of a query, one by one, the ordering first. */
function conditionsOf(query = {}) {
  const conditions = Object.entries(query).map(([name, value]) => ({ [name]: value }))
  return conditions.sort((a, b) => ('orderBy' in b ? 1 : 0) - ('orderBy' in a ? 1 : 0))
}

class Application {
  constructor(client, driver) {
    Object.assign(this, { client, driver, listeners: new Map(), snapshots: new Map() })
    /** What the application's own functions have thrown: it is no mistake of the SDK to let that out. */
    this.failures = new WeakSet()
    driver.ref('/') // SDKs do not connect before somebody asks for a place.
    const reactions = new Reactions((...line) => client.emit(...line), (c) => this.call(c))
    this.reactions = reactions
    this.emit = (verb, details) => reactions.emit(verb, details)
  }

  /** Carries out a call. What the SDK throws is a refusal of the arguments. */
  call(c) {
    const operation = Object.hasOwn(OPERATIONS, c.op) && OPERATIONS[c.op]
    if (!operation) {
      this.client.host.refuse(`${c.op} is not known here`)
      return
    }
    this.stage = 'write'
    try {
      operation(this, this.driver, c)
    } catch (error) {
      const { isNotSupported, kennelCode } = Object(error)
      if (isNotSupported) {
        this.client.host.refuse(error.message)
        return
      }
      // A question that is asked without arguments has none to be refused.
      if (this.stage === 'answer') this.client.uncaught(error)
      this.emit('threw', { call: c.id, error: kennelCode || codeOfRefusal(error, this.stage) })
      this.client.log(`the SDK refused ${c.op}: ${(error && error.message) || error}`)
    }
  }

  /** Does one step of a call; what it throws is judged by its name. */
  at(stage, step) {
    this.stage = stage
    const result = step()
    this.stage = 'write'
    return result
  }

  ref(c) {
    return this.at('path', () => this.driver.ref(c.path))
  }

  query(c) {
    const ref = this.ref(c)
    return this.at('query', () => this.driver.query(ref, conditionsOf(c.query)))
  }

  /** A value that the SDK takes for one of its own world. */
  value(c) {
    const { value, priority } = c
    if (priority === undefined) return this.client.realm.value(value === undefined ? null : value)
    const isMapping = typeof value === 'object' && value !== null
    const whole = isMapping ? { ...value, '.priority': priority } : { '.value': value, '.priority': priority }
    return this.client.realm.value(whole)
  }

  done(c) {
    return (error) => this.emit('completed', { call: c.id, error: codeOf(error) })
  }

  // Listening

  onEvent(listener, type) {
    return (snapshot, ...rest) => {
      this.snapshots.get(listener).push(snapshot)
      const exported = snapshot.exportVal ? snapshot.exportVal() : snapshot.val()
      const event = { listener, type, key: read(snapshot, 'key') ?? null, value: exported ?? null }
      if (type === 'value') event.children = keysOf(snapshot)
      else if (type !== 'child_removed' && rest.length) event.prev = rest[0] ?? null
      this.emit('event', event)
    }
  }

  /** A listener for several kinds of event is cancelled once. */
  onCancel(listener) {
    let isTold = false
    return (error) => {
      if (isTold) return
      // First, because the callback may remove the listener, which some SDKs answer by calling again.
      isTold = true
      this.emit('cancelled', { listener, error: codeOf(error) })
    }
  }

  listen(c) {
    const query = this.query(c)
    const { listener } = c
    const types = c.events || [c.event]
    this.snapshots.set(listener, [])
    const handles = []
    this.listeners.set(listener, handles)
    const onCancel = this.onCancel(listener)
    this.registering = { handles, path: c.path, query: c.query, isRemoved: false }
    const { registering } = this
    for (const type of EVENTS.filter((each) => types.includes(each))) {
      // A callback may remove the listener while it is being registered.
      if (registering.isRemoved) break
      const handle = { query, type, onEvent: this.onEvent(listener, type) }
      handles.push(handle)
      Object.assign(handle, this.driver.on(query, type, handle.onEvent, onCancel))
    }
    if (this.registering === registering) this.registering = undefined
  }

  once(c) {
    const query = this.query(c)
    const { listener, event = (c.events || ['value'])[0] } = c
    this.snapshots.set(listener, [])
    const onEvent = this.onEvent(listener, event)
    const handle = this.driver.once(query, event, onEvent, this.onCancel(listener))
    this.listeners.set(listener, handle ? [handle] : [])
  }

  get(c) {
    const query = this.query(c)
    this.snapshots.set(c.listener, [])
    this.driver.get(query, this.onEvent(c.listener, 'value'), this.onCancel(c.listener))
  }

  unlisten(c) {
    const ref = c.path === undefined ? undefined : this.ref(c)
    const handles = this.listeners.get(c.listener) || []
    const { registering } = this
    if (registering && registering.handles === handles && (!ref || c.path === registering.path)) {
      registering.isRemoved = true
    }
    for (const handle of handles) this.driver.off(handle, ref)
  }

  unlistenAll(c) {
    const { registering } = this
    const isSame = registering && registering.path === c.path
    const same = JSON.stringify(c.query) === JSON.stringify(isSame && registering.query)
    if (isSame && (!c.query || same)) registering.isRemoved = true
    this.driver.offAll(this.query(c))
  }

  // Transactions

  transact(c) {
    const [[name, argument]] = Object.entries(c.update)
    const failure = new this.client.realm.own.Error('the function failed')
    this.failures.add(failure)
    const update = (current) => {
      const input = current === undefined ? null : current
      this.emit('updateRan', { call: c.id, input })
      const isEmpty = input === null
      if (name === 'fail' || (name === 'setIfNullOrFail' && !isEmpty)) throw failure
      if (/abort$/i.test(name) || (name === 'setIfNull' && !isEmpty)) return undefined
      return this.client.realm.value(result(name, argument, input))
    }
    const end = (error, committed, snapshot) => {
      const value = !error && snapshot ? snapshot.exportVal() : null
      this.snapshots.set(c.id, snapshot ? [snapshot] : [])
      const code = error === failure ? 'usercode' : codeOf(error)
      this.emit('completed', { call: c.id, error: code, committed: Boolean(committed), value })
    }
    const ref = this.ref(c)
    try {
      this.driver.transaction(ref, update, c.localEvents !== false, end)
    } catch (error) {
      if (error !== failure) throw error
      end(error, false)
    }
  }
}

/** What the function of a transaction returns. */
function result(name, argument, input) {
  if (name === 'increment') return (typeof input === 'number' ? input : 0) + argument
  if (name === 'keep') return input
  if (name !== 'merge') return argument
  const children = Object.entries(typeof input === 'object' && input !== null ? input : {})
  return { ...Object.fromEntries(children.filter(([, child]) => child !== null)), ...argument }
}

const OPERATIONS = { // application, driver, call
  listen: (a, d, c) => a.listen(c),
  once: (a, d, c) => a.once(c),
  get: (a, d, c) => a.get(c),
  unlisten: (a, d, c) => a.unlisten(c),
  'unlisten-all': (a, d, c) => a.unlistenAll(c),
  set: (a, d, c) => d.set(a.ref(c), a.value(c), a.done(c)),
  remove: (a, d, c) => d.remove(a.ref(c), a.done(c)),
  'set-priority': (a, d, c) => d.setPriority(a.ref(c), c.priority ?? null, a.done(c)),
  update: (a, d, c) => d.update(a.ref(c), a.value(c), a.done(c)),
  push(a, d, c) {
    const value = 'value' in c ? a.value(c) : undefined
    a.emit('answered', { call: c.id, value: d.push(a.ref(c), value, a.done(c)) })
  },
  transaction: (a, d, c) => a.transact(c),
  'on-disconnect-set': (a, d, c) => d.onDisconnect(a.ref(c)).set(a.value(c), a.done(c)),
  'on-disconnect-remove': (a, d, c) => d.onDisconnect(a.ref(c)).remove(a.done(c)),
  'on-disconnect-update': (a, d, c) => d.onDisconnect(a.ref(c)).update(a.value(c), a.done(c)),
  'on-disconnect-cancel': (a, d, c) => d.onDisconnect(a.ref(c)).cancel(a.done(c)),
  'go-offline': (a, d) => d.goOffline(),
  'go-online': (a, d) => d.goOnline(),
  auth: (a, d, c) => a.client.authentication.call(c.id, c.token),
  unauth: (a, d, c) => a.client.authentication.call(c.id, null),
  on: (a, d, c) => a.reactions.waiting.push(c),
  inspect: (a, d, c) => a.emit('answered', { call: c.id, value: answerOf(a, c) }),
}

module.exports = { Application, CAPABILITIES, LACKS }
