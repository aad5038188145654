'use strict'
// What the application does inside its callbacks. Kennel says it in advance, with the operation `on`.
//
// An adapter reports what its client does with `emit`, and in a callback that is where it happens:
// before `emit` returns, and so before the callback returns to the client, the calls have been made.

/** How `on` names the callback of a line, and the member of the line with the name. */
const CALLBACKS = {
  event: ['listener', 'listener'], cancelled: ['cancel', 'listener'],
  completed: ['completion', 'call'], updateRan: ['function', 'call'],
}

/** The reactions that have not happened yet; `call` makes a call of the application. */
class Reactions {
  constructor(tell, call) {
    Object.assign(this, { tell, call, waiting: [] })
  }

  emit(verb, details) {
    this.tell(verb, details)
    if (!this.waiting.length || !CALLBACKS[verb]) return
    const [kind, name] = CALLBACKS[verb]
    for (const each of this.waiting) {
      const isMeant = each[kind] === details[name] && (!each.event || each.event === details.type)
      if (isMeant) each.nth = (each.nth || 1) - 1
    }
    const now = this.waiting.filter(({ nth }) => nth === 0)
    this.waiting = this.waiting.filter(({ nth }) => nth !== 0)
    for (const call of now.flatMap((each) => each.do)) {
      this.tell('calling', { call: call.id })
      this.call(call)
      this.tell('returned', { call: call.id })
    }
  }
}

module.exports = { Reactions }
