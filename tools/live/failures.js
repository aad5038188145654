#!/usr/bin/env node
'use strict'
// Has two clients of another implementation fail under faults at a live server, and makes a scenario of
// each failure, in full and as small as it gets:
//
//     node --experimental-websocket tools/live/failures.js BUNDLE [WORD]
//
// BUNDLE is a CommonJS file with the functions of the modular Firebase SDK (initializeApp, getDatabase, ref,
// set, …). WORD chooses the failures whose names contain it. Node 22 needs no option. KENNEL names the
// program; tools/kennel unless stated. Prints a line for each failure, and exits with 1 unless each becomes a
// scenario that passes with the server's tree of the session, and shrinks to ten steps at most.

const { spawn, spawnSync } = require('child_process')
const fs = require('fs')
const http = require('http')
const Module = require('module')
const os = require('os')
const path = require('path')

const [bundle, word = ''] = process.argv.slice(2)
if (!bundle || !globalThis.WebSocket) {
  console.error('failures.js needs the path of a bundle, and node --experimental-websocket')
  process.exit(2)
}
const home = path.join(__dirname, '../..')
const kennel = process.env.KENNEL || path.join(home, 'tools/kennel')
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

// What the SDK looks for in Node, by what Node has itself.
class Socket {
  constructor(url) {
    this.socket = new WebSocket(url)
    for (const kind of ['open', 'close', 'message', 'error']) {
      this.socket['on' + kind] = (event) => this['on' + kind]?.(event)
    }
  }
  send(text) { this.socket.send(text) }
  close() { this.socket.close() }
}
const standIns = {
  'faye-websocket': { Client: Socket, default: { Client: Socket } },
  idb: { openDB: () => Promise.reject(new Error('there is no IndexedDB')) },
}
const load = Module._load
Module._load = (name, ...rest) => standIns[name] || load(name, ...rest)
const sdk = require(path.resolve(bundle))

class Server {
  async start(folder) {
    this.process = spawn(kennel, ['serve', '--port', '0', '--control', '0', '--record', folder])
    this.process.stderr.resume()
    let text = ''
    this.process.stdout.on('data', (data) => { text += data })
    while ((text.match(/:\d+\n/g) || []).length < 2) await sleep(20);
    [this.control, this.port] = text.match(/:\d+\n/g).map((port) => Number(port.slice(1)))
    return this
  }

  ask(method, port, location, body) {
    return new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port, path: location, method }, (answer) => {
        let text = ''
        answer.on('data', (data) => { text += data })
        answer.on('end', () => resolve(text))
      })
      request.on('error', reject)
      request.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  async fault(...faults) {
    const answer = await this.ask('POST', this.control, '/faults', faults)
    if (answer.includes('error')) throw new Error(answer)
  }

  heal() { return this.ask('POST', this.control, '/heal') }

  end() {
    return new Promise((resolve) => { this.process.on('exit', resolve); this.process.kill('SIGTERM') })
  }
}

class Client {
  constructor(server, name) {
    const databaseURL = `http://127.0.0.1:${server.port}?ns=default`
    this.app = sdk.initializeApp({ projectId: 'demo', databaseURL }, `${name}-${server.port}`)
    this.database = sdk.getDatabase(this.app)
    this.isConnected = false
    sdk.onValue(this.at('.info/connected'), (snapshot) => { this.isConnected = snapshot.val() })
  }
  at(location) { return sdk.ref(this.database, location) }
  // That a write fails is part of some failures.
  set(location, value) { return sdk.set(this.at(location), value).catch(() => {}) }
  add(location, count = 1) { return this.set(location, sdk.increment(count)) }
  update(location, values) { return sdk.update(this.at(location), values).catch(() => {}) }
  listen(location) { sdk.onValue(this.at(location), () => {}) }
  leave(location, value) { return sdk.onDisconnect(this.at(location)).set(value) }
  async connected() { for (let tries = 0; !this.isConnected && tries < 400; tries++) await sleep(20) }
}

const [A, B] = ['client-1', 'client-2'] // What the server calls them.
const lose = (client) => ({ 'network.lose-acknowledgement': client })
const drop = (client) => ({ 'network.drop': client })
// A client connects again at a random moment: not before the other has written.
const refuse = { 'network.refuse': A }
const resume = (client) => ({ 'network.resume': client })
const stall = (client, direction) => ({ 'network.stall': { client, direction } })
const closeAfter = (client, messages) => ({ 'network.close-after': { client, messages } })

// What the clients a and b do, and what is done to them.
const failures = {
  'increment, lost answer': async (s, a) => { await s.fault(lose(A)); a.add('n'); await sleep(200) },
  'increment by 5, lost answer, with listeners': async (s, a, b) => {
    a.listen('room'); b.listen('room'); await sleep(100)
    await s.fault(lose(B)); b.add('room/n', 5); await sleep(200)
  },
  'set, lost answer, overwrites the other': async (s, a, b) => {
    await s.fault(refuse, lose(A)); a.set('x', 'old'); await sleep(60); await b.set('x', 'new'); await s.heal()
  },
  'update, lost answer, overwrites the other': async (s, a, b) => {
    await s.fault(refuse, lose(A)); a.update('x', { p: 1, q: 1 }); await sleep(60)
    await b.update('x', { q: 2, r: 2 }); await s.heal()
  },
  'remove, lost answer, removes what is new': async (s, a, b) => {
    await a.set('x', 1); await s.fault(refuse, lose(A))
    a.set('x', null); await sleep(60); await b.set('x', 'new'); await s.heal()
  },
  'increments of both, lost answers': async (s, a, b) => {
    await s.fault(lose(A), lose(B)); a.add('n'); b.add('n'); await sleep(300)
  },
  'the second of three increments': async (s, a) => {
    await a.add('n'); await s.fault(lose(A)); a.add('n'); a.add('n'); await sleep(200)
  },
  'closed after 9 messages amid 10 increments': async (s, a) => {
    await s.fault(closeAfter(A, 9)); for (let i = 0; i < 10; i++) a.add('n'); await sleep(300)
  },
  'closed after 7 messages amid 10 increments': async (s, a) => {
    await s.fault(closeAfter(A, 7)); for (let i = 0; i < 10; i++) a.add('n'); await sleep(300)
  },
  'both closed amid increments': async (s, a, b) => {
    await s.fault(closeAfter(A, 5), closeAfter(B, 4))
    for (let i = 0; i < 6; i++) { a.add('n'); b.add('m') }
    await sleep(300)
  },
  'answers stalled, then dropped': async (s, a) => {
    await s.fault(stall(A, 'to-client')); a.add('n'); a.add('n'); await sleep(100)
    await s.fault(drop(A)); await s.fault(resume(A)); await sleep(300)
  },
  'a stalled write overwrites a later one': async (s, a, b) => {
    await s.fault(stall(A, 'to-server')); a.set('x', 'first'); await sleep(100)
    await b.set('x', 'second'); await s.fault(resume(A)); await sleep(400)
  },
  'a write of a cut client overwrites a later one': async (s, a, b) => {
    await s.fault({ 'network.cut': A }); await sleep(50); a.set('x', 'first'); await sleep(100)
    await b.set('x', 'second'); await s.heal(); await sleep(200)
  },
  'presence after a late close': async (s, a) => {
    await a.leave('online/a', false); await a.set('online/a', true)
    await s.fault({ 'network.late-close': { client: A, after: '600ms' } }); await sleep(150)
    await a.connected(); await a.set('online/a', true); await sleep(1000)
  },
  'presence after a drop': async (s, a) => {
    await a.leave('online/a', 'gone'); await a.set('online/a', 'here')
    await s.fault(drop(A)); await sleep(300); await a.connected()
    await sdk.onDisconnect(a.at('online/a')).cancel()
  },
  'an increment, two lost answers': async (s, a) => {
    await s.fault(lose(A)); a.add('n'); await sleep(100); await s.fault(lose(A)); await sleep(2500)
  },
  'an update of increments, lost answer': async (s, a) => {
    await s.fault(lose(A)); a.update('s', { n: sdk.increment(2), m: sdk.increment(3) }); await sleep(200)
  },
  'a chat whose counter is lost': async (s, a, b) => {
    a.listen('chat'); b.listen('chat')
    for (let i = 0; i < 6; i++) { sdk.push((i % 2 ? a : b).at('chat/log'), { text: `m${i}` }); await sleep(30) }
    await s.fault(lose(B)); b.add('chat/count'); await sleep(200)
    await b.connected(); sdk.push(a.at('chat/log'), { text: 'end' })
  },
  'a restart while increments are under way': async (s, a) => {
    await s.fault(stall(A, 'to-client')); a.add('n'); await sleep(50)
    await s.fault({ 'server.restart': { down: '300ms' } }); await s.fault(resume(A)); await sleep(600)
  },
  'latency, and a drop amid increments': async (s, a) => {
    await s.fault({ 'network.latency': { [A]: '60ms' } })
    for (let i = 0; i < 4; i++) { a.add('n'); await sleep(40) }
    await s.fault(drop(A)); await sleep(500)
  },
}

function run(...words) {
  return spawnSync(kennel, words, { encoding: 'utf8', timeout: 120000, cwd: home })
}

// Makes one failure, and what there is to be said of it.
async function judge(name, body, folder) {
  const server = await new Server().start(folder)
  const clients = []
  for (const client of ['a', 'b']) {
    clients.push(new Client(server, client))
    await clients[clients.length - 1].connected()
  }
  await body(server, ...clients)
  for (const client of clients) await client.connected()
  await sleep(1000)
  for (const client of clients) await sdk.deleteApp(client.app)
  await sleep(100)
  await server.end()
  const trace = path.join(folder, 'default.trace.jsonl')
  const [full, small] = ['full.yaml', 'small.yaml'].map((file) => path.join(folder, file))
  const made = run('scenario-from', trace, '-o', full)
  const isSame = made.status === 0 && !made.stderr.includes('not the same') && run('run', full).status === 0
  const shrunk = run('scenario-from', trace, '--shrink', '-o', small)
  const [, steps, effect] = shrunk.stderr.match(/Shrunk to (\d+) steps: (.*)/) || []
  const isSmall = Number(steps) <= 10 && run('run', small).status === 0
  console.log(`${isSame ? 'same tree' : 'OTHER TREE'}; ${steps || 'NO'} steps; ${name}: ${effect || ''}`)
  if (!isSame) console.log(made.stderr)
  if (!isSmall) console.log(shrunk.stderr)
  return isSame && isSmall
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kennel-failures-'))
  const names = Object.keys(failures).filter((name) => name.includes(word))
  let passed = 0
  for (const [index, name] of names.entries()) {
    if (await judge(name, failures[name], path.join(folder, `${index}`))) passed += 1
  }
  console.log(`${passed} of ${names.length}`)
  if (passed === names.length) fs.rmSync(folder, { recursive: true })
  else console.log(`recordings and scenarios: ${folder}`)
  process.exit(passed === names.length ? 0 : 1)
}

main()
