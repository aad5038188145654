import Testing
import Tree

@Suite struct PathTests {
  @Test(arguments: ["a/b", "/a/b", "a/b/", "//a///b//"])
  func `superfluous slashes do not matter`(text: String) {
    #expect(Path(text) == Path(["a", "b"]))
  }

  @Test(arguments: ["", "/", "///"])
  func `a path without keys is the root`(text: String) {
    #expect(Path(text) == .root)
    #expect(Path(text).description == "/")
    #expect(Path(text).relativeText == "")
  }

  @Test func `a slash before a combining mark separates too`() {
    #expect(Path("a/\u{301}b").keys.map(\.string) == ["a", "\u{301}b"])
  }

  @Test func `paths are compared key by key`() {
    let sorted: [Path] = ["", "2", "2/a", "10", "a", "a/2", "a/10", "a/a", "b"]

    #expect(sorted.reversed().sorted() == sorted)
  }

  @Test func `a path knows what lies above and below it`() {
    let path: Path = "a/b/c"

    #expect(path.parent == "a/b")
    #expect(Path.root.parent == nil)
    #expect(path.key == "c")
    #expect(path.lineage == ["", "a", "a/b", "a/b/c"])
    #expect(path.relative(to: "a") == "b/c")
    #expect(path.relative(to: path) == .root)
    #expect(path.relative(to: "b") == nil)
    #expect(path.relative(to: "a/b/c/d") == nil)
    #expect(path.isRelated(to: "a/b/c/d"))
    #expect(path.isRelated(to: ""))
    #expect(!path.isRelated(to: "a/c"))
    #expect(path.dropFirst() == "b/c")
    #expect(path.dropFirst(5) == .root)
    #expect(path.appending(Path.root) == path)
    #expect(Path("a").appending(Path("b/c")) == path)
  }

  @Test func `thirty-two keys are allowed and thirty-three are not`() {
    let deep = Path((0..<32).map { _ in "a" })

    #expect(deep.problem == nil)
    #expect(
      deep.appending(Key("b")).problem?.description == "the path has 33 keys; a path has at most 32"
    )
  }

  @Test func `the length counts the bytes of keys and slashes`() {
    let path = Path([Key(String(repeating: "é", count: 380)), "abcdefg"])

    #expect(path.problem == nil)
    #expect(
      path.appending(Key("")).problem?.description
        == "a key is empty; a key has at least one character")
    #expect(
      Path([Key(String(repeating: "é", count: 380)), "abcdefgh"]).problem?.description
        == "the path has 769 bytes; a path has at most 768 bytes of UTF-8")
  }

  @Test func `only the root may hold the local tree`() {
    #expect(Path(".info/connected").problem == nil)
    #expect(Path("a/.info").problem == .key(.forbidden(".", in: ".info")))
    #expect(Path(".other").problem == .key(.forbidden(".", in: ".other")))
  }
}
