'use strict'
// What SDKs throw and hand over, as the codes of the kit.

/** The numbers that Wilddog's documents give to errors. */
const NUMBERS = {
  26001: 'failure', 26002: 'busy', 26003: 'unavailable', 26101: 'permission_denied',
  26104: 'too_big', 26105: 'too_big', 26106: 'invalid_path', 26201: 'datastale',
  26202: 'usercode', 26203: 'maxretry', 26204: 'set', 26801: 'expired_token',
  26802: 'invalid_token',
}

/** Why a call failed: `permission_denied` for `PERMISSION_DENIED: ...` and its like. */
function codeOf(error) {
  if (!error) return null
  if (NUMBERS[error.code]) return NUMBERS[error.code]
  const text = typeof error.code === 'string' ? error.code : String(error.message || error)
  const word = text.replace(/^\w+\//, '').split(/:| at /)[0].trim().toLowerCase().replace(/[\s-]+/g, '_')
  return { overriddenbyset: 'set', maxretries: 'maxretry', disconnected: 'disconnect' }[word] || word
}

/** Why a call was refused at once, by what it was doing and what was said. */
function codeOfRefusal(error, stage) {
  const text = String((error && error.message) || error)
  if (stage === 'answer') return 'failure'
  if (stage === 'path') return 'invalid_path'
  if (stage === 'address') return 'invalid_url'
  if (stage === 'query') return /invalid path|path argument/i.test(text) ? 'invalid_path' : 'invalid_query'
  // Where something is too deep or too long, what is said of it also names the property.
  if (/maximum depth|key path longer|too (deep|long)|invalid key .* in path|\/\.info/i.test(text)) return 'invalid_path'
  if (/invalid key|in property|priority|NaN|Infinity|undefined|function|\.value/i.test(text)) {
    return 'invalid_value'
  }
  if (/internal (error|assert)/i.test(text)) return 'failure'
  return /path|\.info|ancestor/i.test(text) ? 'invalid_path' : 'invalid_value'
}

/** What the SDK does not have: refused as such, and not as a wrong argument. */
const notSupported = (what) => Object.assign(new Error(`${what} is not known here`), { isNotSupported: true })

module.exports = { codeOf, codeOfRefusal, notSupported }
