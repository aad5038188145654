'use strict'
// The connections that an SDK opens, of which the kit sees one at a time, and how messages are
// framed on them.
//
// A link is one connection as the kit knows it. Whoever opens one (a WebSocket, an engine.io socket,
// a polling session) gets told by `onOpen`, `onMessage(text)` and `onClose(code)`, each in a task of
// its own.

/** The most that one frame carries in the framing of Firebase, in UTF-16 units. */
const SEGMENT = 16384

/** A message of the kit in frames of Firebase: long ones are cut, with their number in front. */
class Segments {
  constructor(send) {
    Object.assign(this, { send, missing: 0, parts: [] })
  }

  /** Takes a frame of the SDK. A lone 0 keeps the connection alive and says nothing. */
  receive(text) {
    if (!this.missing) {
      if (text.length <= 6 && !Number.isNaN(Number(text))) this.missing = Number(text)
      else this.send(JSON.parse(text))
      return
    }
    this.parts.push(text)
    if (--this.missing) return
    const whole = this.parts.join('')
    this.parts = []
    this.send(JSON.parse(whole))
  }

  frames(message) {
    const text = textOf(message)
    if (text.length <= SEGMENT) return [text]
    const parts = []
    for (let start = 0; start < text.length;) {
      let end = Math.min(text.length, start + SEGMENT)
      // The two halves of a character cannot be sent apart.
      if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1])) end -= 1
      parts.push(text.slice(start, end))
      start = end
    }
    return [String(parts.length), ...parts]
  }

  greeting() {
    return []
  }
}

/** A message of the kit in a packet of engine.io 3: `42["wd",MESSAGE]`. */
class Packets {
  constructor(send, upgrades) {
    Object.assign(this, { send, upgrades })
    /** For each sign of life that was asked for, whether the transport did. */
    this.asked = []
    /** engine.io keeps what it is given until the socket has taken what came before. */
    this.hasBuffer = true
  }

  receive(text) {
    if (text.startsWith('42')) {
      const [, message] = JSON.parse(text.slice(2))
      if (isControl(message, 'p')) this.asked.push(false)
      this.send(message)
    } else if (text[0] === '2') {
      // The transport's own question becomes that of the protocol, so that it can stay unanswered.
      this.asked.push(true)
      this.send({ t: 'c', d: { t: 'p', d: {} } })
    }
  }

  frames(message) {
    const isForTransport = isControl(message, 'o') && this.asked.shift()
    return [isForTransport ? '3' : `42${inASCII(textOf(['wd', message]))}`]
  }

  greeting() {
    return [
      '0' + JSON.stringify({
        sid: 'kennel', upgrades: this.upgrades, pingInterval: 25000, pingTimeout: 60000,
      }),
      '40',
    ]
  }
}

/** Whether a sign would be lost, which JavaScript does not write. */
const hasNegativeZero = (json) =>
  typeof json === 'object' && json !== null
    ? Object.values(json).some(hasNegativeZero)
    : Object.is(json, -0)

/** JSON in which negative zero keeps its sign, as the server writes it: a hash tells it apart. */
function textOf(json) {
  if (!hasNegativeZero(json)) return JSON.stringify(json)
  if (Array.isArray(json)) return `[${json.map(textOf).join()}]`
  if (typeof json !== 'object') return '-0.0'
  const members = Object.entries(json).map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`)
  return `{${members.join()}}`
}

/** JSON without other letters: editions of engine.io do not agree on how to poll with them. */
const inASCII = (json) =>
  json.replace(/[\u0080-\uffff]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'))

/** A host by another name, also where it is a server of that host: `two.HOST`. */
const renamed = (host, from, to) =>
  host === from || host.endsWith(`.${from}`) ? host.slice(0, host.length - from.length) + to : host

/** Whether a message is about the connection, and of this kind: `h`, `p`, `o`, ... */
const isControl = ({ t, d }, kind) => t === 'c' && Boolean(d) && d.t === kind

/** One text for one query: that a bound belongs to the range need not be written. */
const wordingOf = ({ sin = true, ein = true, ...rest }) =>
  JSON.stringify(Object.entries({ sin, ein, ...rest }).sort(([a], [b]) => (a < b ? -1 : 1)))

class Connections {
  constructor(client) {
    this.client = client
    this.link = undefined
    this.queries = new Map()
  }

  /** Whether there is a connection, or one was asked for. */
  get isUp() {
    return Boolean(this.link)
  }

  /** The host that the SDK was told of, by which it knows the one that it was opened with. */
  get knownHost() {
    const { options, opening } = this.client
    return options.host || options.api.host || opening.host
  }

  /** Whether this is another host of the SDK's maker, by which some editions begin. */
  isOfMaker(host) {
    const maker = this.knownHost.split('.').slice(-2).join('.')
    return host.endsWith(`.${maker}`) && renamed(host, this.knownHost, '') === host
  }

  /** Opens a connection to an address such as `wss://HOST/.ws?v=5`. */
  open(address, observer) {
    const { host, searchParams } = new URL(address)
    if (this.link && searchParams.has('sid')) return this.join(this.link, observer)
    if (this.link) this.forget(this.link)
    // What was put off for no time at all was the try itself, after a delay of nothing.
    if (this.client.isTrying) this.client.clearTimer(this.client.setTimer(() => {}, 0))
    const link = { observer, isOpen: false, lastTask: undefined }
    const send = (message) => {
      if (link !== this.link) return
      this.note(message)
      this.client.emit('send', this.client.authentication.sent(message))
    }
    const upgrades = searchParams.get('transport') === 'polling' ? ['websocket'] : []
    link.framing = searchParams.has('EIO') ? new Packets(send, upgrades) : new Segments(send)
    this.link = link
    const home = this.client.opening.host
    const wanted = this.isOfMaker(host) ? home : renamed(host, this.knownHost, home)
    this.client.emit('connect', wanted === home ? {} : { host: wanted })
    return link
  }

  /**
   * A second socket for a connection that polls, as engine.io changes over: it asks `2probe`, the waiting
   * poll is answered with nothing, and with `5` the socket takes the place of the polls.
   */
  join(link, observer) {
    link.next = observer
    this.enqueue(link, () => observer.onOpen())
    return link
  }

  send(link, text) {
    if (link !== this.link || !link.isOpen) return
    if (link.next && text === '2probe') {
      this.enqueue(link, () => link.next.onMessage('3probe'))
      this.enqueue(link, () => link.observer.onMessage('6'))
      return
    }
    if (link.next && text === '5') {
      Object.assign(link, { observer: link.next, next: undefined, hasChanged: true })
      return
    }
    try {
      link.framing.receive(String(text))
    } catch (error) {
      this.client.log(`the SDK sent what is no message (${error.message}): ${String(text).slice(0, 160)}`)
    }
  }

  /** The SDK closes a connection, and is told so when everything else of this turn is done. */
  close(link, code = 1000) {
    if (link !== this.link) return
    this.forget(link)
    this.client.enqueue(() => link.observer.onClose(code))
  }

  forget(link) {
    if (link !== this.link) return
    this.link = undefined
    this.client.authentication.lost()
    this.client.isLosing = true
    this.client.emit('disconnect', {})
  }

  /** A task that is dropped when the connection is no longer the one that there is. */
  enqueue(link, action) {
    this.client.enqueue(() => link === this.link && action())
  }

  // What the kit says

  opened() {
    const { link } = this
    if (!link) return
    this.enqueue(link, () => {
      link.isOpen = true
      link.observer.onOpen()
    })
    this.deliver(link, link.framing.greeting())
  }

  refused() {
    this.lose(1006)
  }

  closed() {
    this.lose(1006)
  }

  lose(code) {
    const { link } = this
    this.link = undefined
    this.client.authentication.lost()
    if (link) this.client.enqueue(() => link.observer.onClose(code))
  }

  frame(message) {
    if (!this.link) return
    this.deliver(this.link, this.link.framing.frames(this.translated(message)))
    this.client.authentication.received(message)
  }

  deliver(link, frames) {
    for (const text of frames) this.enqueue(link, () => link.observer.onMessage(text))
  }

  /** Keeps how the SDK words its queries. */
  note({ t, d }) {
    if (t === 'd' && d && d.a === 'q' && d.b.q) this.queries.set(wordingOf(d.b.q), d.b.q)
  }

  /**
   * Servers are called what the SDK calls them, in greetings and where they send clients elsewhere; and where
   * they revoke queries, they word them as the client did.
   */
  translated(message) {
    const known = (host) => renamed(host, this.client.opening.host, this.knownHost)
    const { t, d } = message
    if (t === 'd' && d && d.a === 'c' && d.b.q) {
      const q = d.b.q.map((query) => this.queries.get(wordingOf(query)) || query)
      return { ...message, d: { ...d, b: { ...d.b, q } } }
    }
    if (isControl(message, 'h')) return { ...message, d: { ...d, d: { ...d.d, h: known(d.d.h) } } }
    return isControl(message, 'r') ? { ...message, d: { ...d, d: known(d.d) } } : message
  }
}

module.exports = { Connections }
