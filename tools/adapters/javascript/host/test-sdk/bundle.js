#!/usr/bin/env node
'use strict'
// Puts the test SDK into one file, as SDKs are shipped to browsers: node bundle.js FORM SOCKET.
//
// FORM is `script` (one that makes a global variable, or exports where that is possible) or `module`
// (an ES module that exports each function); SOCKET is `websocket`, `engine` or `polling`.

const fs = require('fs')
const path = require('path')

const client = path.join(__dirname, '../../client')

/** What of Node the client needs, for browsers: SHA-1 and the bytes of texts and numbers. */
const SHIMS = `
const bytesOf = (text) => new TextEncoder().encode(text)
const Buffer = {
  byteLength: (text) => bytesOf(text).length,
  alloc: () => {
    const view = new DataView(new ArrayBuffer(8))
    const hex = (byte) => byte.toString(16).padStart(2, '0')
    return {
      writeDoubleBE: (number) => view.setFloat64(0, number),
      toString: () => [...new Uint8Array(view.buffer)].map(hex).join(''),
    }
  },
}
function sha1(bytes) {
  const words = []
  const length = ((bytes.length + 8) >> 6) * 16 + 16
  for (let i = 0; i < length; i++) words[i] = 0
  for (let i = 0; i <= bytes.length; i++) {
    words[i >> 2] |= (i < bytes.length ? bytes[i] : 128) << (24 - (i % 4) * 8)
  }
  words[length - 1] = bytes.length * 8
  const turn = (x, n) => (x << n) | (x >>> (32 - n))
  let h = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  for (let at = 0; at < length; at += 16) {
    const w = words.slice(at, at + 16)
    let [a, b, c, d, e] = h
    for (let i = 0; i < 80; i++) {
      if (i > 15) w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1)
      const f = i < 20 ? ((b & c) | (~b & d)) + 0x5a827999 : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
        : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6
      ;[a, b, c, d, e] = [(turn(a, 5) + f + e + w[i]) | 0, a, turn(b, 30), c, d]
    }
    h = [h[0] + a, h[1] + b, h[2] + c, h[3] + d, h[4] + e].map((x) => x | 0)
  }
  return h.flatMap((x) => [x >>> 24, (x >> 16) & 255, (x >> 8) & 255, x & 255])
}
const crypto = {
  createHash: () => ({
    update: (text) => ({ digest: () => btoa(String.fromCharCode(...sha1(bytesOf(text)))) }),
  }),
}
`

const SOCKETS = {
  websocket: "__require('core').overWebSocket(WebSocket)",
  engine: "__require('core').overEngineSocket(WebSocket)",
  polling: "__require('core').overPolling(XMLHttpRequest)",
}

/** Each module as a function, and what finds them by the last part of their names. */
function bundled(files) {
  const modules = files.map((file) => {
    const name = file === path.join(client, 'index.js') ? 'client' : path.basename(file, '.js')
    return `${JSON.stringify(name)}: function (require, module, exports) {\n${fs.readFileSync(file, 'utf8')}\n}`
  })
  return `${SHIMS}
const __made = { crypto: { exports: crypto } }
const __modules = {${modules.join(',\n')}}
function __require(name) {
  name = name.split('/').pop()
  if (!__made[name]) {
    const module = __made[name] = { exports: {} }
    __modules[name](__require, module, module.exports)
  }
  return __made[name].exports
}`
}

function bundle(form, socket) {
  const files = fs.readdirSync(client).map((name) => path.join(client, name))
  files.push(...['core', 'wilddog', 'firebase'].map((name) => path.join(__dirname, `${name}.js`)))
  const text = bundled(files)
  if (form === 'module') {
    const { makeFirebase } = require('./firebase')
    const names = Object.keys(makeFirebase())
    const values = `const {${names.map((name) => `${name}:_${name}`)}}=__require('firebase').makeFirebase(${SOCKETS[socket]});`
    return `${text}\n${values}export{${names.map((name) => `_${name} as ${name}`)}};\n`
  }
  return `!function(e){"object"==typeof exports&&"undefined"!=typeof module?module.exports=e():`
    + `"function"==typeof define&&define.amd?define([],e):`
    + `("undefined"!=typeof window?window:self).wilddog=e()}(function(){"use strict";\n${text}\n`
    + `return __require('wilddog').makeWilddog(${SOCKETS[socket]})});\n`
}

process.stdout.write(bundle(process.argv[2], process.argv[3]))
