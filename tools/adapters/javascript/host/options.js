'use strict'
// The command line of the host.

const fs = require('fs')
const path = require('path')
const { builtinModules, createRequire } = require('module')

/** Something that the user of the host can correct: reported in words, without a stack. */
class UsageError extends Error {}

const APIS = {
  wilddog: './api/wilddog',
  firebase: './api/firebase',
  'firebase-compat': './api/firebase-compat',
  'firebase-2': './api/firebase-2',
  'wilddog-1': './api/wilddog-1',
}

const USAGE = `usage: node host.js --api wilddog|firebase|firebase-compat|firebase-2|wilddog-1 [OPTION...] SDK...
  --platform browser|node|wechat   what the SDK finds around it (guessed from the files)
  --as script|commonjs|module   how its files are read (guessed from each file)
  --module NAME=FILE        take FILE where the SDK requires or imports NAME
  --global NAME=FILE        put what FILE exports into the global variable NAME
  --host HOST               the host that the SDK is told to connect to
  --without NAME            the SDK has not this capability, or lacks this part of its interface
                            (may be repeated)`

function readOptions(words) {
  const options = { files: [], modules: new Map(), globals: new Map(), without: [] }
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    if (!word.startsWith('--')) options.files.push(resolved(word))
    else if (word === '--help') throw new UsageError(USAGE)
    else readOption(options, word.slice(2), words[++index])
  }
  if (!options.apiName) throw new UsageError(`which interface does the SDK have?\n${USAGE}`)
  if (!options.files.length) throw new UsageError(`which file is the SDK?\n${USAGE}`)
  const api = require(APIS[options.apiName])
  const capabilities = api.capabilities.filter((name) => !options.without.includes(name))
  // What is no capability is a part of the interface, such as `query.exclusive-bounds`.
  const missing = options.without.filter((name) => !api.capabilities.includes(name))
  const lacks = [...new Set([...api.lacks, ...missing])]
  const { name, version } = identity(options.files[options.files.length - 1])
  options.api = {
    ...api,
    hello: { protocol: 1, revision: 6, name, version, capabilities: [...capabilities, 'reset', 'frames'], lacks, calls: CALLS },
  }
  options.platform = options.platform || guessedPlatform(options.files, options.kind)
  if (options.platform === 'wechat') options.kind = options.kind || 'commonjs'
  return options
}

// How the calls look to those who maintain an SDK: for `kennel why --markdown`.
const CALLS = {
  listen: 'ref({path}){query}.on({events}, callback)', once: 'ref({path}){query}.once({event}, callback)',
  get: 'ref({path}){query}.get()', unlisten: 'off({listener})', 'unlisten-all': 'ref({path}){query}.off()',
  set: 'ref({path}).set({value})', remove: 'ref({path}).remove()',
  'set-priority': 'ref({path}).setPriority({priority})', update: 'ref({path}).update({value})',
  push: 'ref({path}).push({value})', transaction: 'ref({path}).transaction({update})',
  'on-disconnect-set': 'ref({path}).onDisconnect().set({value})',
  'on-disconnect-remove': 'ref({path}).onDisconnect().remove()',
  'on-disconnect-update': 'ref({path}).onDisconnect().update({value})',
  'on-disconnect-cancel': 'ref({path}).onDisconnect().cancel()',
  'go-offline': 'goOffline()', 'go-online': 'goOnline()',
}

/** What an SDK is called, and its version: those of the package that a file belongs to, if it is in one. */
function identity(file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const description = path.join(folder, 'package.json')
    if (!fs.existsSync(description)) continue
    const { name, version } = JSON.parse(fs.readFileSync(description, 'utf8'))
    if (name && version && folder.endsWith(path.normalize(name))) return { name, version }
  }
  return { name: path.basename(file), version: '(version unknown)' }
}

function readOption(options, name, value) {
  if (value === undefined) throw new UsageError(`--${name} needs a value\n${USAGE}`)
  const [key, file] = value.split(/=(.*)/s)
  const expect = (...choices) => {
    if (choices.includes(value)) return value
    throw new UsageError(`--${name} is ${value}; expected ${choices.join(', ')}`)
  }
  if (name === 'api') options.apiName = expect(...Object.keys(APIS))
  else if (name === 'platform') options.platform = expect('browser', 'node', 'wechat')
  else if (name === 'as') options.kind = expect('script', 'commonjs', 'module')
  else if (name === 'host') options.host = value
  else if (name === 'without') options.without.push(value)
  else if (name === 'module' || name === 'global') {
    if (!file) throw new UsageError(`--${name} needs NAME=FILE`)
    options[`${name}s`].set(key, resolved(file))
  } else throw new UsageError(`there is no option --${name}\n${USAGE}`)
}

/** The file that a word names: a file, a package's folder, or the name of a package. */
function resolved(word) {
  const file = path.resolve(word)
  if (fs.existsSync(file) && fs.statSync(file).isFile()) return file
  for (const name of [file, word]) {
    try {
      return createRequire(path.resolve('host.js')).resolve(name)
    } catch {
      // Perhaps it is the other one.
    }
  }
  throw new UsageError(`there is no file or package ${word}`)
}

/**
 * CommonJS modules that require others are for Node, and so are ES modules that import what only Node
 * has; whatever is in one file is for browsers.
 */
function guessedPlatform(files, kind) {
  const isForNode = (file) => {
    const text = fs.readFileSync(file, 'utf8')
    const imported = [...text.matchAll(/\bfrom\s*["'](?:node:)?([^"']+)["']/g)].map(([, name]) => name)
    switch (kind || guessedKind(file)) {
      case 'commonjs': return /\brequire\(/.test(text)
      case 'module': return imported.some((name) => builtinModules.includes(name))
      default: return false
    }
  }
  return files.some(isForNode) ? 'node' : 'browser'
}

const IMPORT = /(^|[;}\n]\s*|\*\/\s*)import\s*(["']|[\w$*{][^;"']*\bfrom\s*["'])/
const EXPORT = /(^|[;}\n]\s*|\*\/\s*)export\s*(\{|\*|(default|const|let|var|function|class|async)\b)/
/** How browserify begins: modules in one file, which find each other by a `require` of their own. */
const PRELUDE = /function\s*\w*\(\w+,\s*\w+,\s*\w+\)\s*\{\s*function\s+\w+\(\w+,\s*\w+\)\s*\{\s*if\s*\(!/

const kinds = new Map()

/** How a file wants to be read; each is looked at once. */
function guessedKind(file) {
  if (!kinds.has(file)) kinds.set(file, kindOf(file))
  return kinds.get(file)
}

/** How a file wants to be read, by what it says. */
function kindOf(file) {
  if (/\.mjs$/.test(file)) return 'module'
  if (/\.cjs$/.test(file)) return 'commonjs'
  const text = fs.readFileSync(file, 'utf8')
  if (IMPORT.test(text) || EXPORT.test(text)) return 'module'
  // Whatever also works in a browser is taken as there, so that several files find each other.
  if (/\bdefine\.amd\b/.test(text) || PRELUDE.test(text.slice(0, 2000))) return 'script'
  return /\b(module\.exports|exports\.\w|exports\[|require\()/.test(text) ? 'commonjs' : 'script'
}

module.exports = { UsageError, guessedKind, readOptions }
