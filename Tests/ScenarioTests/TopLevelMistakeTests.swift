import Testing

struct TopLevelMistakeTests {
  @Test(arguments: topLevel)
  func `mistakes beside the steps are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let topLevel = [
    Mistake(
      file: "- 1",
      """
      1:1: a scenario is a list; expected a mapping with the keys kennel, id, title, rules, \
      profiles, needs, tags, why, matrix, include, clients, start, network, quiet, data, \
      security, tokens, persistence, without, judge, fixed-order, choices, form, steps
      """),
    Mistake(
      file: """
        title: T
        rules: [EVT-1]
        clients: [alice]
        steps: [settle]
        """,
      "1:1: a scenario has no kennel; expected kennel: ..."),
    Mistake(
      file: """
        kennel: 2
        title: T
        whatever: 1
        """,
      """
      1:9: the file is written in version 2 of the format; expected version 1; a newer kennel can \
      read it
      """),
    Mistake(
      file: """
        kennel: one
        title: T
        rules: [EVT-1]
        clients: [alice]
        steps: [settle]
        """,
      "1:9: kennel is one; expected the version of the format, 1"),
    Mistake(
      file: "kennel: 1",
      """
      1:1: a scenario has no clients; expected clients: ...
      1:1: a scenario has no rules; expected rules: ...
      1:1: a scenario has no steps; expected steps: ...
      1:1: a scenario has no title; expected title: ...
      """),
    Mistake(
      file: """
        kennel: 1
        title: T
        rules: [EVT-1]
        steps: [settle]
        """,
      "1:1: a scenario has no clients; expected clients: ..."),
    Mistake(
      file: """
        kennel: 1
        title: T
        rules: [EVT-1]
        clients: [alice]
        steps: []
        """,
      "5:8: steps is an empty list; expected at least one element"),
    Mistake(
      file: """
        kennel: 1
        title: T
        rules: [EVT-1]
        clients: [alice]
        steps: {a: 1}
        """,
      "5:8: steps is a mapping; expected a list of steps"),
    Mistake(
      file: """
        kennel: 1
        title: ''
        rules: []
        clients: []
        steps: [settle]
        """,
      """
      1:1: a scenario has no clients; expected clients: ...
      2:8: title is empty; expected a sentence
      3:8: rules is an empty list; expected at least one element
      4:10: clients is an empty list; expected at least one element
      """),
    Mistake(
      file: """
        kennel: 1
        title: 5
        rules: EVT-1
        clients: alice
        steps: [settle]
        """,
      """
      1:1: a scenario has no clients; expected clients: ...
      2:8: title is a number; expected a string; put it in quotes
      3:8: rules is a string; expected a list of rule ids
      4:10: clients is a string; expected a list of names
      """),
    Mistake(
      file: "kennel: 1\n\ttitle: T",
      "2:1: found a tab where YAML indents; expected spaces; replace the tab with spaces"),
    Mistake(
      file: """
        kennel: 1
        kennel: 1
        title: T
        rules: [EVT-1]
        clients: [alice]
        steps: [settle]
        """,
      """
      2:1: key "kennel" occurs twice, first at 1:1; expected each key once; remove or rename one \
      of the two
      """),
    Mistake(
      setup: "profles: [firebase]",
      """
      5:1: unknown key "profles"; did you mean profiles?; expected \
      kennel, id, title, rules, profiles, needs, tags, why, \
      matrix, include, clients, start, network, quiet, data, security, tokens, persistence, \
      without, judge, fixed-order, choices, form or steps
      """),
    Mistake(
      setup: "clock: {}",
      "5:1: clock is not supported yet"),
    Mistake(
      setup: "id: other",
      "5:5: id is \"other\"; expected the path of the file, s"),
    Mistake(
      setup: "rules2: []",
      """
      5:1: unknown key "rules2"; did you mean rules?; expected \
      kennel, id, title, rules, profiles, needs, tags, why, \
      matrix, include, clients, start, network, quiet, data, security, tokens, persistence, \
      without, judge, fixed-order, choices, form or steps
      """),
    Mistake(
      setup: "profiles: [wilddog-3, firebase]",
      """
      5:12: unknown profile "wilddog-3"; expected wilddog-1, wilddog-2 or firebase; did you mean \
      wilddog-1 or wilddog-2?
      """),
    Mistake(
      setup: "profiles: []",
      "5:11: profiles is an empty list; expected at least one element"),
    Mistake(
      setup: "needs: [listen.childs]",
      """
      5:9: unknown capability "listen.childs"; did you mean listen.child?; \
      expected listen.value, listen.child, listen.query, \
      once, set, update, priority, push, transaction, on-disconnect, offline, info, \
      server-values, inspect, mutable-data, persistence, keep-synced, auth, callbacks, \
      get, query.exclusive-bounds, query.boolean-priority, server-values.increment, unlisten-all, \
      unlisten.once, once.child, transaction.hidden, push.without-value, address, auth.ends, \
      inspect.completion or on-disconnect.update-order
      """),
    Mistake(
      setup: "tags: [a, a]",
      "5:11: \"a\" occurs twice in tags; expected it once"),
    Mistake(
      setup: "tags: [a b]",
      "5:8: \"a b\" cannot be a tag; expected a letter, then letters, digits, - and _"),
    Mistake(
      setup: "start: conected",
      "5:8: unknown start \"conected\"; expected connected or opening; did you mean connected?"),
    Mistake(
      setup: "data: {a: {.value: {.sv: timestamp}, .priority: 1}}",
      "5:20: data contains a server value; expected the value itself"),
    Mistake(
      setup: "data: {a: $any, $oneOf: 1}",
      """
      5:11: $any is a matcher; expected a plain value, matchers are for expectations
      5:17: $oneOf is a matcher; expected a plain value, matchers are for expectations
      """),
    Mistake(
      setup: "quiet: 2",
      "5:8: quiet is a number; expected a duration such as 30ms, 5s or 1m"),
    Mistake(
      setup: "quiet: 2sec",
      "5:8: quiet is \"2sec\"; expected a duration such as 30ms, 5s or 1m, at most 1000h"),
    Mistake(
      setup: "network: {latency: 60ms..10ms}",
      "5:20: latency is a reversed range; expected the shorter duration first"),
    Mistake(
      setup: "network: {latency: {carol: 5ms}}",
      "5:21: unknown key \"carol\"; expected alice or bob"),
    Mistake(
      setup: "network: {alice: {latency: 5ms}, latency: {alice: 6ms}}",
      "5:11: the latency of alice is stated twice; expected it once"),
    Mistake(
      setup: "network: {delay: 5ms}",
      "5:11: unknown key \"delay\"; expected latency, alice or bob"),
    Mistake(
      setup: "data: {room: {a#b: 1}}",
      "5:15: key \"a#b\" contains \"#\"; keys may not contain . # $ [ ] /"),
    Mistake(
      setup: "data: {a: {.value: 1, b: 2}}",
      "5:23: child \"b\" is beside .value; expected .priority alone beside it"),
    Mistake(
      setup: "data: {a: {.value: 1, .priority: true}}",
      "5:34: the priority is a boolean; expected a number, a string or null"),
    Mistake(
      setup: "data: {a: {.prority: 1}}",
      """
      5:12: unknown key ".prority"; expected .value, .priority or .sv; did you mean .priority?
      """),
    Mistake(
      setup: "data: {a: {.sv: timestamp}}",
      "5:11: data contains a server value; expected the value itself"),
    Mistake(
      setup: "security: [{path: a, deny: [reed]}]",
      "5:29: unknown access \"reed\"; expected read or write; did you mean read?"),
    Mistake(
      setup: "security: [{path: a}]",
      "5:12: an element of security has no deny; expected deny: ..."),
    Mistake(
      setup: "security: [{path: 'a.b', deny: [read]}]",
      "5:19: key \"a.b\" contains \".\"; keys may not contain . # $ [ ] /"),
    Mistake(
      file: """
        kennel: 1
        title: T
        rules: [evt-1, EVT-1, EVT-1, EVT-99, XYZ-1]
        clients: [alice]
        steps: [settle]
        """,
      """
      3:9: "evt-1" is no rule id; expected one like EVT-7
      3:23: "EVT-1" occurs twice in rules; expected it once
      3:30: there is no rule EVT-99; expected the id of a rule in Specs
      3:38: there is no rule XYZ-1; expected the id of a rule in Specs; families are ACC, \
      CBK, CON, ERR, EVT, GET, HSH, KEY, LIM, MUT, OBS, OFF, OND, PRI, PSH, QRY, REF, SEC, SNP, SRV, TXN, VAL, WIR, WRT
      """),
    Mistake(
      file: """
        kennel: 1
        title: T
        rules: [EVT-2]
        clients: [alice]
        steps: [settle]
        """,
      """
      3:9: every rule here binds the server alone; expected one that a client obeys or breaks as well
      """),
    Mistake(
      steps: ["expect: {rules: [EVT-2]}"],
      """
      6:22: EVT-2 is not among the rules of the scenario; expected it there as well
      """),
    Mistake(
      file: """
        kennel: 1
        title: T
        rules: [EVT-1]
        clients: [alice, server, al ice, alice]
        steps: [settle]
        """,
      """
      4:18: server cannot be the name of a client; expected a word without a meaning
      4:26: "al ice" cannot be the name of a client; expected a letter, then letters, digits, - \
      and _
      4:34: "alice" occurs twice in clients; expected it once
      """),
  ]
}
