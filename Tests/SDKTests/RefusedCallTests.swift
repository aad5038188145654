import ClientEngine
import ClientInterface
import ClientMachine
import Foundation
import Testing
import WilddogSync

/// What data can cause is an error of the call; what only the code can make ends a program.
@Suite struct RefusedCallTests {
  private let platform = IdlePlatform()
  private let root: WDGSyncReference

  init() {
    let engine = platform.makeEngine()
    let application = Application(trap: { Issue.record("\($0)") }) { _, _, _ in engine }
    root = Application.$current.withValue(application) {
      WDGApp.configure(with: WDGOptions(syncURL: "https://kennel.wilddogio.com/"))
      return WDGSync.sync().reference()
    }
  }

  struct Case: @unchecked Sendable, CustomTestStringConvertible {
    var testDescription: String
    var value: Any
    var code: String
    var detail: String
  }

  private static func nested(_ depth: Int) -> Any {
    (0..<depth).reduce(1 as Any) { value, _ in ["k": value] }
  }

  private static let kinds =
    "; a value is a string, a number, a boolean, a dictionary with strings as keys, an array, or nil"

  static let values = [
    Case(
      testDescription: "date", value: ["a": ["b": Date()]], code: "invalid_value",
      detail: "a value of the type Date at a/b" + kinds),
    Case(
      testDescription: "URL", value: URL(filePath: "/a"), code: "invalid_value",
      detail: "a value of the type URL" + kinds),
    Case(
      testDescription: "data", value: [1, Data([1])], code: "invalid_value",
      detail: "a value of the type Data at 1" + kinds),
    Case(
      testDescription: "set", value: Set([1]), code: "invalid_value",
      detail: "a value of the type Set<Int>" + kinds),
    Case(
      testDescription: "no number", value: ["a": Double.nan], code: "invalid_value",
      detail: "set /room: the number at /room/a is not finite;"
        + " the database stores finite numbers only"),
    Case(
      testDescription: "key", value: ["bob@x.org": 1], code: "invalid_value",
      detail: "set /room: below /room: key \"bob@x.org\" contains \".\";"
        + " keys may not contain . # $ [ ] /"),
    Case(
      testDescription: "key that is no text", value: [1: "a"], code: "invalid_value",
      detail: "a key of the type Int" + kinds),
    Case(
      testDescription: "depth", value: nested(40), code: "invalid_path",
      detail: "set /room: the path has 33 keys; a path has at most 32"),
    Case(
      testDescription: "great depth", value: nested(3000), code: "invalid_path",
      detail: "more than 256 levels at " + Array(repeating: "k", count: 32).joined(separator: "/")
        + kinds),
  ]

  @Test(arguments: values) func `a value that cannot be stored is an error of the call`(
    given: Case
  ) async {
    let error = SyncError(.init(given.code), given.detail)
    let room = root.child("room")
    let ended = Collected<SyncError?>()

    room.setValue(given.value) { error, _ in ended.append(error as? SyncError) }
    room.setValue(given.value)
    await #expect(throws: SyncError.self) { try await room.set(given.value) }

    #expect(ended.elements == [error])
    #expect(platform.refusals == [error, error, error])
    #expect(SyncError.inValue(given.value)?.code == error.code)
    #expect(platform.trapped == [])
  }

  @Test func `every call with a value reports it`() {
    let ended = Collected<String>()
    func note(_ call: String) -> @Sendable ((any Error)?, WDGSyncReference) -> Void {
      { error, _ in ended.append("\(call) \((error as? SyncError)?.code.name ?? "none")") }
    }

    root.setPriority(["a": 1], withCompletionBlock: note("setPriority"))
    root.setValue(1, andPriority: Date(), withCompletionBlock: note("andPriority"))
    root.updateChildValues(["a.b": 1], withCompletionBlock: note("update"))
    root.updateChildValues([1: 1], withCompletionBlock: note("update"))
    root.onDisconnectSetValue(Date(), withCompletionBlock: note("onDisconnect"))
    root.onDisconnectUpdateChildValues(["a": Date()], withCompletionBlock: note("onDisconnect"))

    #expect(
      ended.elements == [
        "setPriority invalid_value", "andPriority invalid_value", "update invalid_path",
        "update invalid_value", "onDisconnect invalid_value", "onDisconnect invalid_value",
      ])
    #expect(
      platform.refusals.contains {
        ($0.detail ?? "").contains(
          "the priority {\"a\":1} is none; a priority is a number, a string or nil")
      })
  }

  @Test func `what is called at a location that cannot be is refused, and nothing is written`()
    async
  {
    let nowhere = root.child("users").child("bob@x.org").child("name")
    let ended = Collected<SyncError?>()
    let take = { @Sendable (error: (any Error)?) in ended.append(error as? SyncError) }

    nowhere.setValue(1) { error, _ in take(error) }
    nowhere.removeValue { error, _ in take(error) }
    nowhere.onDisconnectRemoveValue { error, _ in take(error) }
    nowhere.runTransactionBlock({ .success(withValue: $0) }) { error, _, _ in take(error) }
    #expect(nowhere.observe(.value, with: { _ in }, withCancel: take) == 0)
    nowhere.getData { error, _ in take(error) }
    nowhere.childByAutoId().setValue(1) { error, _ in take(error) }
    nowhere.keepSynced(true)
    nowhere.removeAllObservers()
    await #expect(throws: SyncError.self) { try await nowhere.read() }
    await #expect(throws: SyncError.self) { for try await _ in nowhere.events(.value) {} }

    #expect(ended.elements.count == 7)
    #expect(ended.elements.allSatisfy { $0?.code == "invalid_path" })
    #expect(ended.elements.first??.description.contains(#"key "bob@x.org" contains ".""#) == true)
    root.engineOpens()
    #expect(platform.writes == [:])
  }

  @Test func `a query that data have made wrong is an error, a second condition ends a program`() {
    let ended = Collected<SyncError?>()
    func observe(_ query: WDGSyncQuery) {
      query.observe(.value, with: { _ in }, withCancel: { ended.append($0 as? SyncError) })
    }

    observe(root.queryLimited(toFirst: 0))
    observe(root.queryLimited(toFirst: .max))
    observe(root.queryOrderedByKey().queryStarting(atValue: 3))
    observe(root.queryEqual(toValue: [1]))
    observe(root.queryEqual(toValue: Date()))
    observe(root.queryOrdered(byChild: "a.b").queryLimited(toLast: 1))

    #expect(ended.elements.prefix(5).allSatisfy { $0?.code == "invalid_query" })
    #expect(ended.elements.last??.code == "invalid_path")
    #expect(ended.elements.count == 6)
    #expect(
      [ended.elements.first, ended.elements.dropFirst(2).first].map { $0??.detail } == [
        "limitToFirst 0: a limit is a whole number of at least 1",
        #"startAt {"value":3}: a bound of keys is a string, with no key beside it"#,
      ])
    #expect(platform.trapped == [])

    _ = root.queryOrderedByKey().queryOrderedByValue()

    #expect(
      platform.trapped == [
        SyncError(
          "invalid_query", #"orderBy ".value": the query has such a condition already"#)
      ])
  }

  @Test func `a transaction with a value that cannot be stored fails`() {
    let ended = Collected<(SyncError?, Bool)>()
    root.child("a").runTransactionBlock {
      data in
      data.childData(byAppendingPath: "when").value = Date()
      data.value = 1
      return .success(withValue: data)
    } andCompletionBlock: {
      error, isCommitted, _ in
      ended.append((error as? SyncError, isCommitted))
    }
    root.child("a").runTransactionBlock {
      data in
      #expect(!data.hasChild(atPath: "x.y"))
      data.childData(byAppendingPath: "x.y").value = 1
      return .success(withValue: data)
    } andCompletionBlock: {
      error, isCommitted, _ in
      ended.append((error as? SyncError, isCommitted))
    }

    #expect(ended.elements.map { $0.0?.code } == ["invalid_value", "invalid_path"])
    #expect(ended.elements.map(\.1) == [false, false])
  }

  @Test func `a snapshot has nothing at a location that cannot be`() async throws {
    let reading = Task { [root] in try await root.child("a").read() }
    root.engineOpens()
    root.child("a").setValue(["b": 1])
    let snapshot = try await reading.value

    #expect(snapshot.childSnapshot(forPath: "b").int == 1)
    #expect(snapshot.int == nil)
    #expect(!snapshot.hasChild("b.c"))
    #expect(!snapshot.childSnapshot(forPath: "b.c").exists())
    #expect(snapshot.childSnapshot(forPath: "b.c").value == nil)
  }

  @Test func `keys, paths and values can be checked before`() {
    #expect(SyncError.inKey("bob") == nil)
    #expect(
      SyncError.inKey("a.b")?.detail
        == #"key "a.b" contains "."; keys may not contain . # $ [ ] /"#)
    #expect(SyncError.inKey("a/b") != nil)
    #expect(SyncError.inKey("") != nil)
    #expect(SyncError.inKey(String(repeating: "k", count: 769))?.code == "invalid_path")
    #expect(SyncError.inPath("a/b") == nil)
    #expect(SyncError.inPath("a/b#")?.code == "invalid_path")
    #expect(SyncError.inValue(["a": [1, nil, "x"] as [Any?]]) == nil)
    #expect(SyncError.inValue(["a/b": 1])?.code == "invalid_value")
  }

  @Test func `errors have codes of their own, and say what happened`() {
    let errors = ["permission_denied", "datastale", "invalid_value", "invalid_path", "maxretry"]
      .map { SyncError(.init($0)) }

    #expect(Set(errors.map { ($0 as NSError).code }).count == errors.count)
    #expect((errors[0] as NSError).code == 26_101)
    #expect(
      (errors[0] as any Error).localizedDescription
        == "permission_denied: the security rules do not allow it; "
        + "sign in as a user who may, or change the rules")
    #expect((errors[0] as NSError).localizedDescription == errors[0].localizedDescription)
    #expect(
      (SyncError("invalid_path", "no key") as any Error).localizedDescription
        == "invalid_path: no key")
    #expect(
      (SyncError("quota") as any Error).localizedDescription
        == "quota: the server has refused it, and says no more")
    #expect("\(errors[0])" == "permission_denied")
    #expect("\(SyncError("invalid_path", "no key"))" == "invalid_path: no key")
    #expect("\(root.child("a"))" == "https://kennel.wilddogio.com/a")
  }
}

extension WDGSyncReference {
  /// Its database has a connection.
  func engineOpens() { location.engine.open() }
}
