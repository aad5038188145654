'use strict'

/** Numbers from 0 to 1 that a seed of 64 bits determines (SplitMix64). */
function randomNumbers(seed) {
  let state = BigInt(seed)
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n)
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn)
    return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53
  }
}

module.exports = { randomNumbers }
