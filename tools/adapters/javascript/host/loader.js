'use strict'
// Loads files into a realm: scripts, CommonJS modules and ES modules, and what they require.

const fs = require('fs')
const path = require('path')
const vm = require('vm')
const { builtinModules, createRequire } = require('module')
const { toCommonJS } = require('./esm')
const { fallbacks, standIn } = require('./modules')
const { UsageError, guessedKind } = require('./options')

/** Files are compiled once, however many clients there are. */
const compiled = new Map()

const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '\n})']

function compile(file, kind) {
  const id = `${kind} ${file}`
  if (!compiled.has(id)) {
    let text = fs.readFileSync(file, 'utf8').replace(/^#!.*/, '')
    if (kind === 'module') text = toCommonJS(text, `file://${file}`)
    if (kind !== 'script') text = WRAPPER[0] + text + WRAPPER[1]
    try {
      compiled.set(id, new vm.Script(text, { filename: file }))
    } catch (error) {
      throw new UsageError(
        `${file} cannot be read as ${kind}: ${error.message} (--as script, commonjs or module?)`)
    }
  }
  return compiled.get(id)
}

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
    const run = compile(file, kind)
    try {
      const result = run.runInContext(this.realm.context)
      if (kind === 'script') return undefined
      module.require = this.requireFrom(file)
      const { exports } = module
      result.call(exports, exports, module.require, module, file, path.dirname(file))
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

  /** Where a module is. Addresses on the net are looked for beside the file, by their last part. */
  resolve(name, from) {
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
