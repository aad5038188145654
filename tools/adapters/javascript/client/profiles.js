'use strict'

/** What differs between the families of clients. */
const PROFILES = {
  'wilddog-1': {
    isRootOwnParent: true, statsAlways: true, sparseArrays: true, staysWithinKind: true,
    keptWritesWait: true, indexesFirst: true,
  },
  'wilddog-2': { statsAlways: true, keptWritesWait: true, indexesFirst: true },
  firebase: { lateCompletions: true, namedAborts: true, statesInclusion: true },
}

module.exports = { PROFILES }
