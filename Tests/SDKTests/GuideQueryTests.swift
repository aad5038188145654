import TestKit
import Testing
import Tree
import Wilddog
import WilddogSync

extension RealSocketTests {
  /// The examples of the guides that `GuideTests` does not have: every query, each in both editions, and
  /// what becomes of listeners.
  @Suite struct GuideQueryTests {
    private static let dinosaurs: JSON = [
      "dinosaurs": [
        "bruhathkayosaurus": ["height": 25, "weight": 70_000, "dimensions": ["height": 25]],
        "lambeosaurus": ["height": 2.1, "weight": 5000, "dimensions": ["height": 2.1]],
        "linhenykus": ["height": 0.6, "weight": 1, "dimensions": ["height": 0.6]],
        "pterodactyl": ["height": 1.1, "weight": 4, "dimensions": ["height": 1.1]],
        "stegosaurus": ["height": 4, "weight": 2500, "dimensions": ["height": 4]],
        "triceratops": ["height": 5.5, "weight": 11_000, "dimensions": ["height": 5.5]],
      ]
    ]

    /// A query of the guides, in both editions, and the dinosaurs that it prints.
    struct Example: CustomTestStringConvertible {
      var testDescription: String
      var first: @Sendable (Wilddog) -> WQuery
      var second: @Sendable (WDGSyncReference) -> WDGSyncQuery
      var keys: [String]
    }

    @Test(arguments: [
      Example(
        testDescription: "by height", first: { $0.queryOrdered(byChild: "height") },
        second: { $0.queryOrdered(byChild: "height") },
        keys: [
          "linhenykus", "pterodactyl", "lambeosaurus", "stegosaurus", "triceratops",
          "bruhathkayosaurus",
        ]),
      Example(
        testDescription: "by a nested height",
        first: { $0.queryOrdered(byChild: "dimensions/height") },
        second: { $0.queryOrdered(byChild: "dimensions/height") },
        keys: [
          "linhenykus", "pterodactyl", "lambeosaurus", "stegosaurus", "triceratops",
          "bruhathkayosaurus",
        ]),
      Example(
        testDescription: "by key", first: { $0.queryOrderedByKey() },
        second: { $0.queryOrderedByKey() },
        keys: [
          "bruhathkayosaurus", "lambeosaurus", "linhenykus", "pterodactyl", "stegosaurus",
          "triceratops",
        ]),
      Example(
        testDescription: "the two heaviest",
        first: { $0.queryOrdered(byChild: "weight").queryLimited(toLast: 2) },
        second: { $0.queryOrdered(byChild: "weight").queryLimited(toLast: 2) },
        keys: ["triceratops", "bruhathkayosaurus"]),
      Example(
        testDescription: "the two shortest",
        first: { $0.queryOrdered(byChild: "height").queryLimited(toFirst: 2) },
        second: { $0.queryOrdered(byChild: "height").queryLimited(toFirst: 2) },
        keys: ["linhenykus", "pterodactyl"]),
      Example(
        testDescription: "from three metres",
        first: { $0.queryOrdered(byChild: "height").queryStarting(atValue: 3) },
        second: { $0.queryOrdered(byChild: "height").queryStarting(atValue: 3) },
        keys: ["stegosaurus", "triceratops", "bruhathkayosaurus"]),
      Example(
        testDescription: "up to pterodactyl",
        first: { $0.queryOrderedByKey().queryEnding(atValue: "pterodactyl") },
        second: { $0.queryOrderedByKey().queryEnding(atValue: "pterodactyl") },
        keys: ["bruhathkayosaurus", "lambeosaurus", "linhenykus", "pterodactyl"]),
      Example(
        testDescription: "beginning with b",
        first: {
          $0.queryOrderedByKey().queryStarting(atValue: "b").queryEnding(atValue: "b\u{f8ff}")
        },
        second: {
          $0.queryOrderedByKey().queryStarting(atValue: "b").queryEnding(atValue: "b\u{f8ff}")
        }, keys: ["bruhathkayosaurus"]),
      Example(
        testDescription: "of 25 metres",
        first: { $0.queryOrdered(byChild: "height").queryEqual(toValue: 25) },
        second: { $0.queryOrdered(byChild: "height").queryEqual(toValue: 25) },
        keys: ["bruhathkayosaurus"]),
    ])
    func `001 and 004 print the keys of a query`(example: Example) async throws {
      try await LocalServer.with(Self.dinosaurs) { server in
        let printed = Printed()
        let query = example.first(Wilddog(url: "\(server)/dinosaurs?ns=query-1"))
        query.observe(.childAdded, with: { printed.print($0.key) })
        _ = try await query.read()
        #expect(printed.lines == example.keys)

        let again = Printed()
        WDGApp.configure(with: WDGOptions(syncURL: "\(server)/?ns=query-2"))
        let other = example.second(
          WDGSync.sync().reference(fromURL: "\(server)/dinosaurs?ns=query-2"))
        other.observe(.childAdded, with: { again.print($0.key) })
        _ = try await other.read()
        #expect(again.lines == example.keys)
      }
    }

    @Test func `a read ends when its listener is removed`() async throws {
      let reference = Wilddog(url: "http://127.0.0.1:1/x?ns=removed-read")
      let removal = Task {
        while !Task.isCancelled {
          reference.removeAllObservers()
          try? await Task.sleep(for: .milliseconds(10))
        }
      }
      defer { removal.cancel() }

      await #expect(throws: CancellationError.self) { _ = try await reference.read() }
    }

    @Test func `001 finds the dinosaur just shorter than Stegosaurus`() async throws {
      try await LocalServer.with(Self.dinosaurs) { server in
        let printed = Printed()
        let ref = Wilddog(url: "\(server)/dinosaurs?ns=shorter")
        ref.child(byAppendingPath: "stegosaurus").child(byAppendingPath: "height").observe(
          .value,
          with: { stegosaurusHeightSnapshot in
            guard let height = stegosaurusHeightSnapshot.value as? Double else { return }
            let queryRef = ref.queryOrdered(byChild: "height").queryEnding(atValue: height)
              .queryLimited(toLast: 2)
            queryRef.observeSingleEvent(
              of: .value,
              with: { querySnapshot in
                if querySnapshot.childrenCount == 2, let child = querySnapshot.children.next() {
                  printed.print("The dinosaur just shorter than it is \(child.key)")
                } else {
                  printed.print("It is the shortest")
                }
              })
          })
        _ = await eventually { !printed.lines.isEmpty }
        #expect(printed.lines == ["The dinosaur just shorter than it is lambeosaurus"])
      }
    }

    @Test func `001 prints the titles of changed and removed posts, and the whole value`()
      async throws
    {
      try await LocalServer.with(["posts": ["a": ["title": "Announcing COBOL"]]]) { server in
        let printed = Printed()
        let ref = Wilddog(url: "\(server)/posts?ns=posts")
        ref.observe(
          .childChanged,
          with: { snapshot in
            let title = (snapshot.value as? [String: Any])?["title"] as? String
            printed.print("The updated post title is \(title ?? "")")
          })
        ref.observe(
          .childRemoved,
          with: { snapshot in
            let title = (snapshot.value as? [String: Any])?["title"] as? String
            printed.print("The blog post titled \(title ?? "")")
          })
        ref.observe(
          .value, with: { snapshot in printed.print("\(snapshot.childrenCount)") },
          withCancel: { error in printed.print("\(error)") })
        _ = try await ref.read()
        ref.child(byAppendingPath: "a").updateChildValues(["title": "The Turing Machine"])
        try await ref.child(byAppendingPath: "a").remove()

        #expect(
          printed.lines == [
            "1", "The updated post title is The Turing Machine", "1",
            "The blog post titled The Turing Machine", "0",
          ])
      }
    }

    @Test func `002 reads a profile once, and 004 removes listeners`() async throws {
      try await LocalServer.with(["users": ["u1": ["username": "grace"]]]) { server in
        let printed = Printed()
        WDGApp.configure(with: WDGOptions(syncURL: "\(server)/?ns=profile"))
        let ref = WDGSync.sync().reference(fromURL: "\(server)/?ns=profile")
        let user = ref.child("users").child("u1")
        user.observeSingleEvent(
          of: .value,
          with: { snapshot in
            printed.print((snapshot.value as? [String: Any])?["username"] as? String ?? "")
          }
        ) { error in
          printed.print("\(error)")
        }
        let handle = user.observe(.value, with: { _ in printed.print("removed by its handle") })
        user.removeObserver(withHandle: handle)
        _ = try await user.read()
        user.observe(.value, with: { _ in printed.print("shown") })
        _ = try await user.read()
        user.removeAllObservers()
        try await user.set("nobody prints this")

        #expect(printed.lines == ["grace", "shown"])
      }
    }
  }
}
