'use strict'
// A process with an SDK in it: its turn of events, its timers, and its one connection to the kit.

const { Authentication } = require('./api/authentication')
const { Connections } = require('./connections')
const { Realm } = require('./realm')
const { randomNumbers } = require('./random')

/** A delay from which on a timer of a connected client is there to keep the connection alive. */
const KEEP_ALIVE = 10000
/** The same for one that is repeated: nobody can wait for its last time. */
const KEEP_ALIVE_REPEATED = 1000
/** Node and browsers take longer delays for none at all. */
const LONGEST_DELAY = 2 ** 31 - 1

class Client {
  static verbs = ['opened', 'refused', 'closed', 'frame', 'frames', 'timer', 'call']

  constructor(host, options, opening, now) {
    Object.assign(this, { host, options, opening, time: now, isAlive: true })
    this.start = now
    this.random = randomNumbers(opening.seed)
    this.tasks = []
    this.timers = new Map()
    this.lastTimer = 0
    /** Whether the connection ends in this turn: what is put off now is the next try. */
    this.isLosing = false
    /** Whether a transport with a buffer has just been given a packet: it puts the rest off. */
    this.isSending = false
    /** Whether what was put off for no time at all is done now, and no try was put off in it. */
    this.isTrying = false
    this.storage = new Map(opening.storage || [])
    this.authentication = new Authentication(this)
    this.connections = new Connections(this)
  }

  emit(verb, details) {
    if (verb === 'disconnect') this.hasDisconnected = true
    if (this.isAlive) this.host.emit(verb, details)
  }

  log(text) {
    this.emit('log', { text })
  }

  kill() {
    this.isAlive = false
    this.tasks = []
    this.timers.clear()
    if (this.realm) this.realm.leave()
  }

  /** Finds a realm and loads the SDK into it. */
  load() {
    this.realm = Realm.for(this, this.options)
    this.sdk = this.realm.load()
  }

  /** Does what an input says, and then everything that it causes in this process. */
  async handle(verb, details, now) {
    if (verb === 'frames') return this.handleFrames(details, now)
    this.time = now
    this.isTrying = false
    this.isLosing = verb === 'closed' || verb === 'refused'
    if (verb === 'open') this.enqueue(() => this.open())
    else if (verb === 'timer') this.enqueue(() => this.fire(details.timer))
    else if (verb === 'call') this.enqueue(() => this.application.call(details))
    else this.connections[verb](details)
    await this.settle()
    this.isLosing = false
  }

  /** Hands over several messages, each in a turn of its own, until the SDK closes their connection. */
  async handleFrames(messages, now) {
    this.hasDisconnected = false
    for (const [index, message] of messages.entries()) {
      if (this.hasDisconnected) return
      if (index) this.emit('next', {})
      await this.handle('frame', message, now)
    }
  }

  open() {
    this.load()
    this.application = this.options.api.start(this)
  }

  /** Like a browser, goes on after an exception that nobody catches. */
  attempt(action) {
    this.isSending = false
    try {
      action()
    } catch (error) {
      if (!this.application) this.failure = error // Without an application nothing goes on.
      this.uncaught(error)
    }
  }

  /** Tells an exception that the SDK let out, unless it is the application's own. */
  uncaught(error) {
    process.stderr.write(`the SDK threw: ${(error && error.stack) || error}\n`)
    if (this.application && this.application.failures.has(error)) this.log('the SDK let out what the application threw')
    else this.emit('uncaught', described(error))
  }

  // The turn of events

  /** Puts an action behind everything that happens in this process now. */
  enqueue(action) {
    const task = { action }
    this.tasks.push(task)
    return task
  }

  /**
   * Runs what is due: between two tasks all `nextTick`s and promises have their turn. It is over when
   * a turn without a task has passed, and none has come.
   */
  async settle() {
    for (;;) {
      const task = this.tasks.shift()
      await aTurn(() => task && this.attempt(task.action))
      if (this.failure) throw this.failure
      if (!task && !this.tasks.length) return
    }
  }

  // Timers, whose time is the kit's

  setTimer(action, delay, isRepeated) {
    const timer = ++this.lastTimer
    const after = Math.max(0, Number(delay) || 0)
    const interval = after > LONGEST_DELAY ? 0 : after
    // What an SDK does about a request that failed it may put off for no time at all.
    const isLosing = this.isFailing && !interval
    // What a transport has in its buffer is on its way: it goes out in this turn.
    const isOwn = this.isSending && !interval && !isRepeated
    this.isSending = false
    this.timers.set(timer, { action, interval, isRepeated, isLosing, isOwn })
    if (isOwn) this.enqueue(() => this.fire(timer))
    else this.startTimer(timer, interval, isRepeated)
    return timer
  }

  startTimer(timer, interval, isRepeated) {
    this.emit('setTimer', { timer, after: interval, label: this.labelOf(interval, isRepeated) })
  }

  labelOf(interval, isRepeated) {
    const isPutOff = this.isFailing && !interval
    if (this.isLosing && !isPutOff && !this.connections.isUp) {
      this.isTrying = false
      return 'back-off'
    }
    return interval >= (isRepeated ? KEEP_ALIVE_REPEATED : KEEP_ALIVE) ? 'keep-alive' : 'other'
  }

  clearTimer(timer) {
    const known = this.timers.get(timer)
    this.timers.delete(timer)
    if (known && !known.isOwn) this.emit('cancelTimer', { timer })
  }

  fire(timer) {
    const due = this.timers.get(timer)
    if (!due) return
    if (due.isRepeated) this.startTimer(timer, due.interval, true)
    else this.timers.delete(timer)
    if (due.isLosing) this.isLosing = this.isTrying = true
    due.action()
  }
}

/** What an exception is: anything can be thrown, also a text. */
function described(error) {
  if (!error || typeof error.message !== 'string') return { message: String(error) }
  const stack = String(error.stack || '').split('\n').map((line) => line.trim())
  const frames = stack.filter((line) => line.startsWith('at ')).join('\n')
  return { message: error.message, type: String(error.name), ...(frames && { stack: frames }) }
}

/** Does something in a turn of its own: Node lets ticks and then promises follow each. */
const aTurn = (action) => new Promise((resolve) => setImmediate(() => resolve(action())))

module.exports = { Client }
