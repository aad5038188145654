internal import CZlib

/// Content codings: what `gzip` makes of bytes, and the other way round.
enum Compression {
  /// Why bytes could not be unpacked.
  enum Mistake: Error {
    case notGzip
    /// They would come to more than was allowed.
    case tooLong
  }

  /// 32 KiB of memory of what came before, and the head and the check of `gzip`.
  private static let window: Int32 = 15 + 16
  /// How much comes out at a time, in bytes.
  private static let pieceSize = 1 << 16

  /// Unpacks bytes, up to `limit` of them: hardly more are ever kept.
  static func unpacked(_ bytes: [UInt8], limit: Int) throws(Mistake) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, window, ZLIB_VERSION, size) == Z_OK else { throw .notGzip }
    defer { inflateEnd(&stream) }
    var result: [UInt8] = []
    // Packed bytes may be followed by others: all of them are one text (RFC 1952, 2.2).
    let status = run(&stream, bytes, into: &result, limit: limit) { stream in
      let status = inflate(&stream, Z_NO_FLUSH)
      return status == Z_STREAM_END && stream.avail_in > 0 ? inflateReset(&stream) : status
    }
    if result.count > limit { throw .tooLong }
    guard status == Z_STREAM_END, stream.avail_in == 0 else { throw .notGzip }
    return result
  }

  /// Packs bytes; `nil` where memory is missing.
  static func packed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    let begun = deflateInit2_(
      &stream, Z_BEST_SPEED, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    guard begun == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var result: [UInt8] = []
    let status = run(&stream, bytes, into: &result, limit: .max) { deflate(&$0, Z_FINISH) }
    return status == Z_STREAM_END ? result : nil
  }

  /// Lets a stream take all bytes, and collects what comes out, up to a little more than `limit`.
  private static func run(
    _ stream: inout z_stream, _ bytes: [UInt8], into result: inout [UInt8], limit: Int,
    _ step: (inout z_stream) -> Int32
  ) -> Int32 {
    var input = bytes
    var piece = [UInt8](repeating: 0, count: pieceSize)
    return input.withUnsafeMutableBufferPointer { input in
      piece.withUnsafeMutableBufferPointer { piece in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        var status = Z_OK
        repeat {
          stream.next_out = piece.baseAddress
          stream.avail_out = UInt32(piece.count)
          status = step(&stream)
          let count = piece.count - Int(stream.avail_out)
          result += piece[..<count]
          if count == 0, status == Z_OK, stream.avail_in == 0 { break }
        } while status == Z_OK && result.count <= limit
        return status
      }
    }
  }
}

extension HTTPRequest {
  /// The request with its body unpacked, as `Content-Encoding` says.
  ///
  /// - Throws: `Refused`: 415 for a coding that is not known, 413 for a body that is too long when
  ///   it is unpacked, 400 for one that is not packed so.
  mutating func unpack(_ coding: String?, limit: Int) throws(Refused) {
    switch coding?.lowercased() {
    case nil, "", "identity": return
    case "gzip", "x-gzip":
      do throws(Compression.Mistake) {
        body = try Compression.unpacked(body, limit: limit)
      } catch {
        switch error {
        case .notGzip:
          throw Refused(400, "the body is not gzip, and Content-Encoding says that it is")
        case .tooLong: throw HeadFields.tooLong(limit)
        }
      }
    case let other?:
      var response = HTTPResponse.error(
        415, "this server knows no content coding \(other); it knows gzip and identity")
      response.headers.append(.init("Accept-Encoding", "gzip, identity"))
      throw Refused(response)
    }
  }

  /// Whether the client takes answers that are packed.
  private var takesGzip: Bool {
    (headers["accept-encoding"] ?? "").lowercased().split(separator: ",").contains { part in
      let words = part.split(separator: ";").map(\.trimmed)
      let isRefused = words.dropFirst().contains {
        ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0)
      }
      return !isRefused && (words.first == "gzip" || words.first == "*")
    }
  }

  /// The answer as this client is sent it: packed, where the client allows that, and packing makes
  /// it shorter without delaying others.
  public func coded(_ response: HTTPResponse) -> HTTPResponse {
    guard takesGzip, HTTPResponse.packedSizes.contains(response.body.count),
      response.header("Content-Encoding") == nil,
      let packed = Compression.packed(response.body), packed.count < response.body.count
    else { return response }
    var response = response
    response.body = packed
    response.headers += [.init("Content-Encoding", "gzip"), .init("Vary", "Accept-Encoding")]
    return response
  }
}

extension HTTPResponse {
  /// How long bodies are that are packed, in bytes: short ones gain nothing, and packing long ones
  /// delays every other client.
  static let packedSizes = 1 << 10...4 << 20
}
