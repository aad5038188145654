'use strict'
// Tests of the host: node test.js. Each runs a piece of code as if it were an SDK, and looks at what
// the kit is told and at what the code has seen.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const test = require('node:test')
const vm = require('vm')
const { Application } = require('./api/application')
const { codeOfRefusal } = require('./api/errors')
const { Client } = require('./client')
const { readOptions } = require('./options')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kennel-host-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

let count = 0

function file(name, text) {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  fs.writeFileSync(path.join(folder, name), text)
  return path.join(folder, name)
}

/** A client whose SDK is `text`, and the lines that it writes. */
function start(text, { name = 'sdk.js', words = [], seed = '7', storage, api = 'firebase' } = {}) {
  const lines = []
  const host = { emit: (verb, details) => lines.push({ [verb]: details }), refuse() {} }
  const options = readOptions(['--api', api, ...words, file(`${++count}/${name}`, text)])
  const client = new Client(host, options, { host: 'kennel.test', seed, storage }, 1480000000000)
  client.load()
  const run = (code) => vm.runInContext(code, client.realm.context)
  return { client, lines, run, sdk: client.sdk }
}

const node = { words: ['--platform', 'node'] }

test('everything that is deferred within the process happens in one turn', async () => {
  const { client, run, lines } = start('', node)
  client.enqueue(() => run(`
    var order = []
    setTimeout(() => order.push('timer'), 0)
    setImmediate(() => order.push('immediate'))
    const { port1, port2 } = new MessageChannel()
    port2.onmessage = ({ data }) => order.push(data)
    port1.postMessage('channel')
    Promise.resolve().then(() => order.push('promise'))
    queueMicrotask(() => order.push('microtask'))
    process.nextTick(() => order.push('tick'))
    setImmediate(() => Promise.resolve().then(() => setImmediate(() => order.push('late'))))
    order.push('now')`))
  await client.settle()
  assert.deepEqual([...run('order')],
    ['now', 'tick', 'promise', 'microtask', 'immediate', 'channel', 'late'])
  assert.deepEqual(lines, [{ setTimer: { timer: 1, after: 0, label: 'other' } }])
  await client.handle('timer', { timer: 1 }, 1480000000000)
  assert.equal(run('order').at(-1), 'timer')
})

test('time is the time of the kit', async () => {
  const { client, run } = start('')
  const before = run('[Date.now(), +new Date(), performance.now()]')
  client.time += 1500.5
  assert.deepEqual([...before], [1480000000000, 1480000000000, 0])
  assert.equal(run('Date.now()'), 1480000001500)
  assert.equal(run('performance.now()'), 1500.5)
  assert.equal(run('new Date().toISOString()'), '2016-11-24T15:06:41.500Z')
  assert.equal(run('new Date(2020, 0, 1) instanceof Date'), true)
  assert.equal(run('typeof Date()'), 'string')
  assert.equal(run('Date.UTC(1970, 0, 2)'), 86400000)
  assert.equal(run('new Date().constructor === Date'), true)
})

test('chance comes from the seed', () => {
  const draw = (seed) => {
    const { run, client } = start('', { ...node, seed })
    const bytes = client.realm.loader.require('crypto', __filename).randomBytes(4).toString('hex')
    return run('[Math.random(), ...crypto.getRandomValues(new Uint8Array(4)), crypto.randomUUID()]')
      .concat(bytes).join()
  }
  assert.equal(draw('1'), draw('1'))
  assert.notEqual(draw('1'), draw('2'))
})

test('timers can be taken back and repeated, and are both numbers and objects', async () => {
  const { client, run, lines } = start(`
    var count = 0
    var gone = setTimeout(() => count += 100, 50)
    clearTimeout(gone)
    var id = setInterval((n) => count += n, 20000, 2)
    id.unref().ref()`)
  await client.handle('timer', { timer: 2 }, 1480000020000)
  await client.handle('timer', { timer: 1 }, 1480000020000)
  assert.equal(run('count'), 2)
  assert.equal(run('id > 1 && +id === 2'), true)
  run('clearInterval(+id)')
  assert.deepEqual(lines, [
    { setTimer: { timer: 1, after: 50, label: 'other' } }, { cancelTimer: { timer: 1 } },
    { setTimer: { timer: 2, after: 20000, label: 'keep-alive' } },
    { setTimer: { timer: 2, after: 20000, label: 'keep-alive' } }, { cancelTimer: { timer: 2 } },
  ])
})

const SOCKET = `
  var heard = []
  var socket = new WebSocket('wss://kennel.test/.ws?v=5&ns=kennel')
  for (const type of ['open', 'close', 'error']) socket['on' + type] = () => heard.push(type)
  socket.addEventListener('message', ({ data }) => heard.push(data))`

test('messages are framed as Firebase frames them', async () => {
  const { client, run, lines } = start(SOCKET)
  await client.handle('opened', {}, 1480000000000)
  await client.handle('frame', { t: 'd', d: 'é'.repeat(20000) }, 1480000000000)
  const heard = run('heard')
  assert.deepEqual([heard[0], heard[1], heard.length, heard[2].length], ['open', '2', 4, 16384])
  assert.equal(JSON.parse(heard[2] + heard[3]).d, 'é'.repeat(20000))
  run(`socket.send('0'); socket.send('2'); socket.send('{"t":"d",'); socket.send('"d":1}')`)
  run('socket.send(\'{"t":"c","d":2}\')')
  assert.deepEqual(lines, [
    { connect: {} }, { send: { t: 'd', d: 1 } }, { send: { t: 'c', d: 2 } },
  ])
})

test('a socket that the SDK closes says so later, one that is refused says why', async () => {
  const closing = start(SOCKET)
  await closing.client.handle('opened', {}, 1480000000000)
  closing.run('socket.close(); heard.push(socket.readyState)')
  await closing.client.settle()
  assert.deepEqual([...closing.run('heard')], ['open', closing.run('WebSocket.CLOSING'), 'close'])
  assert.deepEqual(closing.lines, [{ connect: {} }, { disconnect: {} }])
  const refused = start(SOCKET)
  await refused.client.handle('refused', {}, 1480000000000)
  assert.deepEqual([...refused.run('heard')], ['error', 'close'])
})

test('messages are framed as Wilddog frames them, and signs of life are asked for', async () => {
  const { client, run, lines } = start(SOCKET.replace('v=5', 'EIO=3'), { api: 'wilddog' })
  await client.handle('opened', {}, 1480000000000)
  run(`socket.send('2'); socket.send('42["wd",{"t":"d","d":{}}]')`)
  await client.handle('frame', { t: 'c', d: { t: 'o', d: {} } }, 1480000000000)
  await client.handle('frame', { t: 'c', d: { t: 'h', d: { h: 'kennel.test' } } }, 1480000000000)
  const [, open, connected, pong, hello] = run('heard')
  assert.deepEqual([open[0], connected, pong], ['0', '40', '3'])
  assert.equal(hello, '42["wd",{"t":"c","d":{"t":"h","d":{"h":"kennel.wilddogio.com"}}}]')
  assert.deepEqual(lines.slice(1), [
    { send: { t: 'c', d: { t: 'p', d: {} } } }, { send: { t: 'd', d: {} } },
  ])
})

test('several messages arrive one after the other, until the SDK closes the connection', async () => {
  const { client, run, lines } = start(SOCKET)
  await client.handle('opened', {}, 1480000000000)
  run(`socket.onmessage = ({ data }) => Promise.resolve().then(() => {
    socket.send(data)
    if (/"d":2/.test(data)) socket.close()
  })`)
  await client.handle('frames', [1, 2, 3].map((d) => ({ t: 'd', d })), 1480000000000)
  assert.deepEqual(lines, [
    { connect: {} }, { send: { t: 'd', d: 1 } }, { next: {} }, { send: { t: 'd', d: 2 } }, { disconnect: {} },
  ])
})

test('a mini program of WeChat has one socket and a storage', async () => {
  const { client, run, lines } = start(`
    var heard = []
    wx.onSocketOpen(() => { heard.push('open', wx.getStorageSync('a')); wx.sendSocketMessage({ data: '{"t":"d","d":1}' }) })
    wx.onSocketMessage(({ data }) => heard.push(data))
    wx.onSocketClose(() => heard.push('close'))
    wx.onSocketError(() => heard.push('error'))
    wx.setStorageSync('a', 1)
    wx.connectSocket({ url: 'wss://kennel.test/.ws' })
    module.exports = heard`, { words: ['--platform', 'wechat'] })
  await client.handle('opened', {}, 1480000000000)
  await client.handle('frame', { t: 'c', d: 1 }, 1480000000000)
  const [heard] = client.sdk.exported
  client.enqueue(() => client.realm.globals.wx.closeSocket())
  await client.settle()
  assert.deepEqual([...heard], ['open', '1', '{"t":"c","d":1}', 'close'])
  assert.deepEqual(lines, [
    { store: { key: 'a', text: '1' } }, { connect: {} }, { send: { t: 'd', d: 1 } }, { disconnect: {} },
  ])
  assert.equal(run('typeof document'), 'undefined')
})

test('the name server of the maker names the host of the run', async () => {
  const { client, run } = start(`
    var answer
    const request = new XMLHttpRequest()
    request.onload = () => { answer = JSON.parse(request.responseText).nssList }
    request.open('GET', 'https://ns.wilddog.com/v1/lookup?appId=kennel')
    request.send()`, { api: 'wilddog' })
  await client.settle()
  assert.deepEqual([...run('answer')], ['kennel.wilddogio.com'])
})

test('an SDK may begin with another host of its maker', async () => {
  const { lines, run } = start('', { api: 'wilddog' })
  run(`new WebSocket('wss://s-east-1.wilddogio.com/.ws'); new WebSocket('wss://two.kennel.wilddogio.com/.ws')`)
  assert.deepEqual(lines.filter((line) => line.connect), [{ connect: {} }, { connect: { host: 'two.kennel.test' } }])
})

test('what is stored is stored by the kit', () => {
  const { run, lines } = start('', { storage: [['old', 'text']] })
  assert.equal(run('localStorage.getItem("old")'), 'text')
  run('localStorage.setItem("new", 5); localStorage.removeItem("old"); sessionStorage.setItem("a", 1)')
  assert.deepEqual([run('localStorage.length'), run('localStorage.key(0)')], [1, 'new'])
  assert.deepEqual(lines, [{ store: { key: 'new', text: '5' } }, { erase: { key: 'old' } }])
})

test('an engine.io that polls changes over to a socket', async () => {
  const { client, run, lines } = start(`
    var heard = []
    function get(address) {
      const request = new XMLHttpRequest()
      request.onload = () => { if (heard.push(request.responseText) < 4) get(POLL) }
      request.open('GET', address)
      request.send()
    }
    const POLL = 'https://kennel.wilddogio.com/.ws?EIO=3&transport=polling&sid=kennel'
    get('https://kennel.wilddogio.com/.ws?EIO=3&transport=polling')`, { api: 'wilddog' })
  await client.handle('opened', {}, 1480000000000)
  assert.match(run('heard[0]'), /"upgrades":\["websocket"\]/)
  run(`var socket = new WebSocket('wss://kennel.wilddogio.com/.ws?EIO=3&sid=kennel')
    socket.onmessage = ({ data }) => heard.push(data)`)
  await client.settle()
  run(`socket.send('2probe')`)
  await client.settle()
  assert.deepEqual([...run('heard')].slice(-2), ['3probe', '1:6'])
  run(`socket.send('5')`)
  await client.handle('frame', { t: 'c', d: { t: 'r', d: 'two.kennel.test' } }, 1480000000000)
  assert.equal(run('heard').at(-1), '42["wd",{"t":"c","d":{"t":"r","d":"two.kennel.wilddogio.com"}}]')
  run(`socket.send('42["wd",{"t":"d","d":1}]'); var isSent = setTimeout(() => socket.send('42["wd",{"t":"d","d":2}]'), 0)`)
  await client.settle()
  run('clearTimeout(isSent)')
  // What the transport holds back goes out in the same turn, without a timer of the kit.
  assert.deepEqual(lines, [{ connect: {} }, { send: { t: 'd', d: 1 } }, { send: { t: 'd', d: 2 } }])
})

test('a connection of polls is over when nobody polls any more', async () => {
  const { client, lines } = start(`
    const request = new XMLHttpRequest()
    request.open('GET', 'https://kennel.wilddogio.com/.ws?EIO=3&transport=polling')
    request.send()`, { api: 'wilddog' })
  await client.handle('opened', {}, 1480000000000)
  assert.deepEqual(lines, [{ connect: {} }, { disconnect: {} }])
})

test('what is put off because a poll failed is the next try', async () => {
  const { client, lines } = start(`
    const request = new XMLHttpRequest()
    request.onerror = () => setTimeout(() => setTimeout(() => {}, 700), 0)
    request.open('GET', 'https://two.kennel.wilddogio.com/.ws?EIO=3&transport=polling')
    request.send()`, { api: 'wilddog' })
  await client.handle('refused', {}, 1480000000000)
  await client.handle('timer', { timer: 1 }, 1480000000000)
  assert.deepEqual(lines, [
    { connect: { host: 'two.kennel.test' } },
    { setTimer: { timer: 1, after: 0, label: 'other' } },
    { setTimer: { timer: 2, after: 700, label: 'back-off' } },
  ])
})

test('a poll that is put off for no time at all is a try after no delay', async () => {
  const { client, lines } = start(`
    function poll() {
      const request = new XMLHttpRequest()
      request.onerror = () => setTimeout(poll, 0)
      request.open('GET', 'https://two.kennel.wilddogio.com/.ws?EIO=3&transport=polling')
      request.send()
    }
    poll()`, { api: 'wilddog' })
  await client.handle('refused', {}, 1480000000000)
  await client.handle('timer', { timer: 1 }, 1480000000000)
  assert.deepEqual(lines, [
    { connect: { host: 'two.kennel.test' } },
    { setTimer: { timer: 1, after: 0, label: 'other' } },
    { setTimer: { timer: 2, after: 0, label: 'back-off' } },
    { cancelTimer: { timer: 2 } },
    { connect: { host: 'two.kennel.test' } },
  ])
})

test('a listener that is removed by its cancellation is cancelled once', () => {
  const emitted = []
  const application = Object.create(Application.prototype)
  const onCancel = application.onCancel('feed')
  application.emit = (verb) => {
    emitted.push(verb)
    onCancel(new Error('permission_denied'))
  }
  onCancel(new Error('permission_denied'))
  assert.deepEqual(emitted, ['cancelled'])
})

test('a question about a snapshot that was not handed out is refused, whatever was asked before', () => {
  const emitted = []
  const application = Object.create(Application.prototype)
  application.snapshots = new Map([['feed', [{ exists: () => true }]]])
  application.client = { uncaught: () => emitted.push('uncaught'), log() {} }
  application.emit = (verb, { error, value }) => emitted.push([verb, error ?? value])
  const ask = (snapshot) => application.call({ op: 'inspect', id: 'q', snapshot, ask: 'exists' })
  ask('feed')
  ask('other')
  assert.deepEqual(emitted, [['answered', true], ['threw', 'no_snapshot']])
})

test('an exception that nobody catches is told, unless the application threw it', async () => {
  const { client, lines, run } = start('')
  client.application = { failures: new WeakSet() }
  client.enqueue(() => run('throw new TypeError("not there")'))
  client.enqueue(() => run('throw "a text"'))
  const own = new Error('own')
  client.application.failures.add(own)
  client.enqueue(() => { throw own })
  await client.settle()
  const [{ uncaught: first }, second, third] = lines
  assert.deepEqual([first.message, first.type], ['not there', 'TypeError'])
  assert.match(first.stack, /^at .*evalmachine/)
  assert.deepEqual([second, third],
    [{ uncaught: { message: 'a text' } }, { log: { text: 'the SDK let out what the application threw' } }])
})

test('who is signed in is told to the SDK, and the answer ends the call', async () => {
  const { client, lines } = start('')
  const { authentication } = client
  let service
  authentication.provide({ container: { addOrOverwriteComponent: (each) => { service = each.instanceFactory() } } })
  const told = []
  service.addAuthTokenListener((token) => told.push(token))
  authentication.call('in', 't1')
  const { accessToken } = await service.getToken()
  assert.deepEqual(told, [accessToken])
  assert.equal(JSON.parse(atob(accessToken.split('.')[1])).iat, 0)
  const request = (r, a, b) => ({ t: 'd', d: { r, a, b } })
  const answer = (r, s) => ({ t: 'd', d: { r, b: { s, d: '' } } })
  assert.deepEqual(authentication.sent(request(1, 'auth', { cred: accessToken })), request(1, 'auth', { cred: 't1' }))
  authentication.received(answer(1, 'ok'))
  authentication.call('out', null)
  authentication.call('wrong', 't2')
  authentication.sent(request(2, 'auth', { cred: 't2' }))
  authentication.received(answer(2, 'invalid_token'))
  assert.equal(await service.getToken(true), null)
  await client.settle()
  assert.deepEqual(lines.map(({ completed }) => completed),
    [{ call: 'out', error: null }, { call: 'in', error: null }, { call: 'wrong', error: 'invalid_token' }])
})

test('what is missing is a capability, or a part of the interface', () => {
  const missing = ['get', 'query.exclusive-bounds', 'unlisten-all'].flatMap((name) => ['--without', name])
  const { client } = start('', { words: missing, api: 'firebase-compat' })
  const { capabilities, lacks } = client.options.api.hello
  assert.deepEqual([capabilities.includes('get'), capabilities.includes('once')], [false, true])
  assert.deepEqual(lacks.slice(-2), ['query.exclusive-bounds', 'unlisten-all'])
  assert.ok(lacks.includes('auth.ends'))
})

test('what an SDK says of a refusal is told apart', () => {
  const refusals = {
    "set failed: value argument path specified exceeds the maximum depth that can be written (32) in property 'a'": 'invalid_path',
    "set failed: value argument has a key path longer than 768 bytes (769) in property 'a'.": 'invalid_path',
    "set failed: value argument contains an invalid key (a.b) in property 'a'.": 'invalid_value',
    'update failed: values argument contains an invalid key (a.b) in path /a.b.': 'invalid_path',
    "set failed: value argument contains a string greater than 10485760 utf8 bytes in property 'a'": 'invalid_value',
  }
  for (const [text, code] of Object.entries(refusals)) assert.equal(codeOfRefusal(new Error(text), 'write'), code, text)
  assert.equal(codeOfRefusal(new Error('INTERNAL ASSERT FAILED: Invalid priority'), 'write'), 'invalid_value')
  assert.equal(codeOfRefusal(new Error('FIREBASE INTERNAL ERROR: no'), 'write'), 'failure')
  assert.equal(codeOfRefusal(new Error('No index defined for n'), 'answer'), 'failure')
})

test('a browser has what SDKs look for, and nothing to poll with', () => {
  const { run } = start('var found = window.setTimeout === setTimeout')
  assert.equal(run('found && self.Promise === Promise && window === globalThis'), true)
  assert.equal(run('document.createElement'), undefined)
  assert.equal(run('typeof XMLHttpRequest + typeof process + typeof require'), 'undefined'.repeat(3))
  assert.equal(run('document.addEventListener("x", () => {}), window.addEventListener("online", () => {})'), undefined)
  assert.equal(run('navigator.onLine && location.protocol === "https:"'), true)
  const polling = start('', { api: 'wilddog' })
  assert.equal(polling.run('document.body.appendChild(document.createElement("iframe")).tagName'), 'IFRAME')
  polling.run(`var request = new XMLHttpRequest(); request.open('GET', 'https://a.test/'); request.send()`)
  assert.match(polling.lines[0].log.text, /asked for https:\/\/a\.test\/; the host has no network/)
})

test('windows and frames of a browser take messages, which come in the same turn', async () => {
  const { client, run } = start('', { api: 'wilddog' })
  client.enqueue(() => run(`
    var received = []
    var note = ({ data, origin }) => received.push(data + ' of ' + origin)
    var frame = document.documentElement.appendChild(document.createElement('IFRAME')).contentWindow
    for (const each of [window, frame]) each.addEventListener('message', note, false)
    frame.document.open()
    frame.postMessage('frame', frame.location.origin)
    window.postMessage('window', '*')
    received.push('now')`))
  await client.settle()
  const { origin } = new URL('https://app.kennel.test/')
  assert.deepEqual([...run('received')], ['now', `frame of ${origin}`, `window of ${origin}`])
})

test('Node has its process, and its modules', () => {
  const { run, sdk } = start(`
    const { Client } = require('faye-websocket')
    const { createHash } = require('node:crypto')
    module.exports = {
      isNode: Object.prototype.toString.call(process) === '[object process]',
      hash: createHash('sha1').update('a').digest('hex').slice(0, 4),
      isClient: typeof Client, name: typeof window, tslib: typeof require('tslib').__assign,
      ws: typeof require('ws'), engine: typeof new (require('engine.io-client'))('https://a.test').on,
    }`)
  const { isNode, hash, isClient, name, tslib, ws, engine } = sdk.exported[0]
  assert.deepEqual([isNode, hash, isClient, name, tslib, ws, engine],
    [true, '86f7', 'function', 'undefined', 'function', 'function', 'function'])
  assert.equal(run('typeof Buffer + process.env.PATH'), 'functionundefined')
})

test('what is missing is named', () => {
  assert.throws(() => start('new Thing()'), /needs a global variable Thing, .*--global Thing=FILE/s)
  assert.throws(() => start('exports.a = require("left-pad")'),
    /requires left-pad, which is not there.*--module left-pad=FILE/)
  assert.throws(() => start('require("tslib").__generator()'), /uses tslib\.__generator: install tslib/)
  const { run } = start('exports.http = require("http"); global.http = exports.http')
  assert.throws(() => run('http.request("http://a.test")'), /the SDK uses http\.request/)
  assert.equal(run('class Agent extends http.Agent {}; http.STATUS_CODES[200]'), 'OK')
  assert.throws(() => start('let a = ; '), /cannot be read as script/)
  assert.throws(() => readOptions(['--api', 'wilddog']), /which file is the SDK\?/)
  assert.throws(() => readOptions(['x.js']), /there is no file or package x\.js/)
  assert.throws(() => readOptions(['--api', 'ftp']), /--api is ftp; expected wilddog, firebase/)
})

test('modules and globals can be given', () => {
  const extra = file('extra.js', 'module.exports = { five: 5 }')
  const { sdk } = start('exports.sum = require("left-pad").five + Thing.five',
    { words: ['--module', `left-pad=${extra}`, '--global', `Thing=${extra}`] })
  assert.equal(sdk.find('sum'), 10)
})

test('ES modules, scripts and CommonJS modules are told apart', () => {
  file(`${count + 1}/firebase-app.js`, 'const a=1,b=function(){return 2};export{a as SDK_VERSION,b as getApp};')
  const { sdk } = start(
    '/** x */import{SDK_VERSION as e,getApp as t}from"https://www.gstatic.com/firebasejs/10.7.1/firebase-app.js";'
      + 'import * as all from "./firebase-app.js";\nexport default e+t();export const whole=all.getApp;'
      + 'export function late(){return url}\nlet url=import.meta.url;export class Kind{}',
    { name: 'firebase-database.js' })
  assert.equal(sdk.exported[0].default, 3)
  assert.equal(sdk.find('whole')(), 2)
  assert.match(sdk.find('late')(), /^file:.*firebase-database\.js$/)
  assert.equal(typeof sdk.find('Kind'), 'function')
  assert.equal(sdk.find('getApp'), undefined)
  const { sdk: node } = start(
    'import { EventEmitter as E } from "node:events"\nexport const { a, /* b */ c: d } = { a: 1, c: E }',
    { name: 'node.mjs' })
  assert.deepEqual([node.find('a'), typeof node.find('d'), typeof node.globals.process], [1, 'function', 'object'])
  const umd = '!function(e){"object"==typeof exports?module.exports=e():"function"==typeof define&&define.amd'
    + '?define(e):self.wilddog=e()}(function(){return{initializeApp(){return 1}}})'
  assert.equal(start(umd).sdk.find('wilddog').initializeApp(), 1)
  assert.equal(start('const firebase = { a: 1 }').sdk.find('firebase').a, 1)
  assert.equal(start('var anyName = { getDatabase: 5 }').sdk.find('getDatabase'), 5)
})

test('a process that was killed is silent', async () => {
  const { client, lines } = start('setImmediate(() => setTimeout(() => {}, 5))')
  client.kill()
  await client.settle()
  assert.deepEqual(lines, [])
})

test('a revoked query is named as the SDK named it, whose words for it may be older', async () => {
  const { client, run } = start(SOCKET)
  await client.handle('opened', {}, 1480000000000)
  run(`socket.send('{"t":"d","d":{"r":1,"a":"q","b":{"p":"/room","q":{"i":"n","ep":1}}}}')`)
  const revoked = (q) => ({ t: 'd', d: { a: 'c', b: { p: 'room', q } } })
  await client.handle('frame', revoked([{ ep: 1, ein: true, i: 'n' }, { l: 1, vf: 'l' }]), 1480000000000)
  assert.deepEqual(JSON.parse(run('heard').at(-1)), revoked([{ i: 'n', ep: 1 }, { l: 1, vf: 'l' }]))
})

test('an SDK that is called with new is a reference, and needs a host of its maker', async () => {
  const text = `function Firebase(address) {
    if (!/firebaseio.com$/.test(address)) throw new Error('not here')
    this.address = address
  }
  Firebase.prototype.child = function () { return this }`
  const { client } = start(text, { api: 'firebase-2' })
  client.open()
  assert.equal(client.application.driver.ref('/').address, 'https://kennel.firebaseio.com')
  assert.deepEqual(client.application.driver.lacks, ['query.exclusive-bounds'])
})

test('an edition that takes only hosts of its maker gets one', async () => {
  const text = `var firebase = {
    initializeApp: ({ databaseURL }) => ({ databaseURL }),
    database({ databaseURL }) {
      if (!/firebaseio.com/.test(databaseURL)) throw new Error('Please use https://<YOUR FIREBASE>.firebaseio.com')
      return { ref: () => ({ startAfter() {}, endBefore() {} }), refFromURL: (address) => address }
    },
  }
  firebase.database.ServerValue = { TIMESTAMP: 1 }`
  const { client } = start(text, { api: 'firebase-compat' })
  client.open()
  const { driver } = client.application
  assert.equal(driver.refFromURL('https://kennel.firebaseio.com/a'), 'https://kennel.firebaseio.com/a')
  assert.deepEqual(driver.lacks, ['server-values.increment'])
})

// A realm serves one client after another. Each `text` is run by two clients; what the second one finds is
// the result.

function second(text, question, words = []) {
  const lines = []
  const host = { emit: (verb, details) => lines.push({ [verb]: details }), refuse() {} }
  const options = readOptions(['--api', 'firebase', ...words, file(`${++count}/sdk.js`, text)])
  const clients = ['7', '8'].map((seed, index) => {
    const client = new Client(host, options, { host: 'kennel.test', seed }, 1480000000000 + index)
    client.load()
    client.kill()
    return client
  })
  const last = new Client(host, options, { host: 'kennel.test', seed: '9' }, 1480000000002)
  last.load()
  return {
    answer: vm.runInContext(question, last.realm.context),
    isSame: clients[0].realm === clients[1].realm && clients[1].realm === last.realm,
  }
}

test('a realm serves the next client as if it were new', () => {
  const text = `
    (function () {
      window.first = window.first || Date.now()
      window.match = RegExp.lastMatch
      window.chance = Math.random()
      setTimeout = window.another = () => {}
      'abc'.match(/b/)
    })()`
  const { answer, isSame } = second(text, '[first, match, chance, "leftover" in window]')
  assert.equal(isSame, true)
  const alone = start(text, { seed: '9' })
  assert.deepEqual([...answer], [1480000000002, '', alone.run('chance'), false])
})

test('a realm whose language was changed serves nobody else', () => {
  const changes = [
    'Array.prototype.last = 1', 'Object.prototype.toString = () => ""', 'Promise = function () {}',
    'Object.setPrototypeOf(Array.prototype, null)', 'Object.freeze(Math)', 'Array.prototype.map.own = 1',
    'delete String.prototype.at', 'Object.getPrototypeOf(function* () {}).own = 1', 'Error.stackTraceLimit = 3',
    'Object.defineProperty(window, "fixed", { value: 1 })',
  ]
  for (const change of changes) {
    const { answer, isSame } = second(`(() => { window.before = [].last; ${change} })()`, 'before')
    assert.deepEqual([change, isSame, answer], [change, false, undefined])
  }
})

test('a script that declares names has a realm of its own each time', () => {
  for (const text of ['var a = 1', 'let a = 1', 'function a() {}', 'class a {}', '{ function a() {} }']) {
    assert.deepEqual([text, second(text, 'typeof a').isSame], [text, false])
  }
  assert.equal(second('!function () { var a = 1; window.b = this === window }()', 'b').answer, true)
  const module = 'let a = 1; exports.next = () => ++a; exports.next()'
  const { isSame } = second(module, '0', ['--as', 'commonjs'])
  assert.equal(isSame, true)
})
