'use strict'
// Who is signed in. An SDK for data signs nobody in: another package does, and hands it the token. Here
// the application is that package. How a call ended is in the server's answer, which it sees go by.

/** A token in the form of a JWT: Firebase sends no other one with `auth`. */
const wrapped = (token) => `${encoded({ alg: 'none' })}.${encoded({ iat: 0, token })}.kennel`
const encoded = (claims) => Buffer.from(JSON.stringify(claims)).toString('base64url')

function unwrapped(credential) {
  try {
    const [, claims, mark] = credential.split('.')
    return mark === 'kennel' ? JSON.parse(Buffer.from(claims, 'base64url')).token : credential
  } catch {
    return credential
  }
}

class Authentication {
  constructor(client) {
    Object.assign(this, { client, token: null, accepted: null, listeners: [] })
    /** Calls that have not ended, and for each request on the way the token that it carries. */
    Object.assign(this, { calls: [], requests: new Map() })
  }

  /** Signs in, or out where the token is null. Without a connection nobody has to be told of the latter. */
  call(id, token) {
    this.calls.push({ id, token })
    this.token = token
    for (const listener of this.listeners) listener(token)
    if (token === null && ![...this.requests.values()].includes(null)) this.end(null, null)
  }

  end(token, error) {
    const ended = this.calls.filter((call) => call.token === token)
    this.calls = this.calls.filter((call) => call.token !== token)
    for (const { id } of ended) this.client.emit('completed', { call: id, error })
  }

  /** What the kit is to see of a message of the SDK: its own token. */
  sent(message) {
    const { r, a, b } = message.d || {}
    if (message.t !== 'd' || !['auth', 'gauth', 'unauth'].includes(a)) return message
    if (a === 'unauth') {
      this.requests.set(r, null)
      return message
    }
    const cred = unwrapped(b.cred)
    this.requests.set(r, cred)
    return { ...message, d: { r, a, b: { ...b, cred } } }
  }

  /** Notes what a message of the server says. Calls end when the SDK has acted on it. */
  received({ t, d }) {
    if (t !== 'd' || !d) return
    if (d.a === 'ac' && this.accepted === this.token) this.token = null
    if (!this.requests.has(d.r)) return
    const token = this.requests.get(d.r)
    this.requests.delete(d.r)
    const isAccepted = d.b.s === 'ok'
    if (isAccepted) this.accepted = token
    else if (this.token === token) this.token = null
    this.client.enqueue(() => this.end(token, isAccepted ? null : d.b.s))
  }

  /** What is on the way is lost: sign-ins will be sent again, sign-outs need not be. */
  lost() {
    if ([...this.requests.values()].includes(null)) this.end(null, null)
    this.requests.clear()
  }

  /** Hands over each token, in the form that the SDK sends on. */
  listen(listener) {
    this.listeners.push((token) => listener(token === null ? null : wrapped(token)))
  }

  /** The component `auth-internal` of Firebase. */
  component() {
    const listeners = new Map()
    const service = {
      getUid: () => null,
      getToken: () => Promise.resolve(this.token === null ? null : { accessToken: wrapped(this.token) }),
      addAuthTokenListener: (listener) => {
        const own = (token) => listener(token === null ? null : wrapped(token))
        listeners.set(listener, own)
        this.listeners.push(own)
      },
      removeAuthTokenListener: (listener) => {
        this.listeners = this.listeners.filter((each) => each !== listeners.get(listener))
      },
    }
    return {
      name: 'auth-internal', type: 'PRIVATE', instantiationMode: 'LAZY', multipleInstances: false,
      serviceProps: {}, onInstanceCreated: null, instanceFactory: () => service,
    }
  }

  /** Gives an app of Firebase the component, in whatever edition. */
  provide(app) {
    const { container } = (app && app._delegate) || app || {}
    if (container) container.addOrOverwriteComponent(this.component())
    else if (app && app.INTERNAL) Object.assign(app.INTERNAL, this.component().instanceFactory())
  }
}

module.exports = { Authentication }
