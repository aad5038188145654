'use strict'
// The connection: when to try, what to say first, and what the end of one means.

const { ALL } = require('./query')
const { fromJSON } = require('./tree')

const TIMERS = { backOff: 1, nextTurn: 2, keepAlive: 3 }
const FIRST_DELAY = 1000
const GROWTH = 1.3
const LONGEST_DELAY = 300000
const GOOD_LIFE = 30000
const SILENCE = 45000
const PATIENCE = 30000
const [OFFLINE, WAITING, CONNECTING, OPENED, READY] = [0, 1, 2, 3, 4]

const CONNECTED = ['.info', 'connected']
const TIME_OFFSET = ['.info', 'serverTimeOffset']

/** The part of a client that deals with its connection. */
class Connection {
  constructor() {
    this.state = WAITING
    this.delay = FIRST_DELAY
    this.lastAttempt = 0
    this.readySince = undefined
    this.isFirstConnection = true
    this.newHost = undefined
    this.lastHeard = 0
    this.isPulseAwaited = false
  }

  get isUp() {
    return this.state >= OPENED
  }

  get isReady() {
    return this.state === READY
  }

  connect() {
    this.state = CONNECTING
    this.lastAttempt = this.env.now()
    this.env.connect(this.newHost)
  }

  loseConnection() {
    const wasReady = this.isReady
    this.stopPulse()
    this.state = WAITING
    this.env.setTimer(TIMERS.backOff, this.nextDelay(), 'back-off')
    if (wasReady) this.forgetConnection()
  }

  nextDelay() {
    const now = this.env.now()
    if (this.readySince !== undefined && now - this.readySince > GOOD_LIFE) this.delay = FIRST_DELAY
    this.readySince = undefined
    const sinceAttempt = Math.max(0, now - this.lastAttempt)
    const drawn = this.env.random() * Math.max(0, this.delay - sinceAttempt)
    this.delay = Math.min(LONGEST_DELAY, this.delay * GROWTH)
    return drawn
  }

  stopConnecting() {
    const wasReady = this.isReady
    if (this.state === OFFLINE) return
    if (this.state === WAITING) this.env.cancelTimer(TIMERS.backOff)
    this.stopPulse()
    this.env.disconnect()
    this.state = OFFLINE
    this.readySince = undefined
    if (wasReady) this.forgetConnection()
  }

  startConnecting() {
    this.delay = FIRST_DELAY
    if (this.state >= CONNECTING) return
    if (this.state === WAITING) this.env.cancelTimer(TIMERS.backOff)
    this.connect()
  }

  /** The server is elsewhere, and the client follows at once. */
  follow(host) {
    const wasReady = this.isReady
    this.stopPulse()
    this.env.disconnect()
    this.readySince = undefined
    this.newHost = host
    this.connect()
    if (wasReady) this.forgetConnection()
  }

  // Keep-alives

  becomeOpen() {
    this.state = OPENED
    this.feelPulse()
    this.env.setTimer(TIMERS.keepAlive, SILENCE, 'keep-alive')
  }

  feelPulse() {
    this.lastHeard = this.env.now()
    this.isPulseAwaited = false
  }

  /** Only what is received counts: what the client sends may vanish. */
  takePulse() {
    if (!this.isUp) return
    if (this.state === OPENED || this.isPulseAwaited) {
      this.env.disconnect()
      this.loseConnection()
      return
    }
    const silent = this.env.now() - this.lastHeard
    if (silent >= 0 && silent < SILENCE) {
      this.env.setTimer(TIMERS.keepAlive, SILENCE - silent, 'keep-alive')
    } else {
      this.isPulseAwaited = true
      this.env.send({ t: 'c', d: { t: 'p', d: {} } })
      this.env.setTimer(TIMERS.keepAlive, PATIENCE, 'keep-alive')
    }
  }

  stopPulse() {
    if (this.isUp) this.env.cancelTimer(TIMERS.keepAlive)
  }

  // The beginning and the end

  /**
   * The server sent hello: everything that waited goes out, in a fixed order, and only then the
   * application is notified that it is connected.
   */
  becomeReady(hello) {
    this.state = READY
    this.readySince = this.env.now()
    this.timeOffset = hello.ts - this.clock()
    this.tell(TIME_OFFSET, this.timeOffset)
    if (this.profile.statsAlways || this.isFirstConnection) {
      this.transmit('s', { c: { 'sdk.javascript.example': 1 } })
    }
    this.isFirstConnection = false
    this.introduce()
    for (const listen of this.listens.inRestoreOrder()) this.sendListen(listen)
    if (this.writesFlow) for (const put of [...this.puts]) this.transmitPut(put)
    for (const request of [...this.onDisconnects]) this.transmitOnDisconnect(request)
    for (const get of this.gets) this.transmitGet(get)
    this.tell(CONNECTED, true)
  }

  /**
   * Transactions on the wire fail, plain writes wait to be sent again, and what the server will do
   * on disconnection is done here as well.
   */
  forgetConnection() {
    const lost = this.puts.filter((put) => put.isTransaction && put.isSent)
    this.puts = this.puts.filter((put) => !lost.includes(put))
    for (const put of lost) put.finish('disconnect')
    for (const put of this.puts) put.isSent = false
    this.onDisconnects = this.onDisconnects.filter((request) => !request.isSent)
    this.expected.clear()
    if (this.gate === 'awaiting answer') this.gate = 'open'
    for (const request of this.answeredOnDisconnects) this.remember(request)
    this.tell(CONNECTED, false)
    for (const [path, node] of this.promised.takeAll(this.profile.indexesFirst)) {
      this.queue.push(...this.tree.put(this.estimated(node, path), path))
      this.rerunTransactions(this.abortTransactions(path))
    }
    this.raise()
  }

  /** Sets a value of `.info`, which no server knows and which is known although nobody listens. */
  tell(path, value) {
    if (!this.info.view(path, ALL)) this.info.register(undefined, path, ALL, [])
    this.raise(this.info.put(fromJSON(value), path))
  }
}

module.exports = { CONNECTED, CONNECTING, Connection, OPENED, TIMERS, WAITING }
