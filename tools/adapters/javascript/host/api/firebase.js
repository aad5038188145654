'use strict'
// The modular interface of Firebase: `initializeApp`, `getDatabase`, `ref`, `onValue`, ...

const { UsageError } = require('../options')
const { databaseAddress, withNamespace } = require('./addresses')
const { Application, CAPABILITIES, LACKS } = require('./application')

const ORDERS = { '.key': 'orderByKey', '.value': 'orderByValue', '.priority': 'orderByPriority' }
const BOUNDS = ['startAt', 'startAfter', 'endAt', 'endBefore', 'equalTo']
const LISTENERS = {
  value: 'onValue', child_added: 'onChildAdded', child_changed: 'onChildChanged',
  child_moved: 'onChildMoved', child_removed: 'onChildRemoved',
}

class Modular {
  constructor(sdk, database) {
    Object.assign(this, { sdk, database })
  }

  ref(path) {
    const keys = path.split('/').filter(Boolean).join('/')
    return keys ? this.sdk.ref(this.database, keys) : this.sdk.ref(this.database)
  }

  refFromURL(address) {
    return this.sdk.refFromURL(this.database, withNamespace(address))
  }

  child(ref, path) {
    return this.sdk.child(ref, path)
  }

  query(ref, conditions) {
    return conditions.reduce((query, condition) => this.sdk.query(query, this.constraint(condition)), ref)
  }

  constraint(condition) {
    const [[name, value]] = Object.entries(condition)
    if (name === 'orderBy') {
      return ORDERS[value] ? this.sdk[ORDERS[value]]() : this.sdk.orderByChild(value)
    }
    if (!BOUNDS.includes(name) || typeof value !== 'object' || value === null) {
      return this.sdk[name](value)
    }
    const { value: bound = null, key } = value
    return key === undefined ? this.sdk[name](bound) : this.sdk[name](bound, key)
  }

  on(query, type, onEvent, onCancel) {
    const end = this.sdk[LISTENERS[type]](query, onEvent, onCancel)
    return { type, onEvent, end }
  }

  once(query, type, onEvent, onCancel) {
    const options = { onlyOnce: true }
    const end = this.sdk[LISTENERS[type]](query, onEvent, onCancel, options)
    return { type, onEvent, end }
  }

  get(query, onValue, onError) {
    this.sdk.get(query).then((snapshot) => onValue(snapshot), onError)
  }

  off({ query, type, onEvent, end }, ref) {
    // There is no `end` yet where a callback removes a listener that is being registered.
    if (end && !ref) end()
    else this.sdk.off(ref || query, type, onEvent)
  }

  offAll(query) {
    this.sdk.off(query)
  }

  set(ref, value, done) { tell(this.sdk.set(ref, value), done) }
  remove(ref, done) { tell(this.sdk.remove(ref), done) }
  setPriority(ref, priority, done) { tell(this.sdk.setPriority(ref, priority), done) }
  update(ref, value, done) { tell(this.sdk.update(ref, value), done) }

  push(ref, value, done) {
    if (value === undefined) return this.sdk.push(ref).key
    const child = this.sdk.push(ref, value)
    tell(child, done)
    return child.key
  }

  transaction(ref, update, applyLocally, end) {
    this.sdk.runTransaction(ref, update, { applyLocally }).then(
      ({ committed, snapshot }) => end(null, committed, snapshot),
      (error) => end(error, false))
  }

  onDisconnect(ref) {
    const on = this.sdk.onDisconnect(ref)
    return {
      set: (value, done) => tell(on.set(value), done),
      remove: (done) => tell(on.remove(), done),
      update: (value, done) => tell(on.update(value), done),
      cancel: (done) => tell(on.cancel(), done),
    }
  }

  /** What this edition does not have, though others of its interface do. */
  get lacks() {
    const { startAfter, endBefore, increment } = this.sdk
    return [
      ...(startAfter && endBefore ? [] : ['query.exclusive-bounds']),
      ...(increment ? [] : ['server-values.increment']),
    ]
  }

  goOffline() { this.sdk.goOffline(this.database) }
  goOnline() { this.sdk.goOnline(this.database) }
}

function tell(promise, done) {
  promise.then(() => done(null), done)
}

const NAMES = [
  'ref', 'refFromURL', 'child', 'query', 'orderByKey', 'orderByValue', 'orderByPriority',
  'orderByChild', ...BOUNDS, 'limitToFirst', 'limitToLast', ...Object.values(LISTENERS), 'get', 'off', 'set',
  'remove', 'setPriority', 'update', 'push', 'runTransaction', 'onDisconnect', 'goOffline', 'goOnline',
  'increment',
]

/** The app is another package than the database, and is looked for beside it. */
function findApp(client) {
  const { find } = client.sdk
  const known = find('initializeApp') || client.realm.loader.exported('initializeApp')
  if (known) return known
  const files = client.options.files
  for (const name of ['@firebase/app', 'firebase/app']) {
    try {
      return client.realm.loader.require(name, files[files.length - 1]).initializeApp
    } catch (error) {
      if (!(error instanceof UsageError) || !/is not there/.test(error.message)) throw error
    }
  }
  throw new UsageError('there is no initializeApp: name the file of @firebase/app as well')
}

function start(client) {
  const { find } = client.sdk
  if (!find('getDatabase')) {
    throw new UsageError('the SDK has no getDatabase; is it --api firebase-compat?')
  }
  const databaseURL = databaseAddress(client)
  const configuration = { databaseURL, appId: 'kennel', projectId: 'kennel', apiKey: 'kennel' }
  const app = findApp(client)(client.realm.value(configuration))
  client.authentication.provide(app)
  const sdk = Object.fromEntries(NAMES.map((name) => [name, find(name)]))
  return new Application(client, new Modular(sdk, find('getDatabase')(app)))
}

module.exports = { capabilities: [...CAPABILITIES, 'get'], lacks: LACKS, start }
