#!/usr/bin/env node
'use strict'
// Runs an unmodified JavaScript SDK for Kennel: its timers, clock, randomness, sockets and storage
// belong to the kit, so that it goes the same way every time.
//
//     kennel run writes -- node host.js --api wilddog wilddog-sync.js
//     kennel run writes -- node host.js --api firebase node_modules/@firebase/database
//
// README.md beside this file says what it accepts and what an SDK may need.

const v8 = require('v8')

// Each client has classes of its own, so that what V8 optimises for one is wrong for the next: to do that
// again and again costs more than it is worth. And kit and host share a processor, so that nothing is won
// by collecting garbage in several threads.
v8.setFlagsFromString('--no-opt')
v8.setFlagsFromString('--no-parallel-scavenge')

const fs = require('fs')
const { Client } = require('./client')
const { readOptions, UsageError } = require('./options')

const target = Number(process.env.KENNEL_FD || 1)
const say = (text) => process.stderr.write(text + '\n')

class Host {
  constructor(options) {
    Object.assign(this, { options, clients: new Map(), profile: 'firebase', output: '' })
  }

  emit(verb, details) {
    this.output += JSON.stringify({ [verb]: details }) + '\n'
  }

  async answer(request) {
    const verb = Object.keys(request).find((name) => !['id', 'client', 'now'].includes(name))
    const client = this.clients.get(request.client)
    this.current = client
    if (verb === 'hello' || verb === 'reset') {
      for (const each of this.clients.values()) each.kill()
      this.clients = new Map()
      this.profile = request[verb].profile
      if (verb === 'hello') this.emit('hello', this.options.api.hello)
    } else if (verb === 'open') {
      if (client) client.kill()
      const fresh = new Client(this, this.options, request.open, request.now)
      this.clients.set(request.client, fresh)
      this.current = fresh
      await fresh.handle('open', request.open, request.now)
    } else if (verb === 'kill') {
      if (client) client.kill()
      this.clients.delete(request.client)
    } else if (client && Client.verbs.includes(verb)) {
      await client.handle(verb, request[verb], request.now)
    } else this.refuse(`${verb} is not known here`)
  }

  refuse(message) {
    this.emit('error', { code: 'not-supported', message })
  }

  /** Everything that a request causes is written before `idle`. */
  async respond(line) {
    const request = JSON.parse(line)
    if (request.bye) process.exit(0)
    await this.answer(request)
    this.emit('idle', request.id)
    const bytes = Buffer.from(this.output)
    this.output = ''
    for (let start = 0; start < bytes.length;) start += fs.writeSync(target, bytes, start)
  }

  /** Reads at once: nothing may happen between two requests. */
  async run() {
    const chunk = Buffer.alloc(1 << 16)
    let rest = Buffer.alloc(0)
    for (let length; (length = fs.readSync(0, chunk));) {
      let bytes = Buffer.concat([rest, chunk.subarray(0, length)])
      for (let end; (end = bytes.indexOf(10)) >= 0; bytes = bytes.subarray(end + 1)) {
        await this.respond(bytes.toString('utf8', 0, end))
      }
      rest = Buffer.from(bytes)
    }
  }
}

/** What an SDK throws where nobody catches it, a browser only writes to its console: the kit is told. */
function noteUncaught(host) {
  const note = (error) => {
    if (host.current) host.current.uncaught(error)
    else say(`the SDK did not catch: ${(error && error.stack) || error}`)
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
}

async function main() {
  const options = readOptions(process.argv.slice(2))
  const host = new Host(options)
  // An SDK that cannot be loaded is reported now, in words, and not in the middle of a run.
  const trial = new Client(host, options, { host: 'kennel.test', seed: '0' }, 1480000000000)
  trial.open()
  const { lacks } = options.api.hello
  for (const name of trial.application.driver.lacks) if (!lacks.includes(name)) lacks.push(name)
  trial.kill()
  noteUncaught(host)
  host.output = ''
  await host.run()
}

main().then(
  () => process.exit(0),
  (error) => {
    say(error instanceof UsageError ? `host: ${error.message}` : error.stack)
    process.exit(error instanceof UsageError ? 2 : 1)
  })
