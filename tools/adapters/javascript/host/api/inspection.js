'use strict'
// Questions that an SDK answers at once: about references, snapshots and queries that are built.

const { notSupported } = require('./errors')

/** What is a function in some editions and a property in others. */
const read = (object, name) => (typeof object[name] === 'function' ? object[name]() : object[name])

/** The place that a reference names, `/a/b`. */
function pathOf(ref) {
  const keys = new URL(ref.toString()).pathname.split('/').filter(Boolean)
  return '/' + keys.map(decodeURIComponent).join('/')
}

const refused = (code) => Object.assign(new Error(code), { kennelCode: code })

const SNAPSHOT = {
  value: (s) => s.val() ?? null,
  export: (s) => (s.exportVal ? s.exportVal() : s.val()) ?? null,
  exists: (s) => (s.exists ? s.exists() : s.val() !== null),
  key: (s) => read(s, 'key') ?? null,
  priority: (s) => (s.getPriority ? s.getPriority() : s.priority) ?? null,
  ref: (s) => pathOf(read(s, 'ref')),
  hasChild: (s, path) => s.hasChild(path),
  hasChildren: (s) => s.hasChildren(),
  childrenCount: (s) => (typeof s.numChildren === 'function' ? s.numChildren() : s.size),
  children(s, question = 'key') {
    const answers = []
    s.forEach((child) => {
      answers.push(SNAPSHOT[question](child))
    })
    return answers
  },
}

/** The answer to a question that is data. */
function answerOf(application, c) {
  const { driver } = application
  if ('snapshot' in c || 'completion' in c) return aboutSnapshot(application, c)
  if ('mutable' in c) throw notSupported('mutable data')
  const ref = 'url' in c ? refOfAddress(application, c.url) : application.ref(c)
  if ('query' in c) {
    const build = (further) =>
      application.at('query', () => driver.query(ref, [...c.query, ...further]))
    const query = build([])
    if (c.ask === 'ref') return pathOf(read(query, 'ref'))
    for (const condition of c.with || []) build([condition])
    return true
  }
  const part = c.of ? application.at('path', () => driver.child(ref, c.of)) : ref
  return aboutReference(application, part, c)
}

function aboutSnapshot(application, c) {
  const handed = application.snapshots.get(c.snapshot || c.completion) || []
  const snapshot = handed[(c.nth || handed.length) - 1]
  if (!snapshot) throw refused('no_snapshot')
  const part = c.of ? application.at('path', () => snapshot.child(c.of)) : snapshot
  if (!SNAPSHOT[c.ask]) throw notSupported(c.ask)
  application.stage = c.ask === 'hasChild' ? 'path' : 'answer'
  return SNAPSHOT[c.ask](part, c.with)
}

/** References belong to the host that the SDK knows; the kit knows another one. */
function refOfAddress(application, address) {
  const { opening, connections } = application.client
  const known = address.replace(/^(https?:\/\/)([^/]+)/, (all, scheme, host) =>
    scheme + (host.toLowerCase() === opening.host ? connections.knownHost : host))
  const isOwn = known.includes(`//${connections.knownHost}`)
  if (!isOwn) throw refused('invalid_url')
  return application.at('address', () => application.driver.refFromURL(known))
}

function aboutReference(application, ref, { ask, with: argument }) {
  const { driver, client } = application
  const address = (each) =>
    each.toString().replace(/^(https?:\/\/)[^/]+/, `$1${client.opening.host}`)
      .replace(/^(https?:\/\/[^/]+)$/, '$1/')
  const parent = ask === 'parent' ? read(ref, 'parent') : undefined
  application.stage = 'path'
  switch (ask) {
    case 'key': return read(ref, 'key') ?? null
    case 'parent': return parent ? pathOf(parent) : null
    case 'root': return pathOf(read(ref, 'root'))
    case 'child': return pathOf(driver.child(ref, argument))
    case 'equals': return pathOf(ref) === pathOf(driver.ref(argument))
    case 'url': case 'description': return address(ref)
    default: throw notSupported(ask)
  }
}

module.exports = { answerOf }
