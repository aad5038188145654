'use strict'
// Loads files into a realm: scripts, CommonJS modules and ES modules, and what they require.

const fs = require('fs')
const path = require('path')
const vm = require('vm')
const { builtinModules, createRequire } = require('module')
const { toCommonJS } = require('./esm')
const { fallbacks, standIn } = require('./modules')
const { UsageError, guessedKind } = require('./options')

/** Files are read and compiled once, however many clients there are. */
const compiled = new Map()

const PARAMETERS = { script: '', commonjs: 'exports, require, module, __filename, __dirname' }

/**
 * A file as a script, and whether it yields a function to be called for each client. What a script
 * declares for the whole realm cannot be inside of a function.
 */
function compile(file, kind) {
  const id = `${kind} ${file}`
  if (!compiled.has(id)) {
    let text = fs.readFileSync(file, 'utf8').replace(/^#!.*/, '')
    if (kind === 'module') text = toCommonJS(text, `file://${file}`)
    try {
      const isFunction = kind !== 'script' || declaresNothing(text)
      const script = isFunction ? inFunction(text, file, kind) : new vm.Script(text, { filename: file })
      compiled.set(id, { isFunction, script })
    } catch (error) {
      throw new UsageError(
        `${file} cannot be read as ${kind}: ${error.message} (--as script, commonjs or module?)`)
    }
  }
  return compiled.get(id)
}

function inFunction(text, filename, kind) {
  const head = `(function (${PARAMETERS[kind] ?? PARAMETERS.commonjs}) {`
  // A stack names the columns of a script as they are in its file.
  const columnOffset = kind === 'script' ? -head.length : 0
  return new vm.Script(`${head}${text}\n})`, { filename, columnOffset })
}

/**
 * Whether a script declares no name outside of its functions. All declarations of a script are made before
 * its first statement, which ends it here; a `let` cannot be made a second time.
 */
function declaresNothing(text) {
  const script = new vm.Script(`throw 0;${text}`)
  const context = vm.createContext({})
  vm.runInContext(
    '{ const { ownKeys } = Reflect, itself = globalThis; for (const name of ownKeys(itself)) delete itself[name] }',
    context)
  const itself = vm.runInContext('this', context)
  const names = Reflect.ownKeys(itself).join()
  for (let time = 0; time < 2; time++) {
    try {
      script.runInContext(context)
    } catch (error) {
      if (error !== 0) return false
    }
  }
  return Reflect.ownKeys(itself).join() === names
}

/** Where modules are, by who requires them. */
const resolved = new Map()

class Loader {
  constructor(realm) {
    this.realm = realm
    this.modules = new Map()
  }

  /** Loads a file once, and returns what it exports; of a script, nothing. */
  load(file, kind = guessedKind(file)) {
    if (file.endsWith('.json')) return this.realm.own.parse(fs.readFileSync(file, 'utf8'))
    if (this.modules.has(file)) return this.modules.get(file).exports
    const module = { exports: this.realm.own.parse('{}'), id: file, filename: file, loaded: false }
    this.modules.set(file, module)
    const { script, isFunction } = compile(file, kind)
    try {
      if (!isFunction) return this.realm.runForGood(script)
      const body = this.realm.evaluated(script)
      if (kind === 'script') return void body.call(this.realm.itself)
      module.require = this.requireFrom(file)
      const { exports } = module
      body.call(exports, exports, module.require, module, file, path.dirname(file))
      module.loaded = true
      return module.exports
    } catch (error) {
      this.modules.delete(file)
      throw this.explained(error, file)
    }
  }

  /** What a module that was loaded exports under this name, whichever it is. */
  exported(name) {
    const all = [...this.modules.values()].map(({ exports }) => exports)
    const owner = all.find((exports) => exports && typeof exports === 'object' && name in exports)
    return owner && owner[name]
  }

  requireFrom(file) {
    const require = (name) => this.require(String(name), file)
    require.resolve = (name) => this.resolve(name, file)
    require.cache = {}
    require.extensions = {}
    return require
  }

  require(name, from) {
    const plain = name.replace(/^node:/, '')
    const chosen = this.realm.options.modules.get(name)
    if (chosen) return this.loadModule(chosen)
    const replacement = standIn(plain, this.realm)
    if (replacement) return replacement
    if (builtinModules.includes(plain)) return require(plain)
    const file = this.resolve(name, from)
    if (!file) return fallbacks[name]
    return /\.node$/.test(file) ? this.refuse(name, from) : this.loadModule(file)
  }

  /** Whatever is required is a module, also where it could be a script. */
  loadModule(file) {
    return this.load(file, guessedKind(file) === 'module' ? 'module' : 'commonjs')
  }

  refuse(name, from) {
    throw new UsageError(`${from} requires ${name}, which is native code and cannot be controlled`)
  }

  /** Where a module is, which is looked for once. */
  resolve(name, from) {
    const id = `${from}\n${name}`
    if (!resolved.has(id)) resolved.set(id, this.search(name, from))
    return resolved.get(id)
  }

  /** Addresses on the net are looked for beside the file, by their last part. */
  search(name, from) {
    const isAddress = /^https?:/.test(name)
    const wanted = isAddress ? './' + path.basename(new URL(name).pathname) : name
    const fallback = isAddress && wanted.replace(/^\.\/firebase-(.*)\.js$/, '@firebase/$1')
    const here = path.resolve('host.js')
    for (const [file, each] of [[from, wanted], [from, fallback], [here, wanted], [here, fallback]]) {
      try {
        if (each) return createRequire(file).resolve(each)
      } catch {
        // The next one, perhaps.
      }
    }
    if (fallbacks[name]) return undefined
    throw new UsageError(
      `${from} requires ${name}, which is not there; install it beside the SDK, or name a file: `
        + `--module ${name}=FILE`)
  }

  /** Says in words what was missing. */
  explained(error, file) {
    if (error instanceof UsageError) return error
    const missing = /^(.+) is not defined$/.exec((error && error.message) || '')
    if (missing) {
      const { platform } = this.realm.options
      const other = platform === 'node' ? 'browser' : 'node'
      return new UsageError(
        `${file} needs a global variable ${missing[1]}, which the platform "${platform}" does not `
          + `have here; try --platform ${other}, or give one: --global ${missing[1]}=FILE\n`
          + error.stack)
    }
    return new UsageError(`${file} could not be loaded: ${(error && error.stack) || error}`)
  }
}

module.exports = { Loader }
