'use strict'
// Addresses of databases, as editions of Firebase want them.

/** Firebase wants to know which database of a host is meant where its name does not say so: `kennel`. */
function withNamespace(address) {
  const { host, search } = new URL(address)
  return search || host.split('.').length > 2 ? address : `${address}?ns=kennel`
}

/** Where the database of a client is. */
const databaseAddress = ({ options, opening }) => withNamespace(`https://${options.host || opening.host}/`)

module.exports = { databaseAddress, withNamespace }
