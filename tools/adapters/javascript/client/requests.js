'use strict'
// Requests and what the server says: listens, answers, data, and who is signed in.

const { Connection, OPENED } = require('./connection')
const { fromJSON, inOneChange, isSamePath, parsePath, pathText } = require('./tree')
const { outermostViews, outermostViewsBelow } = require('./wire')

/** The part of a client that sends requests and receives messages. */
class Requests extends Connection {
  transmit(action, body, expected) {
    this.lastRequest += 1
    if (expected) this.expected.set(this.lastRequest, expected)
    this.env.send({ t: 'd', d: { r: this.lastRequest, a: action, b: body } })
  }

  // Listens

  startListen(view) {
    const listen = this.listens.add(view)
    if (this.isReady) this.sendListen(listen)
  }

  stopListen(view) {
    const listen = this.listens.find(view.path, view.query.filters ? view.query : undefined)
    if (!listen) return
    this.listens.remove(listen)
    if (!this.isReady) return
    this.transmit('n', listen.body(this.profile), () => {
      if (!listen.tag) this.tree.passOver(listen.path)
    })
  }

  /** The hash says what is here already, so that the server need not send it. */
  sendListen(listen) {
    const { path, query } = listen
    const own = query && this.tree.view(path, query)
    const views = query ? [own].filter(Boolean) : this.tree.plainViews(path)
    for (const view of views) view.knowledge.claimNode()
    const body = listen.body(this.profile, views.length ? views[0].knowledge.node.hash : '')
    this.transmit('q', body, (status) => this.listenAnswered(listen, status))
  }

  listenAnswered(listen, status) {
    if (!this.listens.has(listen)) {
      if (!listen.tag) this.tree.passOver(listen.path)
    } else if (status !== 'ok') {
      this.listens.remove(listen)
      this.cancel(listen.path, listen.query, status)
    } else {
      const view = listen.tag ? this.tree.viewTagged(listen.tag) : undefined
      if (view || !listen.tag) this.raise(this.tree.completeListen(listen.path, view))
    }
  }

  /** Registers with the local tree and, where nothing covers the place yet, listens. */
  registerAndListen(listener, path, query, events, isOnce) {
    const { tree } = this
    const isCovered = tree.isCovered(path)
    const earlier = query.filters ? tree.view(path, query) : tree.plainView(path)
    const registered = tree.register(listener, path, query, events, isOnce)
    if (earlier || isCovered) return registered
    this.startListen(tree.view(path, query))
    if (query.filters) return registered
    const filtered = tree.views.filter((v) => v.query.filters && isSamePath(v.path, path))
    for (const view of [...filtered, ...outermostViewsBelow(tree.views, path)]) this.stopListen(view)
    return registered
  }

  /** Takes registrations of one place out and makes the listens at the server fit what is left. */
  removeRegistrations(isRemoved) {
    const gone = this.tree.removeRegistrations(isRemoved)
    if (!gone.length || this.tree.isCovered(gone[0].path)) return
    const plain = gone.filter((view) => !view.query.filters).slice(0, 1)
    if (plain.length) {
      for (const view of outermostViews(this.tree.views, gone[0].path)) this.startListen(view)
    }
    for (const view of plain.length ? plain : gone) this.stopListen(view)
  }

  stopWatching(registration) {
    this.removeRegistrations((view, other) => other === registration)
  }

  /**
   * The server will not serve a listen: all its listeners end, and receive the reason. A plain listen takes
   * the filtered ones at its place with it.
   */
  cancel(path, query, status) {
    const isMeant = (view) => isSamePath(view.path, path) && (!query || view.query.equals(query))
    const registrations = this.tree.views.filter(isMeant).flatMap((view) => view.registrations)
    const listeners = registrations.map((each) => each.listener).filter(Boolean)
    this.removeRegistrations(isMeant)
    this.synced = this.synced.filter((held) => !isMeant(held))
    if (this.tree.kept) this.tree.kept.forget(path)
    for (const listener of listeners) {
      listener.registration = undefined
      this.owe(listener, () => listener.onCancel(status))
    }
  }

  // Writes

  /** Whether a write that is made now goes out now. */
  get writesFlow() {
    return this.isReady && this.gate === 'open'
  }

  transmitPut(put) {
    put.isSent = true
    this.transmit(put.action, put.body(), (status) => {
      if (!this.puts.includes(put)) return
      this.puts = this.puts.filter((each) => each !== put)
      put.finish(status)
    })
  }

  transmitOnDisconnect(request) {
    request.isSent = true
    this.transmit(request.action, { p: pathText(request.path), d: request.data }, (status) => {
      this.onDisconnects = this.onDisconnects.filter((each) => each !== request)
      request.status = status
      this.answeredOnDisconnects.push(request)
      this.inNextTurn(() => this.finishOnDisconnect(request))
    })
  }

  /** Asks what the server has, again on each connection until it has answered. */
  transmitGet(get) {
    const q = get.query.wire(this.profile.statesInclusion)
    this.transmit('g', { p: pathText(get.path), q }, (status, payload) => {
      this.gets = this.gets.filter((each) => each !== get)
      const isRight = status === 'ok'
      const snapshot = isRight && this.snapshot(get.path, fromJSON(payload), get.query)
      this.owe(undefined, () => (isRight ? get.onValue(snapshot) : get.onError(status)))
    })
  }

  // Who is signed in

  /** Without a token no user is signed in from now on, whatever the server answers. */
  requestCredential(token, done) {
    if (token === undefined) this.setToken(undefined)
    this.nextNumber()
    const request = { token, done }
    this.credentials.push(request)
    if (this.isReady) this.transmitCredential(request)
  }

  setToken(token) {
    if (this.token === token) return
    this.token = token
    this.memory.isStale = true
  }

  transmitCredential(request) {
    const answered = (status) => this.credentialAnswered(request, status)
    if (request.token === undefined) this.transmit('unauth', {}, answered)
    else this.transmit('auth', { cred: request.token }, answered)
  }

  /**
   * A new connection is told first who it is for. Where writes are kept, they wait for the answer,
   * since they would be refused and lost if the credential has expired meanwhile.
   */
  introduce() {
    for (const request of this.credentials) this.transmitCredential(request)
    if (this.token === undefined) return
    if (!this.credentials.length) this.transmitCredential({ token: this.token })
    if (this.holdsKeptWrites && this.gate === 'open') this.gate = 'awaiting answer'
  }

  get holdsKeptWrites() {
    return this.memory.keepsData && this.profile.keptWritesWait
  }

  credentialAnswered(request, status) {
    this.credentials = this.credentials.filter((each) => each !== request)
    const signsOut = this.credentials.some(({ token }) => token === undefined)
    if (status === 'ok' && !signsOut) this.setToken(request.token)
    if (request.token !== undefined) this.admitWrites(status)
    this.complete(request.done, status === 'ok' ? null : status)
  }

  admitWrites(status) {
    if (status !== 'ok') {
      if (this.gate === 'awaiting answer') this.gate = 'paused'
      this.setToken(undefined)
    } else if (this.gate !== 'open') {
      this.gate = 'open'
      for (const put of this.puts.filter((each) => !each.isSent)) this.transmitPut(put)
    }
  }

  /** The server takes the credential back. The client comes back without it. */
  credentialRevoked() {
    if (this.holdsKeptWrites && this.token !== undefined) this.gate = 'paused'
    this.setToken(undefined)
    if (!this.profile.statesInclusion) return // Firebase clients come again without it.
    this.env.disconnect()
    this.loseConnection()
  }

  // What the server says

  receive({ t: kind, d: content }) {
    if (kind === 'c') this.receiveControl(content.t, content.d)
    else if (kind === 'd' && 'r' in content) {
      const expected = this.expected.get(content.r)
      this.expected.delete(content.r)
      if (expected) expected(content.b.s, content.b.d)
    } else if (kind === 'd') this.receiveData(content.a, content.b)
  }

  receiveControl(kind, payload) {
    if (kind === 'h' && this.state === OPENED) this.becomeReady(payload)
    else if (kind === 's') {
      this.env.log(`the server shut the connection down: ${payload}`)
      this.stopConnecting()
    } else if (kind === 'r') this.follow(payload)
  }

  receiveData(action, body) {
    if (action === 'ac') this.credentialRevoked()
    else if (action === 'c') this.revoke(parsePath(body.p), body.q)
    if (action !== 'd' && action !== 'm') return
    const only = body.t === undefined ? undefined : this.tree.viewTagged(body.t)
    if (body.t !== undefined && !only) return
    const path = parsePath(body.p)
    let events
    if (action === 'd') events = this.tree.put(fromJSON(body.d), path, only)
    else {
      const names = Object.keys(body.d)
      const sets = names.map((name) => [[...path, ...parsePath(name)], fromJSON(body.d[name])])
      events = this.tree.merge(inOneChange(sets), path, only)
    }
    // Transactions that saw other data run again before the data raise events, also where pending
    // writes cover the data so that they raise none.
    this.queue.push(...events)
    if (events.length || this.hasOutdatedTransactions(path)) this.rerunTransactions(path)
    this.raise()
  }

  /** The server ended listens. The plain one takes those with a filter along. */
  revoke(path, queries) {
    for (const fields of queries || [undefined]) {
      if (fields && ('l' in fields || 'sp' in fields || 'ep' in fields)) {
        this.revokeQuery(path, JSON.stringify(fields))
        continue
      }
      const plain = this.listens.find(path)
      if (!plain) continue
      this.listens.remove(plain)
      this.cancel(path, undefined, 'permission_denied')
    }
  }

  /** Its listeners end, unless another listen serves them by now. */
  revokeQuery(path, text) {
    const isMeant = (each) => JSON.stringify(each.body(this.profile).q) === text
    const listen = this.listens.at(path).find(isMeant)
    if (!listen) return
    this.listens.remove(listen)
    this.cancel(path, listen.query, 'permission_denied')
  }
}

module.exports = { Requests }
