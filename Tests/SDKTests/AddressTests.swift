import ClientEngine
import Testing
import Tree
import Wire

@Suite struct AddressTests {
  struct Case: CustomTestStringConvertible {
    var url: String
    var path: Path
    var dialect: Dialect
    var namespace: String
    var isEncrypted: Bool
    var text: String

    var testDescription: String { url }
  }

  static let cases = [
    Case(
      url: "https://App.wilddogio.com/a/b", path: "a/b", dialect: .wilddog, namespace: "app",
      isEncrypted: true, text: "https://app.wilddogio.com/a/b"),
    Case(
      url: "wss://app.firebaseio.com", path: .root, dialect: .firebase, namespace: "app",
      isEncrypted: true, text: "https://app.firebaseio.com/"),
    Case(
      url: "http://127.0.0.1:9000/x?ns=run", path: "x", dialect: .wilddog, namespace: "run",
      isEncrypted: false, text: "http://127.0.0.1:9000/x?ns=run"),
    Case(
      url: "ws://localhost:9000?ns=run&v=5&client=a", path: .root, dialect: .firebase,
      namespace: "run", isEncrypted: false, text: "http://localhost:9000/?ns=run&v=5&client=a"),
  ]

  @Test(arguments: cases)
  func `the URL selects host, database, dialect and encryption`(given: Case) throws {
    let (address, path) = try #require(DatabaseAddress.parse(given.url))

    #expect(path == given.path)
    #expect(address.dialect == given.dialect)
    #expect(address.namespace == given.namespace)
    #expect(address.isEncrypted == given.isEncrypted)
    #expect(address.text(of: path) == given.text)
    #expect(DatabaseAddress.parse(given.text)?.0 == address)
  }

  @Test func `what else the URL has goes to the server`() throws {
    let (address, _) = try #require(DatabaseAddress.parse("http://h?client=a&ns=run&v=5"))

    #expect(address.query == "ns=run&client=a")
  }

  @Test(arguments: [
    ("https://h", "h", 443), ("http://h/a:b", "h", 80), ("http://h:9000/?ns=a:b", "h", 9000),
    ("https://[::1]", "::1", 443), ("http://[::1]:65535/a", "::1", 65535),
  ])
  func `a host has a name and a port`(url: String, name: String, port: UInt16) throws {
    let endpoint = try #require(DatabaseAddress.parse(url)?.0.endpoint)

    #expect(endpoint.name == name)
    #expect(endpoint.port == port)
  }

  @Test(arguments: [
    "", "app.wilddogio.com", "ftp://app.wilddogio.com", "https://", "http://h:", "http://h:x",
    "http://h:0", "http://h:99999", "http://h:1:2", "http://[::1", "http://[::1]2",
  ])
  func `other texts are no addresses`(text: String) {
    #expect(DatabaseAddress.parse(text) == nil)
  }
}
