'use strict'
// Several messages of the server in one request, which only adapters with the capability `frames` get.

/**
 * The request itself, or one for each of its messages, until the client closes their connection.
 *
 * What a part causes is written before the next one is asked for: `written()` is the text so far.
 */
function* partsOf({ frames, ...request }, written, emit) {
  if (!frames) yield request
  let start = 0
  for (const [index, frame] of (frames || []).entries()) {
    if (index) {
      if (/^{"disconnect"/m.test(written().slice(start))) return
      emit('next', {})
    }
    start = written().length
    yield { ...request, frame }
  }
}

module.exports = { partsOf }
