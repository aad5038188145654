'use strict'
// The interface in which everything is a function: `getDatabase`, `ref`, `onValue`, ...

const { Database, EMPTY, ending, fromJSON, parts, priorityOf } = require('./core')

/** What other packages give an app: the one that signs in. */
class Components {
  addOrOverwriteComponent({ instanceFactory }) {
    this.auth = instanceFactory()
  }
}

/** What the modules export, over one kind of socket. */
function makeFirebase(connect) {
  const promised = (call) => {
    let end
    const promise = new Promise((resolve, reject) => {
      end = ending((error) => (error ? reject(error) : resolve()))
    })
    call(end) // What is wrong with the arguments is thrown, and not a matter of the promise.
    return promise
  }
  const constraint = (name) => (...details) => (ref) => ref.with(name, ...details)
  const on = (type) => (ref, onEvent, onCancel, options = {}) => {
    const { database } = ref
    const handle = database.listen(ref, type, onEvent, onCancel, options.onlyOnce)
    return () => database.client.unlisten(handle)
  }
  const sdk = {
    initializeApp: (configuration) => ({ ...configuration, container: new Components() }),
    getDatabase({ databaseURL, container }) {
      const database = new Database(connect, 'firebase', databaseURL)
      if (container.auth) container.auth.addAuthTokenListener((token) => database.use(token))
      return database
    },
    ref: (database, path) => database.ref(path),
    refFromURL: (database, address) => database.refFromURL(address),
    child: (ref, path) => ref.child(path),
    query: (ref, ...conditions) => conditions.reduce((query, condition) => condition(query), ref),
    orderByKey: () => constraint('orderBy')('.key'),
    orderByValue: () => constraint('orderBy')('.value'),
    orderByPriority: () => constraint('orderBy')('.priority'),
    orderByChild: constraint('orderBy'),
    onValue: on('value'),
    onChildAdded: on('child_added'),
    onChildChanged: on('child_changed'),
    onChildMoved: on('child_moved'),
    onChildRemoved: on('child_removed'),
    get: (ref) => ref.database.get(ref),
    off(ref, type, onEvent) {
      if (!type) ref.database.call('unlistenAll', ref, ref.target)
      else {
        const isMeant = (each) => each.path === String(ref.path) && each.onEvent === onEvent
        const { client, handles } = ref.database
        for (const { handle } of handles.filter(isMeant)) client.unlisten(handle)
      }
    },
    set: (ref, value) => promised((done) => ref.database.call('set', ref, fromJSON(value), done)),
    remove: (ref) => promised((done) => ref.database.call('set', ref, EMPTY, done)),
    setPriority: (ref, priority) =>
      promised((done) => ref.database.call('setPriority', ref, priorityOf(priority), done)),
    update: (ref, value) => promised((done) => ref.database.call('update', ref, parts(value), done)),
    push(ref, value) {
      let key
      const node = value === undefined ? undefined : fromJSON(value)
      const promise = promised((done) => {
        ref.database.call('push', ref, node, done, (made) => { key = made })
      })
      return Object.assign(ref.child(key), { then: promise.then.bind(promise) })
    },
    runTransaction(ref, update, { applyLocally }) {
      let settle
      const end = new Promise((resolve, reject) => { settle = { resolve, reject } })
      ref.database.transaction(ref, update, (error, committed, snapshot) => {
        if (error) settle.reject(error)
        else settle.resolve({ committed, snapshot })
      }, applyLocally)
      return end
    },
    onDisconnect(ref) {
      const call = (name, ...rest) =>
        promised((done) => ref.database.call(name, ref, ...rest, done))
      return {
        set: (value) => call('onDisconnectSet', fromJSON(value)),
        remove: () => call('onDisconnectSet', EMPTY),
        update: (value) => call('onDisconnectUpdate', parts(value)),
        cancel: () => call('onDisconnectCancel'),
      }
    },
    goOffline: (database) => database.client.goOffline(),
    goOnline: (database) => database.client.goOnline(),
  }
  for (const name of ['startAt', 'startAfter', 'endAt', 'endBefore', 'equalTo', 'limitToFirst', 'limitToLast']) {
    sdk[name] = constraint(name)
  }
  return sdk
}

module.exports = { makeFirebase }
