'use strict'
// The global variables that an SDK finds: those of a browser, or those of Node.

const { Console } = require('console')
const { Target } = require('./events')
const { makeWeChat } = require('./wechat')

/** Those that every platform has, beside what belongs to the language. */
function makeGlobals(realm) {
  const { client, options } = realm
  const globals = {
    console: makeConsole(),
    ...makeTimers(client),
    performance: makePerformance(client),
    crypto: makeCrypto(client),
    ...makeChannels(client),
    AbortController, AbortSignal, Event, EventTarget, TextDecoder, TextEncoder, URL, URLSearchParams,
    atob, btoa, structuredClone,
    WebSocket: realm.sockets.WebSocket,
  }
  switch (options.platform) {
    case 'node': return addNode(globals, client)
    case 'wechat':
      globals.navigator = { userAgent: 'WeApp' }
      globals.wx = makeWeChat(globals.WebSocket, makeStorage(client))
      return globals
    default: return addBrowser(globals, realm)
  }
}

/** Standard output is the kit's: what an SDK prints goes to standard error. */
function makeConsole() {
  return new Console(process.stderr, process.stderr)
}

/** What `setTimeout` returns is a number to browsers and an object to Node: this is both. */
class Timer {
  constructor(id) {
    Object.defineProperty(this, 'id', { value: id })
  }

  [Symbol.toPrimitive]() {
    return this.id
  }

  ref() { return this }
  unref() { return this }
  hasRef() { return true }
}

function makeTimers(client) {
  const clear = (timer) => {
    if (timer !== undefined && timer !== null) client.clearTimer(Number(timer))
  }
  const start = (action, delay, details, isRepeated) =>
    new Timer(client.setTimer(() => action(...details), delay, isRepeated))
  return {
    setTimeout: (action, delay, ...details) => start(action, delay, details, false),
    setInterval: (action, delay, ...details) => start(action, delay, details, true),
    clearTimeout: clear,
    clearInterval: clear,
    setImmediate: (action, ...details) => client.enqueue(() => action(...details)),
    clearImmediate(task) {
      if (task) task.action = () => {}
    },
    queueMicrotask,
    requestAnimationFrame: (action) => start(() => action(client.time - client.start), 16, [], false),
    cancelAnimationFrame: clear,
  }
}

function makePerformance(client) {
  const now = () => client.time - client.start
  return {
    now, timeOrigin: client.start, timing: { navigationStart: client.start }, mark() {}, measure() {}, clearMarks() {}, clearMeasures() {},
    getEntriesByName: () => [], getEntriesByType: () => [],
  }
}

function fill(bytes, client) {
  for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(client.random() * 256)
  return bytes
}

function makeCrypto(client) {
  return {
    getRandomValues(array) {
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), client)
      return array
    },
    randomUUID() {
      const bytes = fill(Buffer.alloc(16), client)
      bytes[6] = (bytes[6] & 15) | 64
      bytes[8] = (bytes[8] & 63) | 128
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  }
}

function makeChannels(client) {
  class MessagePort extends Target {
    postMessage(data) {
      client.enqueue(() => this.other.raise('message', { type: 'message', data, target: this.other }))
    }

    start() {}
    close() {}
    ref() {}
    unref() {}
    on(type, handler) {
      this.addEventListener(type, (event) => handler(event.data))
    }
  }

  class MessageChannel {
    constructor() {
      this.port1 = new MessagePort()
      this.port2 = new MessagePort()
      Object.defineProperty(this.port1, 'other', { value: this.port2 })
      Object.defineProperty(this.port2, 'other', { value: this.port1 })
    }
  }
  return { MessageChannel, MessagePort }
}

// Browsers

/** What is stored outlives the process where the kit keeps it. */
function makeStorage(client) {
  const items = client.storage
  const storage = {
    getItem: (key) => (items.has(String(key)) ? items.get(String(key)) : null),
    setItem(key, value) {
      if (items.get(String(key)) === String(value)) return
      items.set(String(key), String(value))
      client.emit('store', { key: String(key), text: String(value) })
    },
    removeItem(key) {
      if (items.delete(String(key))) client.emit('erase', { key: String(key) })
    },
    key: (index) => [...items.keys()][index] ?? null,
    clear() {
      for (const key of [...items.keys()]) storage.removeItem(key)
    },
  }
  Object.defineProperty(storage, 'length', { get: () => items.size })
  return storage
}

/** What lasts as long as the process. */
function makeSessionStorage() {
  return makeStorage({ storage: new Map(), emit() {} })
}

function addBrowser(globals, realm) {
  const { client } = realm
  const window = new Target()
  const location = new URL('https://app.kennel.test/')
  const page = {
    protocol: location.protocol, host: location.host, hostname: location.hostname, port: '',
    pathname: '/', search: '', hash: '', href: location.href, origin: location.origin,
    reload() {}, replace() {}, assign() {}, toString: () => location.href,
  }
  Object.assign(globals, {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    dispatchEvent: window.dispatchEvent.bind(window),
    postMessage: makePostMessage(window, page, client),
    document: makeDocument(page),
    location: page,
    navigator: {
      onLine: true, userAgent: 'Mozilla/5.0 (Kennel)', appName: 'Kennel', platform: 'Kennel',
      product: 'Kennel', language: 'en', languages: ['en'], cookieEnabled: false,
    },
    history: { length: 1, pushState() {}, replaceState() {} },
    screen: { width: 0, height: 0 },
    localStorage: makeStorage(client),
    sessionStorage: makeSessionStorage(),
  })
  // Where elements can be made, Firebase polls with scripts; only engine.io polls with requests.
  if (realm.options.api.polls) {
    globals.XMLHttpRequest = realm.sockets.XMLHttpRequest
    globals.document.createElement = (tagName) =>
      /^iframe$/i.test(tagName) ? makeFrame(page, client) : makeElement(tagName)
  }
  return globals
}

/** A window's messages to itself: how browsers without `setImmediate` run something next. */
function makePostMessage(window, { origin }, client) {
  return (data) => client.enqueue(() => window.raise('message', { type: 'message', data, origin, source: window }))
}

/** A frame loads nothing, but its window of the same origin takes messages. */
function makeFrame(location, client) {
  const window = Object.assign(new Target(), { location })
  window.postMessage = makePostMessage(window, location, client)
  window.document = Object.assign(makeElement('html'), { open() {}, write() {}, close() {} })
  return Object.assign(makeElement('iframe'), { contentWindow: window, contentDocument: window.document })
}

/** An element that takes whatever it is given and does nothing: it loads no script and no frame. */
function makeElement(tagName) {
  const element = new Target()
  return Object.assign(element, {
    tagName: String(tagName).toUpperCase(), style: {}, parentNode: null, childNodes: [],
    setAttribute() {}, getAttribute: () => null, remove() {}, submit() {},
    appendChild: (child) => child, removeChild: (child) => child, insertBefore: (child) => child,
  })
}

/** A page that is always visible, and whose elements do nothing. */
function makeDocument(location) {
  const document = new Target()
  return Object.assign(document, {
    addEventListener: document.addEventListener.bind(document),
    hidden: false, visibilityState: 'visible', readyState: 'complete', cookie: '', title: '',
    domain: location.hostname, URL: location.href, referrer: '', location,
    documentElement: makeElement('html'), head: makeElement('head'), body: makeElement('body'),
    hasFocus: () => true, getElementById: () => null, getElementsByTagName: () => [],
    querySelector: () => null, querySelectorAll: () => [],
  })
}

// Node

function addNode(globals, client) {
  const { nextTick } = process
  const own = {
    env: {}, argv: ['node'], execArgv: [], pid: 1, platform: process.platform, arch: process.arch,
    version: process.version, versions: { ...process.versions }, release: process.release,
    title: 'node', browser: false, exitCode: undefined,
    nextTick: (action, ...details) => nextTick(action, ...details),
    cwd: () => '/', uptime: () => (client.time - client.start) / 1000, umask: () => 0,
    hrtime: Object.assign(() => hrtime(client), { bigint: () => BigInt(nanoseconds(client)) }),
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0 }),
    emitWarning(warning) { process.stderr.write(`warning: ${warning}\n`) },
    exit(code) { throw new Error(`the SDK ended its process with code ${code}`) },
    stdout: process.stderr, stderr: process.stderr,
  }
  for (const name of ['on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners']) {
    own[name] = () => own
  }
  Object.assign(own, { emit: () => false, listeners: () => [], listenerCount: () => 0 })
  Object.defineProperty(own, Symbol.toStringTag, { value: 'process' })
  return Object.assign(globals, { process: own, Buffer })
}

const nanoseconds = (client) => Math.round((client.time - client.start) * 1e6)

function hrtime(client) {
  const elapsed = nanoseconds(client)
  return [Math.floor(elapsed / 1e9), elapsed % 1e9]
}

/** The names under which the global object itself is known. */
const SELVES = {
  browser: ['window', 'self', 'global', 'parent', 'top', 'frames'], node: ['global'], wechat: ['global'],
}

module.exports = { SELVES, fill, makeGlobals }
