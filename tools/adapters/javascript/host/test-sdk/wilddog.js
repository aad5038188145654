'use strict'
// The interface in which references have methods.

const { Database, EMPTY, Ref, ending, fromJSON, parts, priorityOf } = require('./core')

const CONDITIONS = ['startAt', 'startAfter', 'endAt', 'endBefore', 'equalTo', 'limitToFirst', 'limitToLast']
for (const name of CONDITIONS) {
  Ref.prototype[name] = function (...details) {
    return this.with(name, ...details)
  }
}

Object.assign(Ref.prototype, {
  orderByKey() { return this.with('orderBy', '.key') },
  orderByValue() { return this.with('orderBy', '.value') },
  orderByPriority() { return this.with('orderBy', '.priority') },
  orderByChild(path) { return this.with('orderBy', path) },

  on(type, onEvent, onCancel) {
    this.database.listen(this, type, onEvent, onCancel)
    return onEvent
  },

  once(type, onEvent, onCancel) {
    return new Promise((resolve, reject) => {
      this.database.listen(this, type, (snapshot, previous) => {
        onEvent(snapshot, previous)
        resolve(snapshot)
      }, (error) => {
        onCancel(error)
        reject(error)
      }, true, onEvent)
    })
  },

  get() { return this.database.get(this) },

  off(type, onEvent) {
    if (!type) {
      this.database.call('unlistenAll', this, this.target)
      return
    }
    const index = this.database.handles.findIndex((each) =>
      each.path === String(this.path) && each.type === type && each.onEvent === onEvent)
    if (index < 0) return
    const [{ handle }] = this.database.handles.splice(index, 1)
    this.database.client.unlisten(handle)
  },

  set(value, done) { this.database.call('set', this, fromJSON(value), ending(done)) },
  remove(done) { this.database.call('set', this, EMPTY, ending(done)) },
  setPriority(priority, done) { this.database.call('setPriority', this, priorityOf(priority), ending(done)) },
  update(value, done) { this.database.call('update', this, parts(value), ending(done)) },

  push(value, done) {
    let key
    const node = value === undefined ? undefined : fromJSON(value)
    this.database.call('push', this, node, ending(done), (made) => { key = made })
    return this.child(key)
  },

  transaction(update, end, isShown) {
    this.database.transaction(this, update, end, isShown)
  },

  onDisconnect() {
    const call = (name, ...rest) => this.database.call(name, this, ...rest)
    return {
      set: (value, done) => call('onDisconnectSet', fromJSON(value), ending(done)),
      remove: (done) => call('onDisconnectSet', EMPTY, ending(done)),
      update: (value, done) => call('onDisconnectUpdate', parts(value), ending(done)),
      cancel: (done) => call('onDisconnectCancel', ending(done)),
    }
  },
})

/** What `wilddog` is, over one kind of socket. */
function makeWilddog(connect, profile = 'wilddog-2') {
  let database
  // Another package signs in: that of Wilddog says so by an event, that of Firebase is asked to.
  const app = {
    INTERNAL: {},
    emit: (_, { signIn, idToken }) => database.use(signIn ? idToken : null),
  }
  return {
    initializeApp({ syncURL, databaseURL }) {
      database = new Database(connect, profile, syncURL || databaseURL)
      return app
    },
    sync() {
      const { addAuthTokenListener } = app.INTERNAL
      if (addAuthTokenListener) addAuthTokenListener((token) => database.use(token))
      return Object.assign(database, {
        goOffline: () => database.client.goOffline(),
        goOnline: () => database.client.goOnline(),
      })
    },
  }
}

module.exports = { makeWilddog }
