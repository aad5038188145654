import Document
import TestKit
import Testing
import Tree
import Wire

/// The text of a message, read from `text` and written again.
func rewritten(_ text: String, from sender: WireError.Sender, in dialect: Dialect) throws -> String
{
  let json = try JSON(parsing: text)
  return switch sender {
  case .client: try ClientMessage(json: json).json(in: dialect).text
  case .server: try ServerMessage(json: json).json(in: dialect).text
  }
}

/// What the reader says about a message, without the message.
func complaint(_ text: String, from sender: WireError.Sender) throws -> String? {
  do {
    _ = try rewritten(text, from: sender, in: .firebase)
    return nil
  } catch let error as WireError {
    #if DEBUG
    precondition(error.sender == sender)
    #endif
    return error.reason
  }
}

/// Every frame of the recordings, with who sent it.
func recordedFrames(of client: String) throws -> [(sender: WireError.Sender, frame: JSON)] {
  let folder = "Tests/RecordingsTests/Recordings/\(client)"
  var frames: [(sender: WireError.Sender, frame: JSON)] = []
  for file in try SourceTree.files(below: folder, ending: ["jsonl"]) {
    for line in try SourceTree.text(of: file).split(separator: "\n") {
      let json = try JSON(parsing: String(line))
      if let frame = json["in"]?["frame"] { frames.append((.server, frame)) }
      if let frame = json["out"]?["send"] { frames.append((.client, frame)) }
    }
  }
  return frames
}
