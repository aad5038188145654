'use strict'
// Keys whose order is the order of time.

const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

/**
 * Eight characters for the millisecond and twelve that are random, one more than the last ones when
 * the millisecond is the same. A clock that goes back makes no smaller key.
 */
class PushIds {
  constructor() {
    this.lastTime = -1
    this.tail = new Array(12).fill(0)
  }

  next(time, random) {
    const now = Math.max(this.lastTime, Math.floor(Math.max(0, Math.min(time, 2 ** 48 - 1))))
    if (now === this.lastTime) this.incrementTail()
    else this.tail = this.tail.map(() => Math.floor(random() * 64))
    this.lastTime = now
    const head = [7, 6, 5, 4, 3, 2, 1, 0].map((place) => Math.floor(now / 64 ** place) % 64)
    return [...head, ...this.tail].map((digit) => ALPHABET[digit]).join('')
  }

  incrementTail() {
    for (let place = 11; place >= 0; place--) {
      this.tail[place] = (this.tail[place] + 1) % 64
      if (this.tail[place]) return
    }
  }
}

module.exports = { PushIds }
