import Glibc
import LiveServer

/// Who may use a server that other machines can reach: a client that names its token.
///
/// The SDKs send nothing that an application could choose but the namespace. So the token is part of
/// it: `ns=TOKEN`, or `ns=NAME.TOKEN`.
struct LANAccess {
  /// Another one for each start.
  let token: String

  /// The request as this machine would make it; nil for one without the token.
  func admitted(_ request: HTTPRequest) -> HTTPRequest? {
    guard let name = request.arguments.last(where: { $0.name == "ns" })?.value else { return nil }
    var request = request
    if name == token {
      request.arguments.removeAll { $0.name == "ns" }
      return request
    }
    guard name.hasSuffix("." + token) else { return nil }
    let own = String(name.dropLast(token.count + 1))
    request.arguments = request.arguments.map { $0.name == "ns" ? .init("ns", own) : $0 }
    return request
  }

  /// The answer to a request without the token.
  static let refusal = HTTPResponse.error(
    403, "a request from another machine names the token: ns=TOKEN or ns=NAME.TOKEN"
  ).open

  /// Whether a connection comes from another machine.
  static func isRemote(_ descriptor: Int32) -> Bool {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(descriptor, $0, &length)
      }
    }
    // What cannot be asked any more is not served.
    guard status == 0 else { return true }
    return !address.isLoopback
  }

  /// The addresses of this machine in its networks, as texts, sorted.
  static func ownAddresses() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [String] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else {
        continue
      }
      let text = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        dotted($0.pointee.sin_addr.s_addr)
      }
      if !text.hasPrefix("127.") { found.append(text) }
    }
    return found.sorted()
  }

  private static func dotted(_ address: UInt32) -> String {
    let bytes = UInt32(bigEndian: address)
    return [24, 16, 8, 0].map { String(bytes >> UInt32($0) & 255) }.joined(separator: ".")
  }
}

extension sockaddr_storage {
  fileprivate var isLoopback: Bool {
    var copy = self
    return withUnsafeBytes(of: &copy) { bytes in
      switch Int32(ss_family) {
      case AF_INET: bytes[4] == 127
      // Those of IPv4 in the form of IPv6 too.
      case AF_INET6:
        bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
          || bytes[8..<18].allSatisfy { $0 == 0 } && bytes[18] == 255 && bytes[20] == 127
      default: true
      }
    }
  }
}
