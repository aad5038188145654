import Document
import Testing

/// The words of commands that reports print.
@Suite struct PasteableTests {
  @Test(arguments: [
    ("Scenarios/a/b.yaml", "Scenarios/a/b.yaml"), ("/home/k/x.yaml", "x.yaml"),
    ("/home/kind/x.yaml", "/home/kind/x.yaml"), ("../x.yaml", "../x.yaml"),
  ])
  func `in the project's directory files are named as they are there`(file: String, name: String) {
    #expect(PathDisplay(home: "/home/k", current: "/home/k").name(of: file) == name)
  }

  @Test(arguments: [
    ("x.yaml", "found/x.yaml"), ("/home/k/Scenarios/x.yaml", "Scenarios/x.yaml"),
    ("../../x.yaml", "found/../../x.yaml"),
  ])
  func `below it they are named from there`(file: String, name: String) {
    #expect(PathDisplay(home: "/home/k", current: "/home/k/found").name(of: file) == name)
  }

  @Test func `elsewhere they are named by their whole path`() {
    #expect(PathDisplay(home: "/home/k", current: "/tmp").name(of: "x.yaml") == "/tmp/x.yaml")
    #expect(PathDisplay(home: nil, current: "/tmp").name(of: "x.yaml") == "x.yaml")
  }

  @Test(arguments: [
    ("a/b_c-1.yaml", "a/b_c-1.yaml"), ("a b", "'a b'"), ("x[y=1,z=a]", "'x[y=1,z=a]'"),
    ("it's", "'it'\\''s'"), ("", "''"), ("$HOME", "'$HOME'"), ("~a", "'~a'"), ("a\nb", "'a\nb'"),
    ("\u{E4}", "\u{E4}"),
  ])
  func `a shell takes a word as it is`(word: String, quoted: String) {
    #expect(shellWord(word) == quoted)
  }
}
