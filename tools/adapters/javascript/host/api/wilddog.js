'use strict'
// Wilddog Sync 2: `wilddog.initializeApp({syncURL})` and `wilddog.sync()`.

const { UsageError } = require('../options')
const { Application, CAPABILITIES, LACKS } = require('./application')
const { Namespaced } = require('./namespaced')

/** The SDK talks only to hosts of its maker. */
const host = 'kennel.wilddogio.com'

function start(client) {
  const wilddog = client.sdk.find('wilddog') || client.sdk.exported.find(isWilddog)
  if (!isWilddog(wilddog)) {
    throw new UsageError('the SDK has no wilddog.initializeApp; is it Wilddog Sync 2?')
  }
  const syncURL = `https://${client.options.host || host}`
  const app = wilddog.initializeApp(client.realm.value({ syncURL, authDomain: host }))
  client.authentication.listeners.push((token) => {
    app.emit('authStateChanged', client.realm.value({ signIn: token !== null, idToken: token }))
  })
  const holder = typeof wilddog.sync === 'function' ? wilddog : app
  return new Application(client, new Namespaced(holder.sync()))
}

const isWilddog = (value) => Boolean(value) && typeof value.initializeApp === 'function'

const lacks = [
  ...LACKS, 'address', 'query.exclusive-bounds', 'server-values.increment', 'unlisten.once',
]

module.exports = { capabilities: CAPABILITIES, lacks, host, polls: true, start }
