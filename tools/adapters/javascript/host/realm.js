'use strict'
// The world in which an SDK lives: a context of its own, whose every source of time, chance and news
// is the kit.
//
// A realm serves one client at a time. When its client is gone it is cleared, and serves another one if
// nothing in it has changed: what an engine has learned of an SDK's functions is then known already.

const vm = require('vm')
const { SELVES, makeGlobals } = require('./globals')
const { Inventory } = require('./inventory')
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
  const { parse } = JSON
  // The last match is known to everybody as RegExp.lastMatch.
  const forgetMatches = () => { /(?:)/.exec('') }
  return { parse: (text) => parse(text), Error, forgetMatches }
})`
const tamingScript = new vm.Script(TAMING, { filename: 'kennel-host' })

/** The realms without a client, by the options with which they were made. */
const vacant = new WeakMap()

class Realm {
  /** A realm for a client whose process begins. */
  static for(client, options) {
    const realm = (vacant.get(options) || []).pop() || new Realm(options)
    realm.enter(client)
    return realm
  }

  constructor(options) {
    Object.assign(this, { options, globals: {}, functions: new Map(), canServeAgain: true })
    this.context = vm.createContext(this.globals, { name: 'sdk' })
    this.itself = vm.runInContext('this', this.context)
    const now = () => Math.floor(this.client.time)
    this.own = tamingScript.runInContext(this.context)(now, () => this.client.random())
    this.tamed = Object.getOwnPropertyDescriptors(this.globals)
    this.native = new Set(Reflect.ownKeys(this.itself))
    this.clear()
    this.inventory = new Inventory(this.context, this.itself, this.tamed)
  }

  /** Gives a client all that its SDK finds: nothing of it has another client had. */
  enter(client) {
    Object.assign(this, { client, sockets: makeSockets(client), standIns: new Map() })
    Object.assign(this.globals, makeGlobals(this))
    for (const name of SELVES[this.options.platform]) this.globals[name] = this.itself
    Object.defineProperties(this.globals, this.tamed)
    this.own.forgetMatches()
    this.loader = new Loader(this)
  }

  /** The client is gone, and nothing runs any more. */
  leave() {
    if (!this.canServeAgain || !this.clear() || !this.inventory.isComplete()) return
    if (!vacant.has(this.options)) vacant.set(this.options, [])
    vacant.get(this.options).push(this)
  }

  /**
   * Removes all global variables but those of the language; what cannot be removed is there for ever. What an
   * SDK has set is in two places.
   */
  clear() {
    const own = Reflect.ownKeys(this.globals).every((name) => Reflect.deleteProperty(this.globals, name))
    const added = Reflect.ownKeys(this.itself).filter((name) => !this.native.has(name))
    return own && added.every((name) => Reflect.deleteProperty(this.itself, name))
  }

  /** The function that a file is: the same one for each client, which the engine knows by then. */
  evaluated(script) {
    if (!this.functions.has(script)) this.functions.set(script, script.runInContext(this.context))
    return this.functions.get(script)
  }

  /** Runs a script that declares names for the whole realm: nobody else can have it afterwards. */
  runForGood(script) {
    this.canServeAgain = false
    script.runInContext(this.context)
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
