'use strict'
// The interface before Firebase 3 and Wilddog 2: `new Firebase(address)` and `new Wilddog(address)`, each of
// which is a reference.

const { UsageError } = require('../options')
const { Application, CAPABILITIES, LACKS } = require('./application')
const { Namespaced } = require('./namespaced')

/** The SDK talks only to hosts of its maker. */
const HOSTS = { Firebase: 'kennel.firebaseio.com', Wilddog: 'kennel.wilddogio.com' }

function start(client) {
  const name = Object.keys(HOSTS).find((each) => client.sdk.find(each))
  const Reference = client.sdk.find(name) || client.sdk.exported.find((each) => typeof each === 'function')
  if (!Reference) throw new UsageError('the SDK has no Firebase and no Wilddog to be called with new')
  if (!client.options.host) client.options.host = HOSTS[name] || HOSTS.Firebase
  const root = new Reference(`https://${client.options.host}`)
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

module.exports = { capabilities: CAPABILITIES, lacks, start }
