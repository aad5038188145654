#!/usr/bin/env node
'use strict'
// Lets Kennel drive a client: reads one JSON object a line, and answers with lines of JSON.
//
//     kennel run writes -- node adapter.js
//
// To drive a client of your own, change what stands below "The client": how it is made, what it has
// for a connection, timers, a clock and storage, and what it is asked for each operation. What
// is above can stay. Specs/adapter-protocol.md describes every line.

const fs = require('fs')
const { Reactions } = require('./callbacks')
const { Client } = require('./client')
const { partsOf } = require('./frames')
const { VALUE, queryOf } = require('./client/query')
const { EMPTY, Refusal, fromJSON, parsePath, priorityOf, scalarOf } = require('./client/tree')
const { Reference, answerOf } = require('./client/values')

const HELLO = {
  protocol: 1, revision: 6, name: 'javascript-example', version: '1.0',
  capabilities: [ // What is missing here is not asked for. reset: for another run.
    'listen.value', 'listen.child', 'listen.query', 'once', 'set', 'update', 'priority', 'push',
    'transaction', 'on-disconnect', 'offline', 'info', 'server-values', 'inspect', 'mutable-data',
    'persistence', 'keep-synced', 'auth', 'callbacks', 'get', 'reset', 'frames',
  ],
}

class NotSupported extends Error {}

const target = Number(process.env.KENNEL_FD || 1)
let [processes, profile, output] = [new Map(), '', '']

function emit(verb, details) {
  output += JSON.stringify({ [verb]: details }) + '\n'
}

/** Does what a request asks. */
function answer(request) {
  const verb = Object.keys(request).find((name) => !['id', 'client', 'now'].includes(name))
  const client = processes.get(request.client)
  if (verb === 'hello' || verb === 'reset') {
    processes = new Map()
    profile = request[verb].profile
    if (verb === 'hello') emit('hello', HELLO)
  } else if (verb === 'open') {
    processes.set(request.client, new Process(request.open, request.now))
  } else if (verb === 'kill') {
    processes.delete(request.client)
  } else if (client && ['opened', 'refused', 'closed', 'frame', 'timer', 'call'].includes(verb)) {
    client.time = request.now
    client[verb](request[verb])
  } else throw new NotSupported(`${verb} is not known here`)
}

/** Everything that a request causes is written before `idle`. */
function respond(line) {
  const request = JSON.parse(line)
  if (request.bye) process.exit(0)
  for (const part of partsOf(request, () => output, emit)) {
    try {
      answer(part)
    } catch (error) {
      if (error instanceof NotSupported) {
        emit('error', { code: 'not-supported', message: error.message })
      } else if (!part.client) {
        throw error
      } else {
        const frames = error.stack.split('\n').filter((line) => line.startsWith('    at '))
        emit('uncaught', { message: error.message, type: error.name, stack: frames.join('\n') })
      }
    }
  }
  const bytes = Buffer.from(`${output}{"idle":${request.id}}\n`)
  output = ''
  for (let start = 0; start < bytes.length;) start += fs.writeSync(target, bytes, start)
}

/** Reads at once and answers at once: nothing may happen between two requests. */
function run() {
  const chunk = Buffer.alloc(1 << 16)
  let rest = Buffer.alloc(0)
  for (let length; (length = fs.readSync(0, chunk));) {
    let bytes = Buffer.concat([rest, chunk.subarray(0, length)])
    for (let end; (end = bytes.indexOf(10)) >= 0; bytes = bytes.subarray(end + 1)) {
      respond(bytes.toString('utf8', 0, end))
    }
    rest = Buffer.from(bytes)
  }
}

// The client

/** A process with one client in it, and all that surrounds the client: its environment. */
class Process {
  constructor(opening, now) {
    Object.assign(this, { time: now, listeners: new Map(), snapshots: new Map() })
    this.reactions = new Reactions(emit, (call) => this.call(call))
    this.random = randomNumbers(BigInt(opening.seed))
    this.client = new Client(this, profile, opening.host, opening.storage, opening.cacheBytes)
  }

  opened() { this.client.connectionOpened() }
  refused() { this.client.connectionEnded() }
  closed() { this.refused() }
  frame(message) { this.client.messageReceived(message) }
  timer({ timer }) { this.client.timerFired(timer) }

  emit(verb, details) { this.reactions.emit(verb, details) }
  // What the client asks of its environment; it also uses `random`.
  now() { return this.time }
  connect(host) { emit('connect', host ? { host } : {}) }
  send(message) { emit('send', message) }
  disconnect() { emit('disconnect', {}) }
  setTimer(timer, after, label) { emit('setTimer', { timer, after, label }) }
  cancelTimer(timer) { emit('cancelTimer', { timer }) }
  store(key, text) { emit('store', { key, text }) }
  erase(key) { emit('erase', { key }) }
  log(text) { emit('log', { text }) }

  // What the application asks of the client, by the table at the end.
  call(c) {
    if (!Object.hasOwn(OPERATIONS, c.op)) throw new NotSupported(`${c.op} is not known here`)
    c.at = parsePath(c.path || '')
    c.done = (error) => this.completed(c, { error }, new Reference(c.at, this.client.host))
    c.answer = (value) => {
      if (c.op === 'push') c.at = [...c.at, value] // A push completes for the new child.
      emit('answered', { call: c.id, value })
    }
    try {
      OPERATIONS[c.op](this, this.client, c)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      emit('threw', { call: c.id, error: error.code })
    }
  }

  completed(c, end, handed) {
    this.snapshots.set(c.id, handed ? [handed] : [])
    this.emit('completed', { call: c.id, ...end })
  }

  listen(c, events, isOnce) {
    const { listener } = c
    this.snapshots.set(listener, [])
    const onEvent = (type, snapshot, prev) => { // Without a previous key `prev` is undefined.
      this.snapshots.get(listener).push(snapshot)
      const children = type === VALUE ? snapshot.keys() : undefined
      const value = snapshot.export()
      this.emit('event', { listener, type, key: snapshot.key(), value, prev, children })
    }
    const onCancel = (error) => this.emit('cancelled', { listener, error })
    if (!events) return this.client.get(c.at, query(c), (s) => onEvent(VALUE, s), onCancel)
    this.listeners.set(listener, { onEvent, onCancel })
    return this.client.listen(c.at, query(c), events, this.listeners.get(listener), isOnce)
  }

  transact(c) {
    const [[name, argument]] = Object.entries(c.update)
    const update = (value) => {
      this.emit('updateRan', { call: c.id, input: value })
      if (name === 'increment') return (typeof value === 'number' ? value : 0) + argument
      if (name === 'merge') return merged(value, argument)
      if (name === 'fail' || (name === 'setIfNullOrFail' && value !== null)) throw new Error('fail')
      if (name === 'keep') return value
      return name.endsWith('bort') || (name === 'setIfNull' && value !== null) ? undefined : argument
    }
    const done = (error, committed, snapshot) =>
      this.completed(c, { error, committed, value: snapshot ? snapshot.export() : null }, snapshot)
    const constant = ['abort', 'fail', 'keep'].includes(name) ? EMPTY : fromJSON(argument)
    this.client.transaction(c.at, update, done, c.localEvents !== false, constant)
  }
}

/** Numbers from 0 to 1 that the seed determines (SplitMix64). */
function randomNumbers(state) {
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n)
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn)
    return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53
  }
}

function merged(value, changes) {
  const children = Object.entries(value !== null && typeof value === 'object' ? value : {})
  return { ...Object.fromEntries(children.filter(([, child]) => child !== null)), ...changes }
}

const query = (c) => queryOf(c.query)
const node = (c) => fromJSON(c.value, scalarOf(c.priority))
const parts = (c) => Object.entries(c.value).map(([name, v]) => [parsePath(name), fromJSON(v)])

const OPERATIONS = { // process, client, call
  listen: (p, client, c) => p.listen(c, c.events || [c.event]),
  once: (p, client, c) => p.listen(c, c.events || [c.event], true),
  get: (p, client, c) => p.listen(c),
  unlisten: (p, client, c) =>
    p.listeners.has(c.listener) && client.unlisten(p.listeners.get(c.listener), c.path && c.at),
  'unlisten-all': (p, client, c) => client.unlistenAll(c.at, query(c)),
  'keep-synced': (p, client, c) => client.keepSynced(c.at, query(c), c.on !== false),
  set: (p, client, c) => client.set(c.at, node(c), c.done),
  remove: (p, client, c) => client.set(c.at, EMPTY, c.done),
  'set-priority': (p, client, c) => client.setPriority(c.at, priorityOf(c.priority), c.done),
  update: (p, client, c) => client.update(c.at, parts(c), c.done),
  push: (p, client, c) => client.push(c.at, 'value' in c ? node(c) : undefined, c.done, c.answer),
  transaction: (p, client, c) => p.transact(c),
  'on-disconnect-set': (p, client, c) => client.onDisconnectSet(c.at, node(c), c.done),
  'on-disconnect-remove': (p, client, c) => client.onDisconnectSet(c.at, EMPTY, c.done),
  'on-disconnect-update': (p, client, c) => client.onDisconnectUpdate(c.at, parts(c), c.done),
  'on-disconnect-cancel': (p, client, c) => client.onDisconnectCancel(c.at, c.done),
  'go-offline': (p, client) => client.goOffline(),
  'go-online': (p, client) => client.goOnline(),
  auth: (p, client, c) => client.authenticate(c.token, c.done),
  unauth: (p, client, c) => client.authenticate(undefined, c.done),
  on: (p, client, c) => p.reactions.waiting.push(c),
  inspect: (p, client, c) => c.answer(answerOf(c, client, p.snapshots)),
}

run()
