'use strict'
// What a mini program of WeChat has in place of a browser: `wx`, with one socket and a storage.

/** `storage` keeps texts; `WebSocket` is that of the host. */
function makeWeChat(WebSocket, storage) {
  let socket
  const handlers = {}
  const tell = (name, detail = {}) => handlers[name] && handlers[name](detail)
  return {
    connectSocket({ url }) {
      socket = new WebSocket(url)
      socket.onopen = () => tell('open')
      socket.onmessage = ({ data }) => tell('message', { data })
      socket.onclose = () => tell('close')
      socket.onerror = ({ message }) => tell('error', { message })
    },
    onSocketOpen(handler) { handlers.open = handler },
    onSocketMessage(handler) { handlers.message = handler },
    onSocketClose(handler) { handlers.close = handler },
    onSocketError(handler) { handlers.error = handler },
    sendSocketMessage({ data }) { socket.send(data) },
    closeSocket() { socket.close() },
    getStorageSync: (key) => storage.getItem(key) ?? '',
    setStorageSync: (key, value) => storage.setItem(key, value),
    removeStorageSync: (key) => storage.removeItem(key),
    request({ fail }) { if (fail) fail({ errMsg: 'request:fail' }) },
    login() {},
    getUserInfo() {},
  }
}

module.exports = { makeWeChat }
