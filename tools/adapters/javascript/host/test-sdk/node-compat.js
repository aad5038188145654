'use strict'
// A namespaced SDK for Node, as its packages export it.
const { overWebSocket } = require('./core')
const { makeWilddog } = require('./wilddog')
const WebSocket = require('ws')

const { initializeApp, sync } = makeWilddog(overWebSocket(WebSocket), 'firebase')

exports.default = { initializeApp, database: sync }
