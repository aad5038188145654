'use strict'
// The interface before Firebase 3 and Wilddog 2: `new Firebase(address)` and `new Wilddog(address)`, each of
// which is a reference.

const { UsageError } = require('../options')
const { Application, CAPABILITIES, LACKS } = require('./application')
const { Namespaced } = require('./namespaced')

/** What starts an SDK that is called `name`, and talks only to hosts of its maker. */
const starting = (name, host) => (client) => {
  const Reference = client.sdk.find(name) || client.sdk.exported.find((each) => typeof each === 'function')
  if (!Reference) throw new UsageError(`the SDK has no ${name} to be called with new`)
  const root = new Reference(`https://${client.options.host || host}`)
  client.authentication.listen((token) => {
    if (token === null) root.unauth()
    else root.authWithCustomToken(token, () => {})
  })
  return new Application(client, new Namespaced({
    ref: (path) => (path === undefined ? root : root.child(path)),
    refFromURL: (address) => new Reference(address),
    goOffline: () => Reference.goOffline(),
    goOnline: () => Reference.goOnline(),
  }))
}

const lacks = [...LACKS, 'server-values.increment']

const makeLegacy = (name, host) => ({ capabilities: CAPABILITIES, lacks, host, start: starting(name, host) })

module.exports = { makeLegacy }
