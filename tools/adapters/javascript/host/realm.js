'use strict'
// The world in which an SDK lives: a context of its own, whose every source of time, chance and news
// is the kit.

const vm = require('vm')
const { SELVES, makeGlobals } = require('./globals')
const { Loader } = require('./loader')
const { makeSockets } = require('./sockets')

/** What of the language itself depends on the clock, on chance or on the memory. */
const TAMING = `(function (now, random) {
  'use strict'
  const RealDate = Date
  function KitDate(...parts) {
    if (!new.target) return new RealDate(now()).toString()
    return Reflect.construct(RealDate, parts.length ? parts : [now()], new.target)
  }
  Object.defineProperty(KitDate, 'name', { value: 'Date' })
  Object.defineProperty(KitDate, 'length', { value: 7 })
  Object.defineProperty(KitDate, 'prototype', { value: RealDate.prototype })
  for (const name of ['UTC', 'parse']) KitDate[name] = RealDate[name]
  KitDate.now = () => now()
  RealDate.prototype.constructor = KitDate
  globalThis.Date = KitDate
  Math.random = () => random()
  // What is collected, and when, is chance.
  globalThis.FinalizationRegistry = class FinalizationRegistry { register() {} unregister() {} }
  globalThis.WeakRef = class WeakRef {
    #value
    constructor(value) { this.#value = value }
    deref() { return this.#value }
  }
  return { parse: (text) => JSON.parse(text), Error }
})`
const tamingScript = new vm.Script(TAMING, { filename: 'kennel-host' })

class Realm {
  constructor(client, options) {
    Object.assign(this, { client, options })
    this.sockets = makeSockets(client)
    this.globals = makeGlobals(this)
    this.context = vm.createContext(this.globals, { name: 'sdk' })
    const itself = vm.runInContext('this', this.context)
    for (const name of SELVES[options.platform]) this.globals[name] = itself
    const now = () => Math.floor(client.time)
    this.own = tamingScript.runInContext(this.context)(now, () => client.random())
    this.loader = new Loader(this)
  }

  /** Loads the SDK, and returns what finds its functions by name. */
  load() {
    const known = new Set(Object.keys(this.globals))
    for (const [name, file] of this.options.globals) {
      this.globals[name] = this.loader.load(file)
    }
    const exported = this.options.files.map((file) => this.loader.load(file, this.options.kind))
    // A bundle for browsers puts everything into one global variable, under a name of its own.
    const made = Object.keys(this.globals).filter((name) => !known.has(name)).map((name) => this.globals[name])
    return { exported, globals: this.globals, find: (name) => this.find(name, [...exported, ...made]) }
  }

  /** What an SDK calls `name`: one of its exports, or a global variable that it has made. */
  find(name, exported) {
    for (const exports of exported) {
      if (exports === null || (typeof exports !== 'object' && typeof exports !== 'function')) continue
      if (name in exports) return exports[name]
      if (exports.default && name in Object(exports.default)) return exports.default[name]
    }
    // A script's own `let` and `const` are no properties of the global object.
    return vm.runInContext(`typeof ${name} === 'undefined' ? undefined : ${name}`, this.context)
  }

  /** A value that belongs to the realm, from one that does not. */
  value(json) {
    return json === undefined ? undefined : this.own.parse(JSON.stringify(json))
  }
}

module.exports = { Realm }
