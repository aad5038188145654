'use strict'
// Firebase up to version 8, and the compat editions after it: `firebase.initializeApp(...)` and
// `firebase.database()`.

const { UsageError } = require('../options')
const { databaseAddress } = require('./addresses')
const { Application, CAPABILITIES, LACKS } = require('./application')
const { Namespaced } = require('./namespaced')

const isFirebase = (value) => Boolean(value) && typeof value.initializeApp === 'function'

function start(client) {
  const all = client.sdk.exported.flatMap((each) => [each, each && each.default])
  const firebase = client.sdk.find('firebase') || all.find(isFirebase)
  if (!isFirebase(firebase)) {
    throw new UsageError('the SDK has no firebase.initializeApp; name its app file first')
  }
  let database
  try {
    database = open(client, firebase, 'kennel')
  } catch (error) {
    if (!/firebaseio\.com/.test(error.message) || client.options.host) throw error
    client.options.host = HOST
    database = open(client, firebase, 'kennel again')
  }
  const { ServerValue } = firebase.database || {}
  const hasIncrement = !ServerValue || typeof ServerValue.increment === 'function'
  const driver = new Namespaced(database)
  driver.increments = hasIncrement ? [] : ['server-values.increment']
  return new Application(client, driver)
}

/** Old editions talk only to hosts of their maker. */
const HOST = 'kennel.firebaseio.com'

function open(client, firebase, name) {
  const configuration = { databaseURL: databaseAddress(client), appId: 'kennel', projectId: 'kennel' }
  const app = firebase.initializeApp(client.realm.value({ ...configuration, apiKey: 'kennel' }), name)
  client.authentication.provide(app)
  return typeof firebase.database === 'function' ? firebase.database(app) : app.database()
}

module.exports = { capabilities: [...CAPABILITIES, 'get'], lacks: LACKS, start }
