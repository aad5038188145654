'use strict'
// Keys, paths and their order. A path is a list of keys.

/** A call that is refused at once because of its arguments. */
class Refusal extends Error {
  constructor(code) {
    super(code)
    this.code = code
  }
}

const INTEGER = /^-?0*[0-9]{1,10}$/
const FORBIDDEN = /[.#$[\]/\x00-\x1f\x7f]/

/** The value of a key that counts as a 32-bit integer, else undefined. */
function integerOf(key) {
  if (!INTEGER.test(key)) return undefined
  const number = Number(key)
  return number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** Keys that are 32-bit integers come first, by value; then all others by UTF-16 code units. */
function compareKeys(a, b) {
  if (a === b) return 0
  const x = integerOf(a)
  const y = integerOf(b)
  if (x === undefined && y === undefined) return compare(a, b)
  if (x === undefined || y === undefined) return x === undefined ? 1 : -1
  return x - y || a.length - b.length || compare(b, a)
}

const parsePath = (text) => text.split('/').filter((key) => key !== '')
const pathText = (path) => '/' + path.join('/')

function startsWith(path, ancestor) {
  if (path.length < ancestor.length) return false
  for (let i = 0; i < ancestor.length; i++) if (path[i] !== ancestor[i]) return false
  return true
}

const isSamePath = (a, b) => a.length === b.length && startsWith(a, b)
const areRelated = (a, b) => startsWith(a, b) || startsWith(b, a)
/** The way from `ancestor` to `path`, or undefined when it does not lie there. */
const relative = (path, ancestor) =>
  startsWith(path, ancestor) ? path.slice(ancestor.length) : undefined

function comparePaths(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareKeys(a[i], b[i])
    if (order) return order
  }
  return a.length - b.length
}

const isBadKey = (key) => key === '' || FORBIDDEN.test(key)

function isBadPath(path) {
  if (path.some((key, index) => isBadKey(key) && !(index === 0 && key === '.info'))) return true
  return path.length > 32 || Buffer.byteLength(path.join('/')) > 768
}

module.exports = {
  Refusal, areRelated, compare, compareKeys, comparePaths, integerOf, isBadKey, isBadPath, isSamePath,
  parsePath, pathText, relative, startsWith,
}
