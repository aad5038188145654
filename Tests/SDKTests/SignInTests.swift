import ClientEngine
import ClientInterface
import ClientMachine
import Foundation
import Testing

extension RealSocketTests {
  /// What a sign-in that the server has accepted leaves on the disk.
  @Suite struct SignInTests {
    /// The administrator's, which every server of the kit knows.
    private static let token = "owner"

    @Test(arguments: [true, false])
    func `the token is in a file while the user is signed in and persistence is on`(
      isKept: Bool
    ) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "sign-in-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try await LocalServer.with { server in
        let engine = Self.engine(at: "\(server)/?ns=token", in: folder, isKept: isKept)
        defer { engine.end() }
        let problem = await withCheckedContinuation { result in
          engine.signIn(Self.token) { result.resume(returning: $0) }
        }
        #expect(problem == nil)
        let hadToken = try Self.hasToken(folder)

        engine.signOut { _ in }
        let hasToken = try Self.hasToken(folder)

        #expect(hadToken == isKept)
        #expect(!hasToken)
      }
    }

    private static func engine(at url: String, in folder: URL, isKept: Bool) -> Engine {
      let application = Application(trap: { Issue.record("\($0)") }) {
        MachinePlatform.makeEngine($0, .wilddog2, $2)
      }
      application.configuration.folder = folder.path
      application.configuration.keepsData = isKept
      application.configuration.callbackQueue = LocalServer.callbacks
      return application.location(of: url, .second).engine
    }

    private static func hasToken(_ folder: URL) throws -> Bool {
      guard FileManager.default.fileExists(atPath: folder.path) else { return false }
      return try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil
      ).contains { try Data(contentsOf: $0).range(of: Data(token.utf8)) != nil }
    }
  }
}
