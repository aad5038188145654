'use strict'
// Substitutes for modules that would reach outside: sockets, clocks, randomness, the network.

const { fill } = require('./globals')

/** Modules of Node that would reach outside: they can be required, and not used. */
const REFUSED = [
  'child_process', 'cluster', 'dgram', 'dns', 'http', 'http2', 'https', 'inspector', 'net', 'repl',
  'tls', 'vm', 'worker_threads',
]

const MAKERS = {
  'faye-websocket': ({ sockets }) => {
    const Client = sockets.WebSocket
    return Object.assign(function WebSocket() {}, { Client, EventSource: undefined })
  },
  ws: ({ sockets }) => {
    const Socket = sockets.NodeWebSocket
    return Object.assign(Socket, { WebSocket: Socket, default: Socket })
  },
  'isomorphic-ws': ({ sockets }) => sockets.NodeWebSocket,
  websocket: ({ sockets }) => ({ w3cwebsocket: sockets.WebSocket }),
  'engine.io-client': ({ sockets }) => sockets.engine,
  xmlhttprequest: ({ sockets }) => ({ XMLHttpRequest: sockets.XMLHttpRequest }),
  'xmlhttprequest-ssl': ({ sockets }) => sockets.XMLHttpRequest,
  timers: ({ globals }) => {
    const { setTimeout, setInterval, setImmediate } = globals
    const { clearTimeout, clearInterval, clearImmediate } = globals
    return { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }
  },
  'timers/promises': ({ globals }) => ({
    setTimeout: (delay, value) =>
      new Promise((resolve) => globals.setTimeout(() => resolve(value), delay)),
    setImmediate: (value) => new Promise((resolve) => globals.setImmediate(() => resolve(value))),
  }),
  perf_hooks: ({ globals }) => ({ performance: globals.performance }),
  process: ({ globals }) => globals.process,
  crypto: makeCrypto,
}

/** Hashes as Node has them, and randomness from the kit. */
function makeCrypto({ client, globals }) {
  const random = (size, done) => {
    const bytes = fill(Buffer.alloc(size), client)
    if (done) client.enqueue(() => done(null, bytes))
    return bytes
  }
  const whole = (low, high) => low + Math.floor(client.random() * (high - low))
  return {
    ...require('crypto'),
    randomBytes: random, pseudoRandomBytes: random,
    randomFillSync: (bytes) => globals.crypto.getRandomValues(bytes),
    randomInt: (low, high) => (high === undefined ? whole(0, low) : whole(low, high)),
    randomUUID: globals.crypto.randomUUID, getRandomValues: globals.crypto.getRandomValues,
    webcrypto: globals.crypto,
  }
}

/** The helpers that compilers leave to a module. */
const tslib = {
  __assign: (...parts) => Object.assign(...parts),
  __extends(derived, base) {
    Object.setPrototypeOf(derived, base)
    function Own() {
      this.constructor = derived
    }
    Own.prototype = base.prototype
    derived.prototype = new Own()
  },
  __rest: (from, names) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))),
  __spreadArray: (to, from) => [...to, ...from],
  __spread: (...lists) => lists.flatMap((list) => [...list]),
  __read: (list, count) => [...list].slice(0, count),
  __values: (list) => list[Symbol.iterator](),
  __awaiter(self, details, Kind, generator) {
    const steps = generator.apply(self, details || [])
    const go = async () => {
      for (let step = steps.next(); ;) {
        if (step.done) return step.value
        let value
        try {
          value = await step.value
        } catch (error) {
          step = steps.throw(error)
          continue
        }
        step = steps.next(value)
      }
    }
    return go()
  },
}

/** What is used where it is not installed: the helpers of compilers, and a database that is not there. */
const fallbacks = {
  tslib: new Proxy(tslib, {
    get(target, name) {
      if (name in target || typeof name === 'symbol' || !name.startsWith('__') || name === '__esModule') {
        return target[name]
      }
      return () => {
        throw new Error(`the SDK uses tslib.${name}: install tslib beside it, or use --module tslib=FILE`)
      }
    },
  }),
  idb: { openDB: () => Promise.reject(new Error('there is no IndexedDB')) },
}

/** What a client's realm gets for a module, if that is not simply the module itself. */
function standIn(name, realm) {
  const { standIns } = realm
  if (!standIns.has(name)) standIns.set(name, make(name, realm))
  return standIns.get(name)
}

function make(name, realm) {
  if (MAKERS[name]) return MAKERS[name](realm)
  if (REFUSED.includes(name)) return refusedModule(name)
  return undefined
}

/** A module whose constants are there, and whose functions are refused. */
function refusedModule(name) {
  const entries = Object.entries(require(name)).map(([key, value]) =>
    [key, typeof value === 'function' ? refused(name, [key]) : value])
  return Object.fromEntries(entries)
}

/** Something that can be looked at, and extended, and says what is wrong when it is used. */
function refused(name, way) {
  const use = () => {
    throw new Error(
      `the SDK uses ${[name, ...way].join('.')}: the host has no network and no processes; `
        + `expected a WebSocket, faye-websocket, ws or engine.io-client`)
  }
  return new Proxy(function () {}, {
    get(target, property) {
      if (property === 'prototype') return target.prototype
      if (typeof property === 'symbol' || property === 'then' || property === '__esModule') {
        return undefined
      }
      return refused(name, [...way, property])
    },
    apply: use,
    construct: use,
  })
}

module.exports = { fallbacks, standIn }
