'use strict'
// Events as browsers have them (`addEventListener`, `onopen`) and as Node has them (`on`).

/** An object that can be listened to in both ways. */
class Target {
  constructor() {
    Object.defineProperty(this, 'handlers', { value: new Map() })
  }

  addEventListener(type, handler, options) {
    if (!handler) return
    const isOnce = Boolean(options && options.once)
    this.handlers.set(type, [...(this.handlers.get(type) || []), { handler, isOnce }])
  }

  removeEventListener(type, handler) {
    const others = (this.handlers.get(type) || []).filter((each) => each.handler !== handler)
    this.handlers.set(type, others)
  }

  dispatchEvent(event) {
    this.raise(event.type, event)
    return true
  }

  /** Calls `onTYPE` and every handler. */
  raise(type, ...details) {
    if (typeof this[`on${type}`] === 'function') this[`on${type}`](...details)
    for (const each of this.handlers.get(type) || []) {
      if (each.isOnce) this.removeEventListener(type, each.handler)
      if (typeof each.handler === 'function') each.handler.apply(this, details)
      else each.handler.handleEvent(...details)
    }
  }
}

/** The same with the methods of Node's emitters. */
class Emitter extends Target {
  on(type, handler) {
    this.addEventListener(type, handler)
    return this
  }

  once(type, handler) {
    this.addEventListener(type, handler, { once: true })
    return this
  }

  off(type, handler) {
    if (type === undefined) this.handlers.clear()
    else if (handler === undefined) this.handlers.delete(type)
    else this.removeEventListener(type, handler)
    return this
  }

  emit(type, ...details) {
    const hasHandlers = this.listeners(type).length > 0
    this.raise(type, ...details)
    return hasHandlers
  }

  listeners(type) {
    return (this.handlers.get(type) || []).map((each) => each.handler)
  }

  listenerCount(type) {
    return this.listeners(type).length
  }

  hasListeners(type) {
    return this.listenerCount(type) > 0
  }
}

Object.assign(Emitter.prototype, {
  addListener: Emitter.prototype.on,
  removeListener: Emitter.prototype.off,
  removeAllListeners: Emitter.prototype.off,
  setMaxListeners() { return this },
})

module.exports = { Emitter, Target }
