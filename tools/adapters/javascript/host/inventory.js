'use strict'
// What there is in a realm before an SDK comes, and whether it is still the same.
//
// An SDK may change what belongs to the language: give arrays a method, or replace Promise. The
// next client must not see that, so it gets a realm where every object of the language has the
// properties that it had, with their values.

const vm = require('vm')

/** What no name leads to. */
const HIDDEN = new vm.Script(`[
  function* () {}, async function () {}, async function* () {}, [].values(), new Map().values(),
  new Set().values(), ''[Symbol.iterator](), ''.matchAll(/a/g), (function* () {})(),
  (async function* () {})(), new Intl.Segmenter().segment('')[Symbol.iterator](),
].map((each) => Object.getPrototypeOf(each))`)

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'

class Inventory {
  /** Begins with the global object and with what replaces some of the language. */
  constructor(context, itself, replacements) {
    const known = new Set([itself, ...HIDDEN.runInContext(context)])
    const note = (value) => isObject(value) && known.add(value)
    for (const { value } of Object.values(replacements)) note(value)
    const entries = []
    for (const object of known) {
      const entry = describe(object)
      entries.push(entry)
      note(entry.prototype)
      for (const property of entry.properties) [property.value, property.get, property.set].forEach(note)
    }
    this.functions = entries.filter(isPlain).map(({ object }) => object)
    this.others = entries.filter((entry) => !isPlain(entry))
  }

  /** Whether everything is as it was. */
  isComplete() {
    return this.functions.every(hasNothingMore) && this.others.every(isUnchanged)
  }
}

function describe(object) {
  const keys = Reflect.ownKeys(object)
  return {
    object, keys, prototype: Object.getPrototypeOf(object), isExtensible: Object.isExtensible(object),
    properties: keys.map((key) => Reflect.getOwnPropertyDescriptor(object, key)),
  }
}

/** Most of the language are functions with a name and a length. Nobody gives them others; but perhaps more. */
const isPlain = ({ object, keys }) =>
  typeof object === 'function' && keys.length === 2 && keys.includes('name') && keys.includes('length')

const hasNothingMore = (object) => Reflect.ownKeys(object).length === 2

function isUnchanged({ object, keys, prototype, isExtensible, properties }) {
  if (Object.getPrototypeOf(object) !== prototype) return false
  if (Object.isExtensible(object) !== isExtensible) return false
  const now = Reflect.ownKeys(object)
  if (now.length !== keys.length) return false
  for (let index = 0; index < keys.length; index++) {
    if (now[index] !== keys[index]) return false
    const property = Reflect.getOwnPropertyDescriptor(object, keys[index])
    if (!isSame(property, properties[index])) return false
  }
  return true
}

const isSame = (one, other) =>
  Object.is(one.value, other.value) && one.get === other.get && one.set === other.set
    && one.writable === other.writable && one.enumerable === other.enumerable
    && one.configurable === other.configurable

module.exports = { Inventory }
