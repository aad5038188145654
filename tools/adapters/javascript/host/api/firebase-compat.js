'use strict'
// Firebase up to version 8, and the compat editions after it: `firebase.initializeApp(...)` and
// `firebase.database()`.

const { UsageError } = require('../options')
const { Application, CAPABILITIES, LACKS, databaseAddress } = require('./application')
const { Namespaced } = require('./namespaced')

const isFirebase = (value) => Boolean(value) && typeof value.initializeApp === 'function'

function start(client) {
  const all = client.sdk.exported.flatMap((each) => [each, each && each.default])
  const firebase = client.sdk.find('firebase') || all.find(isFirebase)
  if (!isFirebase(firebase)) {
    throw new UsageError('the SDK has no firebase.initializeApp; name its app file first')
  }
  const configuration = { databaseURL: databaseAddress(client), appId: 'kennel', projectId: 'kennel' }
  const app = firebase.initializeApp(client.realm.value({ ...configuration, apiKey: 'kennel' }))
  client.authentication.provide(app)
  const database = typeof firebase.database === 'function' ? firebase.database(app) : app.database()
  return new Application(client, new Namespaced(database))
}

module.exports = { capabilities: [...CAPABILITIES, 'get'], lacks: LACKS, start }
