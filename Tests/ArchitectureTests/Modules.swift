/// What each module may import, in dependency order; the arrows only lead upwards in this table.
enum Modules {
  static let table: [(name: String, imports: [String])] = [
    ("Tree", ["CNettle", "Glibc"]),
    ("Document", ["CJansson", "CYAML", "Tree", "Glibc"]),
    ("Wire", ["Document", "Tree"]),
    ("ClientInterface", ["Tree", "Wire"]),
    ("Hosting", ["ClientInterface", "Document", "Tree", "Wire", "Glibc", "Synchronization"]),
    ("Trace", ["ClientInterface", "Tree", "Wire"]),
    ("WireMonitor", ["ClientInterface", "Document", "Tree", "Wire"]),
    ("ReferenceClient", ["ClientInterface", "Document", "Tree", "Wire"]),
    ("ReferenceServer", ["ClientInterface", "Tree", "Wire"]),
    ("Simulator", ["ClientInterface", "ReferenceServer", "Trace", "Tree", "Wire"]),
    (
      "Mutants",
      ["ClientInterface", "Document", "ReferenceClient", "ReferenceServer", "Tree", "Wire"]
    ),
    ("SyncPoint", ["ClientInterface", "Document", "ReferenceClient", "Tree", "Wire"]),
    ("Rules", ["Tree"]),
    ("Scenario", ["ClientInterface", "Document", "Tree", "Wire"]),
    (
      "Conformance",
      [
        "ClientInterface", "Document", "ReferenceServer", "Rules", "Scenario", "Simulator",
        "Trace", "Tree", "Wire", "WireMonitor",
      ]
    ),
    ("LiveRuns", ["ClientInterface", "Conformance", "Scenario", "Trace", "Tree"]),
    (
      "Exploration",
      [
        "ClientInterface", "Conformance", "Document", "ReferenceServer", "Scenario", "Simulator",
        "Trace", "Tree",
      ]
    ),
    ("Metamorphic", ["ClientInterface", "Conformance", "Scenario", "Trace", "Tree", "Wire"]),
    (
      "LiveServer",
      [
        "ClientInterface", "Conformance", "Document", "ReferenceServer", "Scenario", "Simulator",
        "Trace", "Tree", "Wire", "WireMonitor",
      ]
    ),
    ("Adapters", ["ClientInterface", "Document", "Tree", "Wire", "WireMonitor"]),
    (
      "TraceFiles",
      [
        "Adapters", "ClientInterface", "Conformance", "Document", "Scenario", "Trace", "Tree",
        "Wire",
      ]
    ),
    (
      "Shrinking",
      [
        "ClientInterface", "Conformance", "Document", "Exploration", "Scenario", "Tree", "Wire",
      ]
    ),
    ("KnownFailures", ["ClientInterface", "Document", "Scenario", "Tree"]),
    (
      "Report",
      [
        "ClientInterface", "Conformance", "Document", "Exploration", "KnownFailures",
        "Metamorphic", "Rules", "Scenario", "Shrinking", "Simulator", "SyncPoint", "Trace",
        "TraceFiles", "Tree", "Wire", "WireMonitor",
      ]
    ),
    (
      "Diagrams",
      [
        "ClientInterface", "Conformance", "Document", "Report", "Scenario", "Trace", "TraceFiles",
        "Tree", "Wire",
      ]
    ),
    (
      "Documentation",
      [
        "ClientInterface", "Conformance", "Diagrams", "Exploration", "Report", "Rules", "Scenario",
        "Trace", "Tree", "Wire",
      ]
    ),
    (
      "Pages",
      [
        "ClientInterface", "Conformance", "Diagrams", "Document", "ReferenceServer", "Report",
        "Scenario", "Simulator", "Trace", "TraceFiles", "Tree", "Wire",
      ]
    ),
    (
      "Hunting",
      [
        "ClientInterface", "Conformance", "Document", "ReferenceClient", "Report", "Scenario",
        "Shrinking", "Trace", "Tree", "Wire",
      ]
    ),
    (
      "Recordings",
      ["Adapters", "ClientInterface", "Document", "ReferenceClient", "Trace", "Tree", "Wire"]
    ),
    (
      "Retelling",
      [
        "Adapters", "ClientInterface", "Conformance", "Document", "Recordings", "ReferenceClient",
        "ReferenceServer", "Scenario", "Trace", "TraceFiles", "Tree", "Wire",
      ]
    ),
    (
      "Detection",
      [
        "ClientInterface", "Conformance", "Document", "Hunting", "Mutants", "ReferenceClient",
        "Rules", "Scenario", "Shrinking", "Trace", "Tree",
      ]
    ),
    (
      "kennel",
      [
        "Adapters", "CArgp", "CScheduling", "CWebsockets", "ClientInterface", "Conformance",
        "Detection", "Diagrams", "Document", "Documentation", "Exploration", "Hunting",
        "KnownFailures", "LiveRuns", "LiveServer", "Metamorphic", "Mutants", "Pages", "Recordings",
        "ReferenceClient", "ReferenceServer", "Report", "Retelling", "Rules", "Scenario",
        "Shrinking", "Simulator", "SyncPoint", "Trace", "TraceFiles", "Tree", "Wire",
        "WireMonitor", "Glibc",
      ]
    ),
  ]

  static let imports = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.imports) })
}
