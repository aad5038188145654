internal import Document
internal import Tree

/// The packets of engine.io that carry packets of socket.io that carry messages.
package enum Packet {
  /// A packet of socket.io that reports that the connection is open.
  package static let connected = "40"
  package static let close = "1"
  package static let nothing = "6"
  /// The name of the only event.
  private static let event = "wd"

  /// The packet with a message, whose text is JSON.
  package static func message(_ text: String) -> String { "42[\"\(event)\",\(text)]" }

  /// What a packet of socket.io from a client means.
  package enum Content {
    case message(String)
    /// The client has nothing to say, or it says goodbye in words that are not needed.
    case ignored
    case mistake(String)
  }

  /// Reads a packet of socket.io: the text of an engine.io message.
  package static func content(of text: Substring, limit: Int) -> Content {
    guard text.first == "2" else {
      return text.first == "0" || text.first == "1"
        ? .ignored : .mistake("a packet begins with \"\(text.prefix(1))\"; events begin with 2")
    }
    let bytes = Array(text.drop { $0.isASCII && $0.isNumber }.utf8)
    guard let json = try? JSON(parsing: bytes, upTo: limit), let elements = json.elements,
      elements.count == 2, elements[0].string == event
    else { return .mistake("an event is no [\"\(event)\", MESSAGE]") }
    return .message(elements[1].text)
  }
}

/// The bodies in which packets are fetched and posted: several in one.
package enum Payload {
  /// The body of an answer: the length of each packet, and the packet.
  ///
  /// Implementations count bytes, UTF-16 units or characters; with everything beyond ASCII escaped,
  /// which JSON allows, all of them count the same.
  package static func encode(_ packets: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for packet in packets {
      let escaped = ascii(packet)
      bytes += Array("\(escaped.count):".utf8)
      bytes += escaped
    }
    return bytes
  }

  private static func ascii(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for unit in text.utf16 {
      if unit < 128 {
        bytes.append(UInt8(unit))
      } else {
        bytes += Array("\\u\(hexadecimal(unit, digits: 4))".utf8)
      }
    }
    return bytes
  }

  /// Reads the body of a request, in the form for text or in that for bytes; `nil` when it is none,
  /// and when it has more packets than are allowed.
  package static func decode(_ body: [UInt8], upTo most: Int) -> [String]? {
    guard let first = body.first else { return [] }
    return first <= 1 ? decodeBinary(body[...], most) : decodeText(body, most)
  }

  /// `\0` or `\1`, the length as digits of a byte each, `\255`, and as many bytes.
  private static func decodeBinary(_ body: ArraySlice<UInt8>, _ most: Int) -> [String]? {
    var rest = body
    var packets: [String] = []
    while let kind = rest.popFirst() {
      var length = 0
      guard kind == 0, let end = rest.firstIndex(of: 255), end - rest.startIndex <= 9 else {
        return nil
      }
      for digit in rest[..<end] {
        guard digit <= 9 else { return nil }
        length = length * 10 + Int(digit)
      }
      rest = rest[(end + 1)...]
      guard length <= rest.count, packets.count < most,
        let text = String(validating: rest.prefix(length), as: UTF8.self)
      else { return nil }
      packets.append(text)
      rest = rest.dropFirst(length)
    }
    return packets
  }

  /// `LENGTH:PACKET`, the length in UTF-16 units.
  private static func decodeText(_ body: [UInt8], _ most: Int) -> [String]? {
    guard let text = String(validating: body, as: UTF8.self) else { return nil }
    var rest = Array(text.utf16)[...]
    var packets: [String] = []
    while !rest.isEmpty {
      guard let colon = rest.prefix(10).firstIndex(of: 58),
        let length = Int(String(decoding: rest[..<colon], as: UTF16.self)), length >= 0
      else { return nil }
      rest = rest[(colon + 1)...]
      guard length <= rest.count, packets.count < most else { return nil }
      packets.append(String(decoding: rest.prefix(length), as: UTF16.self))
      rest = rest.dropFirst(length)
    }
    return packets
  }
}
