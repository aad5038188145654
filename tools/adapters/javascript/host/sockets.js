'use strict'
// The sockets that SDKs know: the WebSocket of browsers, those of `faye-websocket` and `ws`, the
// Socket of `engine.io-client`, and the requests with which engine.io polls.

const { Emitter, Target } = require('./events')

const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }

/** The classes for one client. */
function makeSockets(client) {
  const { connections } = client

  class WebSocket extends Emitter {
    constructor(url) {
      super()
      Object.assign(this, {
        url: String(url), readyState: STATES.CONNECTING, bufferedAmount: 0, protocol: '',
        extensions: '', binaryType: 'blob', onopen: null, onmessage: null, onclose: null,
        onerror: null,
      })
      this.link = connections.open(this.url, {
        onOpen: () => this.becomeOpen(),
        onMessage: (data) => this.receive(data),
        onClose: (code) => this.becomeClosed(code),
      })
      Object.defineProperty(this, 'link', { enumerable: false })
    }

    becomeOpen() {
      this.readyState = STATES.OPEN
      this.raise('open', this.event('open'))
    }

    receive(data) {
      this.raise('message', this.event('message', { data }))
    }

    becomeClosed(code) {
      const wasConnecting = this.readyState === STATES.CONNECTING
      this.readyState = STATES.CLOSED
      if (wasConnecting && (this.onerror || this.listenerCount('error'))) {
        this.raise('error', this.event('error', { message: 'the connection was refused' }))
      }
      this.raise('close', this.event('close', { code, reason: '', wasClean: code === 1000 }))
    }

    event(type, details) {
      return { type, target: this, currentTarget: this, ...details }
    }

    send(data) {
      if (this.readyState === STATES.CONNECTING) throw new Error('the socket is not open yet')
      if (this.readyState !== STATES.OPEN) return
      connections.send(this.link, data)
      client.isSending = this.link.framing.hasBuffer
    }

    close(code) {
      if (this.readyState >= STATES.CLOSING) return
      this.readyState = STATES.CLOSING
      connections.close(this.link, code)
    }

    terminate() {
      this.close(1006)
    }

    pause() {}
    resume() {}
    ping() {}
  }
  Object.assign(WebSocket, STATES)
  Object.assign(WebSocket.prototype, STATES)

  /** The same as `ws` has it, whose events hand over the text alone. */
  class NodeWebSocket extends WebSocket {
    receive(data) {
      if (typeof this.onmessage === 'function') this.onmessage(this.event('message', { data }))
      for (const handler of this.listeners('message')) handler.call(this, data, false)
    }
  }

  return { WebSocket, NodeWebSocket, ...makeEngine(client), XMLHttpRequest: makePolling(client) }
}

/** engine.io-client: `require('engine.io-client')(address, options)`. */
function makeEngine(client) {
  const { connections } = client
  const [PING_INTERVAL, PING_TIMEOUT] = [25000, 60000]

  class EngineSocket extends Emitter {
    constructor(address, options = {}) {
      super()
      const { path = '/engine.io', query = {} } = options
      const url = new URL(typeof address === 'string' ? address : `https://${options.host}`)
      if (url.pathname === '/') url.pathname = path
      const pairs = typeof query === 'string' ? new URLSearchParams(query) : Object.entries(query)
      for (const [name, value] of pairs) url.searchParams.set(name, value)
      url.searchParams.set('EIO', '3')
      Object.assign(this, { id: 'kennel', readyState: 'opening', writeBuffer: [], protocol: 3 })
      this.transport = { name: 'websocket', on() {}, once() {}, removeListener() {} }
      this.link = connections.open(url.href.replace(/^http/, 'ws'), {
        onOpen() {},
        onMessage: (packet) => this.receive(packet),
        onClose: () => this.becomeClosed('transport close'),
      })
    }

    receive(packet) {
      if (packet[0] === '0') {
        this.readyState = 'open'
        this.waitForPing()
        this.emit('open')
      } else if (packet[0] === '3') {
        client.clearTimer(this.timer)
        this.waitForPing()
        this.emit('pong')
      } else if (packet[0] === '4') {
        this.emit('data', packet.slice(1))
        this.emit('message', packet.slice(1))
      }
    }

    /** A dead connection is noticed when the answer to a ping does not come. */
    waitForPing() {
      this.timer = client.setTimer(() => {
        connections.send(this.link, '2')
        this.timer = client.setTimer(() => this.end('ping timeout'), PING_TIMEOUT)
      }, PING_INTERVAL)
    }

    send(text, options, callback) {
      const done = typeof options === 'function' ? options : callback
      if (this.readyState === 'open') connections.send(this.link, `4${text}`)
      if (done) client.enqueue(done)
      return this
    }

    close() {
      this.end('forced close')
      return this
    }

    end(reason) {
      if (this.readyState === 'closed') return
      connections.forget(this.link)
      this.becomeClosed(reason)
    }

    becomeClosed(reason) {
      if (this.readyState === 'closed') return
      const wasOpening = this.readyState === 'opening'
      this.readyState = 'closed'
      client.clearTimer(this.timer)
      if (wasOpening) this.emit('error', new Error('the connection was refused'))
      this.emit('close', reason)
    }
  }
  EngineSocket.prototype.write = EngineSocket.prototype.send

  /** Called with `new` or without. */
  function engine(address, options) {
    return new EngineSocket(address, options)
  }
  Object.assign(engine, { Socket: EngineSocket, protocol: 3, default: engine })
  return { engine }
}

/** Old editions of engine.io poll with UTF-8 whose bytes they write as letters. */
function decoded(text) {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

/** XMLHttpRequest as far as engine.io polls with it; every other request is refused. */
function makePolling(client) {
  const { connections } = client
  let session

  /** Answers the waiting poll with everything that has come. */
  function flush() {
    if (!session.poll || !(session.packets.length || session.isOver)) return
    const { poll, packets, isOver } = session
    Object.assign(session, { poll: undefined, packets: [] })
    if (isOver && !packets.length) poll.finish(0, '')
    else poll.finish(200, packets.map((packet) => `${packet.length}:${packet}`).join(''))
    const own = session
    own.answers += 1
    client.enqueue(() => abandon(own))
  }

  /** A connection of polls is there as long as somebody polls, or changes over to a socket. */
  function abandon(own) {
    own.answers -= 1
    if (own.answers || own.poll || own.isOver || own.link.next || own.link.hasChanged) return
    connections.forget(own.link)
  }

  function begin(request) {
    const own = { packets: [], poll: request, isOver: false, answers: 0 }
    session = own
    own.link = connections.open(request.url, {
      onOpen() {},
      onMessage(packet) {
        own.packets.push(packet)
        if (session === own) flush()
      },
      onClose() {
        own.isOver = true
        if (session === own) flush()
      },
    })
  }

  /** Packets of a request are written one after the other, each behind its length. */
  function take(body) {
    for (let rest = String(body); rest;) {
      const colon = rest.indexOf(':')
      const length = Number(rest.slice(0, colon))
      const packet = rest.slice(colon + 1, colon + 1 + length)
      rest = rest.slice(colon + 1 + length)
      if (packet[0] === '1') connections.forget(session.link)
      else connections.send(session.link, decoded(packet))
    }
  }

  return class XMLHttpRequest extends Target {
    constructor() {
      super()
      Object.assign(this, {
        readyState: 0, status: 0, statusText: '', responseText: '', withCredentials: false,
        timeout: 0, upload: new Target(), onreadystatechange: null, onload: null, onerror: null,
      })
    }

    open(method, url) {
      Object.assign(this, { method, url: String(url), readyState: 1 })
    }

    setRequestHeader() {}
    overrideMimeType() {}

    getResponseHeader(name) {
      const isType = String(name).toLowerCase() === 'content-type'
      return isType ? 'text/plain; charset=UTF-8' : null
    }

    getAllResponseHeaders() {
      return 'content-type: text/plain; charset=UTF-8\r\n'
    }

    send(body) {
      const { pathname, searchParams } = new URL(this.url, 'https://app.kennel.test/')
      if (pathname.endsWith('/lookup')) {
        // Which hosts there are, as the name server of Wilddog tells.
        this.finish(200, JSON.stringify({ nssList: [connections.knownHost] }))
      } else if (searchParams.get('transport') !== 'polling') {
        client.log(`the SDK asked for ${this.url}; the host has no network, and refuses`)
        this.finish(0, '')
      } else if (!searchParams.has('sid')) begin(this)
      else if (!session || session.isOver) this.finish(0, '')
      else if (this.method === 'POST') {
        take(body)
        this.finish(200, 'ok')
      } else {
        session.poll = this
        flush()
      }
    }

    abort() {
      if (session && session.poll === this) session.poll = undefined
      this.isAborted = true
    }

    finish(status, text) {
      client.enqueue(() => {
        if (this.isAborted) return
        Object.assign(this, { readyState: 4, status, responseText: text, response: text })
        client.isFailing = !status
        this.raise('readystatechange', { type: 'readystatechange', target: this })
        this.raise(status ? 'load' : 'error', { type: status ? 'load' : 'error', target: this })
        this.raise('loadend', { type: 'loadend', target: this })
        client.isFailing = false
      })
    }
  }
}

module.exports = { makeSockets }
