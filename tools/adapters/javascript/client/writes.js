'use strict'
// Writes and transactions: shown at once, sent, and settled by the server's answer.

const { ALL, VALUE } = require('./query')
const { Requests } = require('./requests')
const {
  EMPTY, Node, Refusal, areRelated, checkNode, comparePaths, fromJSON, inOneChange, isBadPath,
  isObject, isSamePath, relative, startsWith,
} = require('./tree')
const { Snapshot } = require('./values')
const { ACKNOWLEDGED, REVERTED } = require('./view')
const { Put } = require('./wire')

const MOST_ATTEMPTS = 25
const [RUN, SENT, OVERTAKEN, FAILED] = [0, 1, 2, 3]

const partsJSON = (parts) =>
  Object.fromEntries(parts.map(([below, node]) => [below.join('/'), node.json()]))

/** The part of a client that writes. */
class Writing extends Requests {
  /** A transaction there that can go on runs again before the write's own events are raised. */
  write(path, node, done) {
    const [id, events] = this.tree.write(path, [[path, this.estimated(node, path)]])
    this.queue.push(...events)
    this.put('p', path, node.json(), (status) => this.finishWrite(id, path, status, done))
    this.rerunTransactions(this.abortTransactions(path))
    this.raise()
  }

  /** One change, however many places it names. `parts` are [relative path, node]. */
  writeParts(path, parts, done) {
    const sets = this.estimatedParts(path, parts)
    const [id, events] = this.tree.write(path, sets)
    this.queue.push(...events)
    const finish = (status) => this.finishWrite(id, path, status, done, true)
    this.put('m', path, partsJSON(parts), finish)
    const places = this.profile.namedAborts ? parts.map(([below]) => [...path, ...below]) : [path]
    // All of them first, so that none runs again that another place ends.
    const changed = places.map((place) => this.abortTransactions(place))
    for (const place of changed) this.rerunTransactions(place)
    this.raise()
  }

  put(action, path, data, finish, hash) {
    const put = new Put(this.nextNumber(), action, path, data, finish, hash)
    this.puts.push(put)
    if (this.writesFlow) this.transmitPut(put)
  }

  finishWrite(id, path, status, done, isUpdate = false) {
    const events = this.tree.settle(id, status === 'ok' ? ACKNOWLEDGED : REVERTED)
    this.queue.push(...events)
    if (isUpdate && events.length) this.rerunTransactions(path)
    this.raise()
    this.complete(done, status === 'ok' ? null : status)
  }

  /** With server values replaced by what the server will probably put there. */
  estimated(node, path) {
    if (!node.hasServerValues) return node
    return node.resolving(this.clock() + this.timeOffset, this.tree.latest(path, [], false))
  }

  estimatedParts(path, parts) {
    return inOneChange(parts.map(([below, node]) => {
      const place = [...path, ...below]
      return [place, this.estimated(node, place)]
    }))
  }

  /** `sets` are [path, node] of what is to be done; without any the promises are cancelled. */
  requestOnDisconnect(action, path, data, sets, done) {
    this.nextNumber()
    const request = { action, path, data, sets, done, isSent: false, isRemembered: false }
    this.onDisconnects.push(request)
    if (this.isReady) this.transmitOnDisconnect(request)
  }

  /** Does to the list of promises what the server has agreed to. */
  remember(request) {
    if (request.isRemembered || request.status !== 'ok') return
    request.isRemembered = true
    if (!request.sets) this.promised.forget(request.path)
    else for (const [path, node] of request.sets) this.promised.remember(path, node)
  }

  finishOnDisconnect(request) {
    this.remember(request)
    const answered = this.answeredOnDisconnects
    this.answeredOnDisconnects = answered.filter((each) => each !== request)
    this.complete(request.done, request.status === 'ok' ? null : request.status)
  }

  // Transactions

  runTransaction(path, update, done, isShown) {
    const [watch] = this.registerAndListen(undefined, path, ALL, [VALUE])
    const transaction = { path, update, done, isShown, watch, state: RUN, attempts: 0 }
    const ending = this.run(transaction, this.tree.latest(path))
    if (ending) {
      this.stopWatching(watch)
      this.complete(done, ...ending)
      return
    }
    const [id, events] = this.tree.write(path, [[path, transaction.estimate]], isShown)
    transaction.write = id
    this.transactions.push(transaction)
    this.raise(events)
    this.sendReadyTransactions()
  }

  /** Runs the function on what it finds; returns how the transaction ends, if it does. */
  run(transaction, input) {
    transaction.input = input
    let result
    const isNested = this.isRunningFunction
    this.isRunningFunction = true // Callbacks of what it calls wait for its end.
    try {
      result = transaction.update(input.plain(this.profile.sparseArrays))
    } catch {
      return ['usercode', false] // The application's function may break down in any way.
    } finally {
      this.isRunningFunction = isNested
    }
    if (result === undefined) return [null, false, this.snapshot(transaction.path, input)]
    const node = fromJSON(result)
    const namesPriority = isObject(result) && '.priority' in result
    transaction.output = namesPriority ? node : node.withPriority(input.priority)
    transaction.estimate = this.estimated(transaction.output, transaction.path)
    return undefined
  }

  snapshot(path, node, query = ALL) {
    return new Snapshot(path, node, query, this.profile.sparseArrays)
  }

  below(path) {
    return this.transactions.filter((transaction) => startsWith(transaction.path, path))
  }

  /** The outermost place at or above `path` that has a transaction, or `path` itself. */
  outermostPlace(path) {
    const above = this.transactions.filter((transaction) => startsWith(path, transaction.path))
    return above.reduce((best, each) => (each.path.length < best.length ? each.path : best), path)
  }

  /** All at and below one place go as one put, and only when none of them is on its way. */
  sendReadyTransactions() {
    const places = distinct(this.transactions.map(({ path }) => this.outermostPlace(path)))
    for (const place of places) {
      const queue = this.below(place)
      if (!queue.length || !queue.every((each) => each.state === RUN)) continue
      // The hash vouches for what the functions saw, so they see it first.
      if (this.areOutdated(queue)) {
        const count = this.transactions.length
        this.runAgain(queue)
        // Some ended instead, which may let others go.
        if (this.transactions.length < count) return this.sendReadyTransactions()
      }
      this.sendTransactions(this.below(place), place)
    }
    return undefined
  }

  /** Whether one of those that wait would get another input than in its last run. */
  areOutdated(queue) {
    const waiting = queue.filter((each) => each.state === RUN)
    return waiting.some(({ path, input }, index) => {
      const ignored = waiting.slice(index).map((each) => each.write)
      return !this.input(path, ignored).equals(input)
    })
  }

  hasOutdatedTransactions(path) {
    return this.areOutdated(this.below(this.outermostPlace(path)))
  }

  /**
   * What a function is given, and what the hash of its put vouches for: of what is not known as a
   * whole, what transactions below it were given belongs to it.
   */
  input(place, ignored) {
    const below = this.below(place).map(({ path }) => path).filter((path) => path.length > place.length)
    below.sort((a, b) => a.length - b.length)
    const setting = (node, path) =>
      node.setting(relative(path, place), this.tree.latest(path, ignored))
    return below.reduce(setting, this.tree.latest(place, ignored))
  }

  sendTransactions(queue, place) {
    const base = this.input(place, queue.map((each) => each.write))
    let data = base
    for (const transaction of queue) {
      transaction.state = SENT
      transaction.attempts += 1
      data = data.setting(relative(transaction.path, place), transaction.output)
    }
    const finish = (status) => this.finishTransactions(queue, place, status)
    this.put('p', place, data.json(), finish, base.hash)
  }

  /** The server answered a put of transactions, or the connection broke under it. */
  finishTransactions(queue, place, status) {
    if (status === 'ok') {
      this.commit(queue)
      return
    }
    for (const transaction of queue) {
      if (status !== 'datastale') Object.assign(transaction, { state: FAILED, error: status })
      else if (transaction.state === OVERTAKEN) {
        Object.assign(transaction, { state: FAILED, error: 'set' })
      } else transaction.state = RUN
    }
    this.rerunTransactions(place)
  }

  commit(queue) {
    const committed = this.transactions.filter((each) => queue.includes(each))
    for (const transaction of committed) {
      this.queue.push(...this.tree.settle(transaction.write, ACKNOWLEDGED))
      this.stopWatching(transaction.watch)
    }
    this.transactions = this.transactions.filter((each) => !queue.includes(each))
    this.sendReadyTransactions()
    this.raise()
    for (const { done, path, estimate } of committed) {
      this.complete(done, null, true, this.snapshot(path, estimate))
    }
  }

  /**
   * Runs the transactions at, above and below `changed` again, as far as they are not on their
   * way, and ends those that failed.
   */
  rerunTransactions(changed) {
    const queue = this.below(this.outermostPlace(changed))
    if (!queue.length) return
    this.runAgain(queue)
    this.sendReadyTransactions()
  }

  runAgain(queue) {
    // The results of those that run again are left out of what the earlier ones of them see.
    const ignored = queue.filter((each) => each.state === RUN).map((each) => each.write)
    const endings = []
    for (const transaction of queue) {
      const ending = this.transactions.includes(transaction) && this.rerun(transaction, ignored)
      if (ending) endings.push([transaction, ending])
    }
    this.raise()
    for (const [{ watch }] of endings) this.inNextTurn(() => this.stopWatching(watch))
    for (const [{ done }, ending] of endings) this.complete(done, ...ending)
  }

  rerun(transaction, ignored) {
    const { path, write: old } = transaction
    if (transaction.state === SENT || transaction.state === OVERTAKEN) return undefined
    if (transaction.state === FAILED) return this.end(transaction, [transaction.error, false])
    if (transaction.attempts >= MOST_ATTEMPTS) return this.end(transaction, ['maxretry', false])
    const ending = this.run(transaction, this.input(path, ignored))
    if (ending) return this.end(transaction, ending)
    ignored.splice(ignored.indexOf(old), 1)
    const [id, events] = this.tree.write(path, [[path, transaction.estimate]], transaction.isShown)
    transaction.write = id
    this.queue.push(...events, ...this.tree.settle(old, REVERTED))
    return undefined
  }

  end(transaction, ending) {
    this.transactions = this.transactions.filter((each) => each !== transaction)
    this.queue.push(...this.tree.settle(transaction.write, REVERTED))
    return ending
  }

  /**
   * A set reached `path`: transactions above, at and below it that are not on their way end now,
   * and those that are unless the server accepts them. Returns the place from which transactions
   * that go on are to run again.
   */
  abortTransactions(path) {
    const start = this.outermostPlace(path)
    const places = distinct(this.transactions.map((each) => each.path))
    const related = places.filter((place) => areRelated(place, path))
    const above = related.filter((place) => place.length < path.length).reverse()
    const others = related.filter((place) => place.length >= path.length)
    for (const place of [...above, ...others]) this.abortTransactionsAt(place)
    return start
  }

  abortTransactionsAt(path) {
    const here = this.transactions.filter((each) => isSamePath(each.path, path))
    const ended = here.filter((each) => each.state === RUN || each.state === FAILED)
    for (const transaction of here) if (transaction.state === SENT) transaction.state = OVERTAKEN
    this.transactions = this.transactions.filter((each) => !ended.includes(each))
    const events = []
    for (const transaction of ended) {
      this.stopWatching(transaction.watch)
      events.push(...this.tree.settle(transaction.write, REVERTED))
    }
    this.raise(events)
    for (const transaction of ended) this.complete(transaction.done, 'set', false)
  }
}

/** The paths without repetitions, in the order of paths. */
function distinct(paths) {
  return [...new Map(paths.map((path) => [path.join('/'), path])).values()].sort(comparePaths)
}

function checkWrite(path, node) {
  if (path[0] === '.info') throw new Refusal('invalid_path')
  checkNode(node, path)
}

/** The names of an update are paths, and none may lie at or below another. */
function checkUpdate(path, parts) {
  parts.forEach(([below, node], index) => {
    if (!below.length) throw new Refusal('invalid_path')
    checkPart([...path, ...below], node)
    if (parts.slice(0, index).some(([other]) => areRelated(other, below))) {
      throw new Refusal('invalid_path')
    }
  })
  checkWrite(path, EMPTY)
}

/** One part of an update. A name may end in `.priority`; what it sets is the priority. */
function checkPart(place, node) {
  const isForPriority = place[place.length - 1] === '.priority'
  const owner = isForPriority ? place.slice(0, -1) : place
  if (isBadPath(owner)) throw new Refusal('invalid_path')
  if (isForPriority && node.children.size) throw new Refusal('invalid_value')
  checkWrite(owner, isForPriority ? new Node(true, undefined, node.scalar) : node)
}

module.exports = { Writing, checkUpdate, checkWrite, partsJSON }
