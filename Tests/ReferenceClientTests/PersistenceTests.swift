import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct PersistenceTests {
  private let window = Query(ordering: .child("n"), start: .init(3), limit: .last(2))

  @Test func `writes are stored as they were made and erased when they are answered`() {
    var device = Device()
    device.call(.set("room/a", Node(json: [".value": 1, ".priority": "p"])))
    device.call(.set("t", Node(json: [".sv": "timestamp"])))
    device.call(.remove("gone"))
    device.call(.setPriority("room/a", 7))
    device.call(.update("room", [.init("b/c", Node(2)), .init("d", .empty)]))

    #expect(
      device.storage == [
        "write/0000000001": #"{"path":"/room/a","put":{".value":1,".priority":"p"}}"#,
        "write/0000000002": #"{"path":"/t","put":{".sv":"timestamp"}}"#,
        "write/0000000003": #"{"path":"/gone","put":null}"#,
        "write/0000000004": #"{"path":"/room/a/.priority","put":7}"#,
        "write/0000000005": #"{"merge":{"b/c":2,"d":null},"path":"/room"}"#,
      ])
    device.connect()
    for request in device.requests where request.request.action != .stats {
      device.give(.frame(.response(.init(to: request.number))))
    }
    #expect(device.storage == [:])
  }

  @Test func `a new process sends the stored writes again, the same and under the same keys`() {
    var device = Device()
    device.call(.set("a", Node(json: ["x": [".sv": ["increment": 2]]])))
    device.call(.update("b", [.init("c/d", Node(1))]))
    let stored = device.storage
    device.connect()
    let sent = device.requests.map(\.request)

    device.start()
    device.connect()

    #expect(device.storage == stored)
    #expect(device.requests.map(\.request) == sent)
    device.call(.set("e", Node(1)))
    #expect(device.storage["write/0000000003"] == #"{"path":"/e","put":1}"#)
  }

  @Test func `data are stored with their query and read again`() {
    var device = Device()
    device.connect()
    device.call(.listen("a", .init("é"), [.value]))
    device.answerListen(at: "é", with: ["x": 1])
    device.call(.listen("b", .init("list", window), [.value]))
    device.answerListen(at: "list", with: ["k": ["n": 4]], tag: 1)
    let stored = device.storage

    let query = #"{"sp":3,"sin":true,"l":2,"vf":"r","i":"n"}"#
    let data = #"{"data":{"k":{"n":4}},"path":"/list","query":"# + query + #","used":2}"#
    #expect(
      stored == [
        "data/é": #"{"data":{"x":1},"path":"/é","used":1}"#, "data/list#" + query: data,
      ])
    device.start()
    #expect(device.storage == stored)
    device.call(.once("c", .init("list", window), .value))
    #expect(device.values == [["k": ["n": 4]]])
  }

  @Test(arguments: [["2/a", "10"], ["10", "2/a"]] as [[Path]])
  func `an update reaches a kept window at once, in whatever order it is given`(_ keys: [Path]) {
    let first = Query(ordering: .child("a"), limit: .first(1))
    var device = Device()
    device.connect()
    device.call(.listen("a", .init("room", first), [.value]))
    device.answerListen(at: "room", with: ["10": 1], tag: 1)
    let nodes: [Path: Node] = ["2/a": Node(1), "10": Node(json: ["a": 1])]
    device.call(.update("room", keys.map { .init($0, nodes[$0] ?? .empty) }))
    let update = device.requests
    device.call(.unlisten("a"))
    for request in update { device.give(.frame(.response(.init(to: request.number)))) }
    let kept = device.storage.first { $0.key.hasPrefix("data/room") }?.value
    let window = #"{"data":{"2":{"a":1}},"path":"/room""#
    #expect(kept?.hasPrefix(window) == true, "\(kept ?? "nothing")")
  }

  @Test func `nothing is stored without persistence, and what another process stored is left`() {
    var device = Device(nil, storage: ["data/a": "{", "write/0000000001": "{"])
    device.connect()
    device.call(.set("a", Node(1)))
    device.call(.listen("a", .init("b"), [.value]))
    device.answerListen(at: "b", with: 1)

    #expect(device.storage == ["data/a": "{", "write/0000000001": "{"])
    #expect(device.outputs.allSatisfy { if case .log = $0 { false } else { true } })
  }

  @Test(arguments: [
    ("write/0000000001", #"{"path":"/a","pu"#), ("write/0000000001", #"{"put":1}"#),
    ("write/1", #"{"path":"/a","put":1}"#), ("write/x", #"{"path":"/a","put":1}"#),
    ("data/a", #"{"data":1,"path":"/a"}"#), ("data/b", #"{"data":1,"path":"/a","used":1}"#),
    ("data/a#{}", #"{"data":1,"path":"/a","query":5,"used":1}"#), ("data/a", ""),
  ])
  func `a text that cannot be read is told and erased`(key: String, text: String) {
    let device = Device(storage: [key: text, "another": "text"])

    #expect(device.storage[key] == nil)
    #expect(device.storage["another"] == "text")
    #expect(
      device.outputs.contains(.log("what is stored as \(key) cannot be read and is erased")))
  }

  @Test func `what was not used for longest goes first and what is listened to stays`() {
    var device = Device(.init(cacheBytes: 20))
    device.connect()
    func learn(_ path: Path, _ device: inout Device) {
      device.call(.once(ListenerID(path.relativeText), .init(path), .value))
      if !device.requests.isEmpty { device.answerListen(at: path, with: "12345678") }
    }
    device.call(.listen("held", .init("held"), [.value]))
    device.answerListen(at: "held", with: "x")

    learn("a", &device)
    learn("b", &device)
    #expect(device.storage.keys.sorted() == ["data/b", "data/held"])
    learn("held/below", &device)
    learn("b", &device)
    learn("c", &device)

    #expect(device.storage.keys.sorted() == ["data/c", "data/held"])
  }

  @Test func `what a process finds is thrown out only when more is learned`() {
    var device = Device(.init(cacheBytes: 15))
    device.connect()
    device.call(.listen("a", .init("a"), [.value]))
    device.answerListen(at: "a", with: "12345678")
    device.call(.listen("b", .init("b"), [.value]))
    device.answerListen(at: "b", with: "12345678")

    device.start()
    #expect(device.storage.count == 2)
    device.call(.listen("b", .init("b"), [.value]))
    #expect(device.storage.count == 2)
    device.connect()
    device.give(.frame(.put("b", Node(json: "123456789"), tag: nil)))

    #expect(device.storage.keys.sorted() == ["data/b"])
  }
}
