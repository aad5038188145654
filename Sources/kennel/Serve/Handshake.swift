import CWebsockets
import LiveServer

/// Reads what libwebsockets has parsed of the head of a request.
struct Handshake {
  let connection: OpaquePointer

  private static let methods: [(token: lws_token_indexes, name: String)] = [
    (WSI_TOKEN_GET_URI, "GET"), (WSI_TOKEN_POST_URI, "POST"), (WSI_TOKEN_PUT_URI, "PUT"),
    (WSI_TOKEN_PATCH_URI, "PATCH"), (WSI_TOKEN_DELETE_URI, "DELETE"),
    (WSI_TOKEN_OPTIONS_URI, "OPTIONS"), (WSI_TOKEN_HEAD_URI, "HEAD"),
  ]

  /// The headers that libwebsockets has numbers for; it finds others by their names.
  private static let known: [String: lws_token_indexes] = [
    "accept": WSI_TOKEN_HTTP_ACCEPT, "authorization": WSI_TOKEN_HTTP_AUTHORIZATION,
    "content-type": WSI_TOKEN_HTTP_CONTENT_TYPE, "host": WSI_TOKEN_HOST,
    "if-match": WSI_TOKEN_HTTP_IF_MATCH, "if-none-match": WSI_TOKEN_HTTP_IF_NONE_MATCH,
    "origin": WSI_TOKEN_ORIGIN,
  ]

  /// How many arguments are looked at.
  private static let mostArguments: Int32 = 32

  /// The request, without its body.
  var request: HTTPRequest {
    var request = HTTPRequest("GET", "/")
    for (token, name) in Self.methods {
      if let path = text(token) {
        request.method = name
        request.path = path
        break
      }
    }
    // An empty one, between two ampersands, looks like the end of the list.
    request.arguments = (0..<Self.mostArguments).compactMap { index in
      fragment(index).map { HTTPRequest.Argument($0) }
    }
    for name in HTTPRequest.headersOfInterest {
      request.headers[name] = Self.known[name].flatMap(text) ?? custom(name)
    }
    return request
  }

  /// The length of the body; `nil` when the head does not state one.
  var bodyLength: Int? { text(WSI_TOKEN_HTTP_CONTENT_LENGTH).flatMap { Int($0) } }

  private func text(_ token: lws_token_indexes) -> String? {
    let length = lws_hdr_total_length(connection, token)
    guard length > 0 else { return nil }
    return copy(length) { lws_hdr_copy(connection, $0, $1, token) }
  }

  private func fragment(_ index: Int32) -> String? {
    let length = lws_hdr_fragment_length(connection, WSI_TOKEN_HTTP_URI_ARGS, index)
    guard length > 0 else { return nil }
    return copy(length) {
      lws_hdr_copy_fragment(connection, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, index)
    }
  }

  private func custom(_ name: String) -> String? {
    let length = lws_hdr_custom_length(connection, name + ":", Int32(name.utf8.count + 1))
    guard length > 0 else { return nil }
    return copy(length) {
      lws_hdr_custom_copy(connection, $0, $1, name + ":", Int32(name.utf8.count + 1))
    }
  }

  private func copy(
    _ length: Int32, _ body: (UnsafeMutablePointer<CChar>, Int32) -> Int32
  ) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(length) + 2)
    let count = buffer.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { body($0, Int32(buffer.count)) } ?? -1
    }
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
