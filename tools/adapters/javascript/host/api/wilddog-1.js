'use strict'
// Wilddog up to version 1.
const { makeLegacy } = require('./legacy')

module.exports = { ...makeLegacy('Wilddog', 'kennel.wilddogio.com'), polls: true }
