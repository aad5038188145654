import Testing
import Tree
import Wilddog
import WilddogSync

extension RealSocketTests {
  /// The examples of the guides 001, 002 and 004, with the changes that Specs/sdk.md lists, against a
  /// server of this process.
  @Suite struct GuideTests {
    static let dinosaurs: JSON = [
      "dinosaurs": [
        "lambeosaurus": ["height": 2.1, "length": 12.5, "weight": 5000],
        "stegosaurus": ["height": 4, "length": 9, "weight": 2500],
      ],
      "scores": [
        "bruhathkayosaurus": 55, "lambeosaurus": 21, "linhenykus": 80, "pterodactyl": 93,
        "stegosaurus": 5, "triceratops": 22,
      ],
    ]

    @Test func `001 writes users and posts, and reads them`() async throws {
      try await LocalServer.with { server in
        let printed = Printed()
        let ref = Wilddog(url: "\(server)/web/saving-data/wildblog?ns=guide-001")
        let usersRef = ref.child(byAppendingPath: "users")
        let gracehop = ["full_name": "Grace Hopper", "date_of_birth": "December 9, 1906"]
        usersRef.setValue(["gracehop": gracehop])
        usersRef.child(byAppendingPath: "gracehop").updateChildValues(["nickname": "Amazing Grace"])
        let postRef = ref.child(byAppendingPath: "posts")
        let post1Ref = postRef.childByAutoId()
        post1Ref.setValue(["author": "gracehop", "title": "Announcing COBOL"])
        let post2Ref = postRef.childByAutoId()
        post2Ref.setValue(["author": "alanisawesome", "title": "The Turing Machine"])

        postRef.observe(
          .childAdded,
          with: { snapshot in
            let post = snapshot.value as? [String: Any]
            printed.print(post?["author"] as? String ?? "")
            printed.print(post?["title"] as? String ?? "")
          })
        let users = try await usersRef.read().value as? [String: [String: String]]
        _ = try await postRef.read()

        #expect(post1Ref.key < post2Ref.key)
        #expect(
          printed.lines == [
            "gracehop", "Announcing COBOL", "alanisawesome", "The Turing Machine",
          ])
        #expect(
          users == ["gracehop": gracehop.merging(["nickname": "Amazing Grace"]) { $1 }])
      }
    }

    @Test func `002 listens, reads once and queries`() async throws {
      try await LocalServer.with { server in
        let printed = Printed()
        let ref = Wilddog(url: "\(server)/?ns=guide-002")
        let userPosts = ref.child(byAppendingPath: "user-posts").child(byAppendingPath: "alice")
        for (key, stars) in [("a", 3), ("b", 1), ("c", 2)] {
          userPosts.child(byAppendingPath: key).setValue(["starCount": stars])
        }
        let commentsRef = ref.child(byAppendingPath: "comments")
        commentsRef.observe(.childAdded, with: { printed.print("added \($0.key)") })
        commentsRef.observe(.childRemoved, with: { printed.print("removed \($0.key)") })
        commentsRef.child(byAppendingPath: "1").setValue("first")
        commentsRef.child(byAppendingPath: "1").removeValue()
        let myTopPostsQuery = userPosts.queryOrdered(byChild: "starCount")
        let keys = try await myTopPostsQuery.read().children.map(\.key)
        let recentPostsQuery = userPosts.queryLimited(toFirst: 2)
        let recent = try await recentPostsQuery.read()
        _ = try await commentsRef.read()

        #expect(keys == ["b", "c", "a"])
        #expect(recent.childrenCount == 2)
        #expect(printed.lines == ["added 1", "removed 1"])
      }
    }

    @Test func `004 orders dinosaurs by key, child and value`() async throws {
      try await LocalServer.with(Self.dinosaurs) { server in
        let printed = Printed()
        let options = WDGOptions(syncURL: "\(server)/?ns=guide-004")
        WDGApp.configure(with: options)
        let ref = WDGSync.sync().reference(fromURL: "\(server)/dinosaurs?ns=guide-004")
        let scoresRef = WDGSync.sync().reference(fromURL: "\(server)/scores?ns=guide-004")
        ref.queryOrdered(byChild: "height").observe(
          .childAdded,
          with: { snapshot in
            if let height = (snapshot.value as? [String: Any])?["height"] as? Double {
              printed.print("\(snapshot.key) was \(height) meters tall")
            }
          })
        _ = try await ref.queryOrdered(byChild: "height").read()
        scoresRef.queryOrderedByValue().queryLimited(toLast: 3).observe(
          .childAdded,
          with: { snapshot in
            if let score = snapshot.value as? Double {
              printed.print("The \(snapshot.key) dinosaur's score is \(score)")
            }
          })
        _ = try await scoresRef.queryOrderedByValue().queryLimited(toLast: 3).read()

        #expect(
          printed.lines == [
            "lambeosaurus was 2.1 meters tall", "stegosaurus was 4.0 meters tall",
            "The bruhathkayosaurus dinosaur's score is 55.0",
            "The linhenykus dinosaur's score is 80.0", "The pterodactyl dinosaur's score is 93.0",
          ])
      }
    }

    @Test func `004 counts the initial data, and the value comes last`() async throws {
      try await LocalServer.with(Self.dinosaurs) { server in
        let printed = Printed()
        WDGApp.configure(with: WDGOptions(syncURL: "\(server)/?ns=guide-count"))
        let ref = WDGSync.sync().reference(fromURL: "\(server)/dinosaurs?ns=guide-count")
        ref.observe(.childAdded, with: { printed.print("added -> \($0.key)") })
        ref.observeSingleEvent(
          of: .value,
          with: { printed.print("initial data loaded! \($0.childrenCount)") })
        _ = try await ref.read()

        #expect(
          printed.lines == [
            "added -> lambeosaurus", "added -> stegosaurus", "initial data loaded! 2",
          ])
      }
    }
  }
}
