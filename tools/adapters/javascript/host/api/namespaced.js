'use strict'
// The interface in which a reference has methods: `ref.on('value', ...)`, `ref.set(...)`. That of
// Wilddog 2, and of Firebase up to version 8 and in its compat editions.

const { withNamespace } = require('./addresses')
const { notSupported } = require('./errors')

const BOUNDS = ['startAt', 'startAfter', 'endAt', 'endBefore', 'equalTo']
const ORDERS = { '.key': 'orderByKey', '.value': 'orderByValue', '.priority': 'orderByPriority' }

/** Drives a database: what `wilddog.sync()` and `firebase.database()` return. */
class Namespaced {
  constructor(database) {
    this.database = database
  }

  ref(path) {
    const keys = path.split('/').filter(Boolean).join('/')
    return keys ? this.database.ref(keys) : this.database.ref()
  }

  refFromURL(address) {
    if (!this.database.refFromURL) throw notSupported('refFromURL')
    return this.database.refFromURL(withNamespace(address))
  }

  child(ref, path) {
    return ref.child(path)
  }

  query(ref, conditions) {
    return conditions.reduce((query, condition) => {
      const [[name, value]] = Object.entries(condition)
      if (name === 'orderBy') return ORDERS[value] ? query[ORDERS[value]]() : query.orderByChild(value)
      if (!BOUNDS.includes(name) || typeof value !== 'object' || value === null) {
        return query[name](value)
      }
      const { value: bound = null, key } = value
      return key === undefined ? query[name](bound) : query[name](bound, key)
    }, ref)
  }

  on(query, type, onEvent, onCancel) {
    query.on(type, onEvent, onCancel)
    return { query, type, onEvent }
  }

  once(query, type, onEvent, onCancel) {
    // What the promise says too is told by the second function.
    const promise = query.once(type, onEvent, onCancel)
    if (promise && promise.then) promise.then(() => {}, () => {})
    return { query, type, onEvent }
  }

  get(query, onValue, onError) {
    query.get().then((snapshot) => onValue(snapshot), onError)
  }

  off({ query, type, onEvent }, ref) {
    const place = ref || query
    place.off(type, onEvent)
  }

  offAll(query) {
    query.off()
  }

  set(ref, value, done) { quiet(ref.set(value, done)) }
  remove(ref, done) { quiet(ref.remove(done)) }
  setPriority(ref, priority, done) { quiet(ref.setPriority(priority, done)) }
  update(ref, value, done) { quiet(ref.update(value, done)) }

  push(ref, value, done) {
    const child = value === undefined ? ref.push() : ref.push(value, done)
    quiet(child)
    return typeof child.key === 'function' ? child.key() : child.key
  }

  transaction(ref, update, localEvents, end) {
    quiet(ref.transaction(update, end, localEvents))
  }

  onDisconnect(ref) {
    const on = ref.onDisconnect()
    return {
      set: (value, done) => quiet(on.set(value, done)),
      remove: (done) => quiet(on.remove(done)),
      update: (value, done) => quiet(on.update(value, done)),
      cancel: (done) => quiet(on.cancel(done)),
    }
  }

  /** What this edition does not have, though others of its interface do. */
  get lacks() {
    const query = this.database.ref()
    const has = (name) => typeof query[name] === 'function'
    return [
      ...(has('startAfter') && has('endBefore') ? [] : ['query.exclusive-bounds']),
      ...(this.database.refFromURL ? [] : ['address']),
      ...(this.increments || []),
    ]
  }

  goOffline() { this.database.goOffline() }
  goOnline() { this.database.goOnline() }
}

/** Functions are told how a call ends; the promise that there may be as well says the same again. */
function quiet(promise) {
  if (promise && typeof promise.then === 'function') promise.then(() => {}, () => {})
}

module.exports = { Namespaced }
