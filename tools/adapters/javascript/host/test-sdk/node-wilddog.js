'use strict'
// An SDK for Node: it requires its socket.
const { overEngine } = require('./core')
const { makeWilddog } = require('./wilddog')

module.exports = makeWilddog(overEngine(require('engine.io-client')))
