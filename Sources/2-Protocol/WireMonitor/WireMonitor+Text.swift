public import ClientInterface
public import Document
public import Tree
public import Wire

// Messages as they are written.

extension WireMonitor {
  /// What is wrong with how a message is written, whatever it says. What a message says is judged
  /// by `sent` and `received`.
  public static func judgeShape(
    of message: JSON, by sender: WireError.Sender, in dialect: Dialect
  ) -> [WireFinding] {
    MessageShape.findings(in: message, by: sender, dialect)
  }

  /// The first thing that is wrong with how a client writes a message, notes apart.
  public static func mistake(inSent message: JSON) -> WireFinding? {
    MessageShape.findings(in: message, by: .client, .firebase).first { !$0.isNote }
  }

  /// What is wrong with a message that is no JSON.
  public func judge(
    unreadable text: String, _ error: DocumentError, by sender: WireError.Sender
  )
    -> [WireFinding]
  {
    [
      WireFinding(
        .json, by: sender,
        "a message is no JSON, at \(error); found in \(MessageShape.quoted(text))")
    ]
  }

  /// Takes a message of the client as it is written. One that cannot be understood is only judged
  /// by its form; what follows is judged as if it had not been sent, but for its number.
  public mutating func sent(_ json: JSON, at now: Instant) -> [WireFinding] {
    var findings = Self.judgeShape(of: json, by: .client, in: dialect)
    do throws(WireError) {
      findings.add(sent(try ClientMessage(json: json), at: now))
    } catch {
      if let number = json["d"]?["r"]?.integer, let action = json["d"]?["a"]?.string {
        findings.add(asked(action, number, at: now))
      }
      findings.addReason(error)
    }
    return findings
  }

  /// Takes a message of the server as it is written.
  public mutating func received(_ json: JSON, at now: Instant) -> [WireFinding] {
    var findings = Self.judgeShape(of: json, by: .server, in: dialect)
    do throws(WireError) {
      findings.add(received(try ServerMessage(json: json), at: now))
    } catch {
      findings.addReason(error)
    }
    return findings
  }
}

extension [WireFinding] {
  /// Adds why a message was not understood, unless it follows from what was found.
  fileprivate mutating func addReason(_ error: WireError) {
    if contains(where: { !$0.isNote }) { return }
    append(
      WireFinding(
        .shape, by: error.sender,
        "\(error.reason); found in \(MessageShape.quoted(error.received))"))
  }
}
