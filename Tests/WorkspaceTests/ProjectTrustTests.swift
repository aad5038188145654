import System
import Testing
import Workspace

@Suite struct ProjectTrustTests {
  private let ann = ProjectTrust(user: 1000, group: 1000)

  private func objection(
    of trust: ProjectTrust, file: FileOwnership, folder: FileOwnership
  ) -> String? {
    trust.objection(to: ("/p/kennel.yaml", file), in: ("/p", folder))
  }

  private func isTrusted(
    by trust: ProjectTrust, file: FileOwnership, folder: FileOwnership
  ) -> Bool {
    objection(of: trust, file: file, folder: folder) == nil
  }

  private static let own = FileOwnership(user: 1000, group: 1000, mode: 0o755)

  @Test(arguments: [
    // Own files, writable for one's own group, and those of root.
    (FileOwnership(user: 1000, group: 1000, mode: 0o644), own, true),
    (FileOwnership(user: 1000, group: 1000, mode: 0o664), own, true),
    (FileOwnership(user: 1000, group: 100, mode: 0o644), own, true),
    (FileOwnership(user: 0, group: 0, mode: 0o644), own, true),
    (own, FileOwnership(user: 1000, group: 1000, mode: 0o775), true),
    (own, FileOwnership(user: 0, group: 0, mode: 0o755), true),
    // What others may write, or have written.
    (FileOwnership(user: 1001, group: 1001, mode: 0o644), own, false),
    (FileOwnership(user: 1000, group: 100, mode: 0o664), own, false),
    (FileOwnership(user: 1000, group: 1000, mode: 0o646), own, false),
    (own, FileOwnership(user: 1001, group: 1001, mode: 0o755), false),
    (own, FileOwnership(user: 1000, group: 100, mode: 0o2775), false),
    (own, FileOwnership(user: 1000, group: 1000, mode: 0o777), false),
    (own, FileOwnership(user: 0, group: 0, mode: 0o1777), false),
  ])
  func `only the user and root may write what is started`(
    file: FileOwnership, folder: FileOwnership, expected: Bool
  ) {
    #expect(isTrusted(by: ann, file: file, folder: folder) == expected)
  }

  @Test func `who became root with sudo has files of both`() {
    let sudo = ProjectTrust(user: 0, group: 0, invoker: (1000, 1000))
    let ownForGroup = FileOwnership(user: 1000, group: 1000, mode: 0o775)

    #expect(isTrusted(by: sudo, file: ownForGroup, folder: ownForGroup))
    #expect(!isTrusted(by: ProjectTrust(user: 0, group: 0), file: Self.own, folder: Self.own))
    // Anybody can set the variables of sudo.
    let pretended = ProjectTrust(user: 1001, group: 1001, invoker: (1000, 1000))
    #expect(!isTrusted(by: pretended, file: Self.own, folder: Self.own))
  }

  @Test(arguments: [("/p", true), ("*", true), ("/", false), ("/p/q", false)])
  func `a folder that is trusted may belong to anybody`(folder: String, expected: Bool) {
    let trust = ProjectTrust(user: 1000, group: 1000, trustedFolders: [folder])
    let foreign = FileOwnership(user: 4_000_000, group: 1, mode: 0o777)

    #expect(isTrusted(by: trust, file: foreign, folder: foreign) == expected)
  }

  private static let rest =
    "; or look at it, and trust its folder with KENNEL_TRUST=/p; or leave the file out with "
    + "KENNEL_PROJECT=none"

  @Test(arguments: [
    (
      FileOwnership(user: 4_000_000, group: 1, mode: 0o644), own,
      "/p/kennel.yaml belongs to user 4000000, expected user 4000001 or root; "
        + "run 'chown 4000001 /p/kennel.yaml'"
    ),
    (
      FileOwnership(user: 0, group: 0, mode: 0o666), own,
      "everybody may write /p/kennel.yaml, which has the mode 666, expected that only its user may; "
        + "run 'chmod go-w /p/kennel.yaml'"
    ),
    (
      FileOwnership(user: 0, group: 0, mode: 0o644),
      FileOwnership(user: 0, group: 50, mode: 0o775),
      "group 50 may write /p, which has the mode 775, expected that only its user may; "
        + "run 'chmod go-w /p'"
    ),
    (
      FileOwnership(user: 0, group: 0, mode: 0o644),
      FileOwnership(user: 0, group: 0, mode: 0o1777),
      "everybody may write /p, which has the mode 1777, expected that only its user may; "
        + "move the project to a folder of its own"
    ),
  ])
  func `an objection names the owner or the mode, and what to do`(
    file: FileOwnership, folder: FileOwnership, reason: String
  ) {
    let trust = ProjectTrust(user: 4_000_001, group: 4_000_001)

    #expect(
      objection(of: trust, file: file, folder: folder)
        == "/p/kennel.yaml may neither start a command nor name files to write: \(reason)\(Self.rest)"
    )
  }
}
