'use strict'
// Firebase up to version 2.
const { makeLegacy } = require('./legacy')

module.exports = makeLegacy('Firebase', 'kennel.firebaseio.com')
