import Scenario
import Testing
import Tree

@testable import Hunting

@Suite struct HuntSettingsTests {
  @Test func `settings are read as they are written`() {
    var settings = HuntSettings(
      size: 300, profile: "firebase", client: "x", hasShadow: false, chunkLength: 5)
    settings.fleet.add(.init(client: "bob", subject: "y"))

    #expect(HuntSettings.read(settings.json) == .settings(settings))
    #expect(HuntSettings.read(HuntSettings().json) == .settings(HuntSettings()))
  }

  @Test(
    arguments: [
      (nil, "it describes no hunt; expected what 'kennel hunt --output DIR' has written"),
      ("x", "it describes no hunt; expected what 'kennel hunt --output DIR' has written"),
      (
        .object([.init("kennel-hunt", .number(2))]),
        "it describes no hunt; expected what 'kennel hunt --output DIR' has written"
      ),
      (
        .object([.init("kennel-hunt", .number(3))]),
        "it describes a hunt in version 3, and this kennel knows 2"
      ),
    ] as [(JSON?, String)])
  func `what describes no campaign is told`(json: JSON?, reason: String) {
    #expect(HuntSettings.read(json) == .unusable(reason))
  }

  @Test func `a member of a fleet has a client and a subject`() {
    let members = HuntSettings().json.members ?? []
    let json = JSON.object(members + [.init("fleet", [["client": "bob"]])])

    #expect(
      HuntSettings.read(json) == .unusable("its fleet has a member without a client or a subject"))
  }

  @Test func `seeds of another generator are told`() {
    let members = HuntSettings().json.members ?? []
    let json = JSON.object(members.map { $0.name == "draws" ? .init("draws", .number(1)) : $0 })

    #expect(
      HuntSettings.read(json)
        == .unusable(
          "its seeds mean other scenarios: they were drawn by generator 1, and this kennel has "
            + "\(Generator.version)"))
  }

  @Test func `campaigns are told apart`() {
    let standard = HuntSettings()

    #expect(standard.difference(from: standard) == nil)
    #expect(HuntSettings(size: 300).difference(from: standard) == "size 300 is not 120")
    #expect(
      HuntSettings(profile: "firebase").difference(from: standard)
        == "profile firebase is not all")
    #expect(
      standard.difference(from: HuntSettings(client: "x")) == "client reference is not x")
    var fleet = HuntSettings()
    fleet.fleet.add(.init(client: "bob", subject: "y"))
    #expect(
      fleet.difference(from: standard) == "client bob: y, others: reference is not reference")
    #expect(
      standard.difference(from: HuntSettings(chunkLength: 5))
        == "chunks of 256 are not chunks of 5")
    #expect(
      standard.difference(from: HuntSettings(hasShadow: false)) == "one of them has no shadow")
  }

  @Test func `files with other content are told apart in words`() {
    let files: [(WritableKeyPath<HuntSettings, String?>, String)] = [
      (\.known, "list of known causes (--known)"), (\.corpus, "corpus (--corpus)"),
    ]
    for (file, noun) in files {
      var (first, second) = (HuntSettings(), HuntSettings())
      first[keyPath: file] = "0123456789abcdef"

      #expect(first.difference(from: second) == "one of them has no \(noun)")
      second[keyPath: file] = "fedcba9876543210"
      #expect(first.difference(from: second) == "the \(noun) is not what it was")
      second[keyPath: file] = first[keyPath: file]
      #expect(first.difference(from: second) == nil)
    }
  }

  @Test func `chunks begin at the same seeds everywhere`() {
    let settings = HuntSettings()

    #expect(settings.chunk(from: 1, through: 5000) == 1...255)
    #expect(settings.chunk(from: 256, through: 5000) == 256...511)
    #expect(settings.chunk(from: 300, through: 400) == 300...400)
    #expect(settings.chunk(from: .max - 1, through: .max) == (.max - 1) ... .max)
    #expect(HuntSettings(chunkLength: 5).chunk(from: 4, through: 99) == 4...4)
  }
}
