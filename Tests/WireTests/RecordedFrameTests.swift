import Testing
import Tree
import Wire

@Suite struct RecordedFrameTests {
  @Test(arguments: [
    ("wilddog-js-2.0.0", Dialect.wilddog, 790), ("firebase-js-12.18", Dialect.firebase, 732),
  ])
  func `recorded frames are written as they were read`(
    client: String, dialect: Dialect, count: Int
  ) throws {
    let frames = try recordedFrames(of: client)
    let differences = try frames.filter { sender, frame in
      try rewritten(frame.text, from: sender, in: dialect) != withDataInKeyOrder(frame).text
    }

    #expect(frames.count == count)
    #expect(differences.map(\.frame.text) == [])
  }

  /// Applications hand data over in any order, which is the one thing that is not kept.
  private func withDataInKeyOrder(_ json: JSON, isData: Bool = false) -> JSON {
    guard var members = json.members else { return json }
    if isData {
      members.sort { a, b in
        if a.name == ".priority" || b.name == ".priority" { return b.name == ".priority" }
        return Key(a.name) < Key(b.name)
      }
    }
    let isUpdate = json["a"].map { $0 == "m" || $0 == "om" } ?? false
    return .object(
      members.map { member in
        var value = member.value
        if isUpdate, member.name == "b", let data = value["d"]?.members {
          let sorted = data.map { JSON.Member($0.name, withDataInKeyOrder($0.value, isData: true)) }
          value = value.replacing("d", with: .object(sorted))
        } else {
          let isPut = json["p"] != nil && member.name == "d"
          value = withDataInKeyOrder(value, isData: isData || isPut)
        }
        return .init(member.name, value)
      })
  }
}

extension JSON {
  fileprivate func replacing(_ name: String, with value: JSON) -> JSON {
    .object((members ?? []).map { $0.name == name ? .init(name, value) : $0 })
  }
}
