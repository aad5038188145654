'use strict'
// An SDK for Node: it requires its socket, and defers its work in every way that Node has.
const { overWebSocket } = require('./core')
const { makeFirebase } = require('./firebase')
const { Client } = require('faye-websocket')

const open = overWebSocket(Client)

/** A message goes through each queue of this process before the client has it. */
function deferred(action) {
  const channel = new MessageChannel()
  channel.port2.onmessage = () => queueMicrotask(() => Promise.resolve().then(action))
  process.nextTick(() => setImmediate(() => channel.port1.postMessage(null)))
}

module.exports = makeFirebase((host, observer) => open(host, {
  opened: observer.opened,
  closed: observer.closed,
  message: (message) => deferred(() => observer.message(message)),
}))
