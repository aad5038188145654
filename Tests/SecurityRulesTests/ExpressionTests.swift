import Testing
import Tree

/// Expressions of the forms that the public documentation shows, and what they come to.
@Suite struct ExpressionTests {
  private static let data: JSON = [
    "room": 1, "open": true, "name": "Ann", "tree": ["a": 1, "b": ["c": 2]],
  ]

  @Test(
    arguments: [
      ("true", true), ("false", false), ("!false", true), ("1 + 2 * 3 == 7", true),
      ("(1 + 2) * 3 == 9", true), ("7 % 4 === 3 && 8 / 4 == 2 && 5 - -1 > 5", true),
      ("'\\u0041\\x42\\n' == 'AB\\n'", true), ("'a' + 1 == 'a1'", true),
      ("\"a\" < 'b' && 2 >= 2 && !(2 != 2)", true),
      ("1 == '1'", false), ("null == null", true), ("1 !== 2", true), ("1 / 0 > 0", true),
      ("true ? 1 < 2 : 2 < 1", true), ("false || true && false", false),
      ("root.child('open').val() === true", true), ("root.child('tree/b/c').val() == 2", true),
      ("root.hasChild('tree/a') && !root.hasChild('tree/z')", true),
      ("root.child('tree').hasChildren()", true), ("root.child('name').hasChildren()", false),
      ("root.child('tree').hasChildren(['a', 'b'])", true),
      ("root.child('tree').hasChildren(['a', 'z'])", false),
      ("root.child('tree').hasChildren([])", false),
      ("root.child('tree').val() != null", true), ("root.child('none').val() == null", true),
      ("root.child('tree/a').parent().child('b').exists()", true),
      ("root.parent().exists()", false), ("data.parent().child('name').isString()", true),
      ("data.isNumber() && !data.isBoolean() && root.child('open').isBoolean()", true),
      ("newData.getPriority() == null", true), ("now > 1000000 && now < 9999999999999", true),
      ("root.child('name').val().length == 3", true),
      ("root.child('name').val().contains('nn')", true),
      ("root.child('name').val().beginsWith('An') && 'ab'.endsWith('b')", true),
      ("'a-b-c'.replace('-', '+') == 'a+b+c'", true), ("'abc'.replace('', 'x') == 'abc'", true),
      ("'aB'.toUpperCase() == 'AB' && 'aB'.toLowerCase() == 'ab'", true),
      ("'2024-01-31'.matches(/^[0-9]{4}-\\d\\d-\\d\\d$/)", true),
      ("auth == null", true), ("auth != null", false), ("auth.uid == null", false),
      ("root.child('open').val() > 1", false), ("'a' < 1", false), ("auth.uid + 1 == 1", false),
    ] as [(String, Bool)])
  func `an expression holds or does not`(text: String, isTrue: Bool) throws {
    #expect(try Harness.holds(text, Self.data) == isTrue)
  }

  @Test(
    arguments: [
      ("auth.uid == 'ann'", true), ("auth['uid'] === 'ann'", true),
      ("auth.provider == 'custom'", true), ("auth.token.admin == true", true),
      ("auth.token.admin", true), ("auth.token.missing == null", true),
      ("auth.token.missing.deeper == null", false),
      ("auth.token.email.endsWith('@example.org')", true),
      ("auth.token.email.matches(/.*@EXAMPLE\\.org$/i)", true),
      ("auth.token.firebase.identities['x.y'] == 1", true), ("auth.uid.length == 3", true),
    ] as [(String, Bool)])
  func `a token is seen whole`(text: String, isTrue: Bool) throws {
    let auth: JSON = [
      "uid": "ann", "provider": "custom",
      "token": [
        "admin": true, "email": "ann@example.org", "firebase": ["identities": ["x.y": 1]],
      ],
    ]

    #expect(try Harness.holds(text, Self.data, auth: auth) == isTrue)
  }

  @Test(
    arguments: [
      ("^foo", "foobar", true), ("^foo", "afoo", false), ("foo", "afoob", true),
      ("foo$", "afoo", true), ("foo$", "foob", false), ("^a.c$", "abc", true),
      ("^a*b+c?$", "aabb", true), ("^a*b+c?$", "aac", false), ("^(ab|cd)+$", "abcdab", true),
      ("^(ab|cd|ef)$", "ef", true), ("^(ab|cd)$", "abcd", false), ("^[a-c]{2}$", "bc", true),
      ("^[a-c]{2}$", "b", false), ("^[^0-9]{1,3}$", "abc", true), ("^[^0-9]{1,3}$", "abcd", false),
      ("^x{2,}$", "xxxx", true), ("^x{2,}$", "x", false), ("^\\w+@\\w+\\.\\w+$", "a@b.de", true),
      ("^\\S+$", "a b", false), ("^\\D\\W\\s$", "a- ", true), ("^[\\d\\s]+$", "1 2", true),
      ("^[\\]\\-]$", "-", true), ("^\\/\\.$", "/.", true), ("", "any", true), ("^$", "", true),
      ("^$", "a", false), ("^é$", "é", true), ("^(a*)*$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false),
    ] as [(String, String, Bool)])
  func `a pattern matches`(pattern: String, text: String, isMatch: Bool) throws {
    let data: JSON = ["text": .string(text)]
    #expect(
      try Harness.holds("root.child('text').val().matches(/\(pattern)/)", data) == isMatch)
  }
}
