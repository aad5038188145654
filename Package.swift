// swift-tools-version: 6.2
//
// Reading order is dependency order: each target may import only targets declared above it.

import PackageDescription

let package = Package(
  name: "kennel",
  products: [
    .library(
      name: "KennelClientInterface", targets: ["ClientInterface", "Hosting", "Tree", "Wire"]),
    .library(
      name: "KennelConformance",
      targets: [
        "Conformance", "Exploration", "Hunting", "KnownFailures", "Metamorphic",
        "ReferenceClient", "Report", "Rules", "Scenario", "Shrinking", "Simulator",
      ]),
    .executable(name: "kennel", targets: ["kennel"]),
  ],
  targets: [
    // C libraries, each imported by exactly one Swift module.
    .systemLibrary(
      name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(
      name: "CWebsockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
    .systemLibrary(name: "CArgp"),
    .systemLibrary(name: "CScheduling"),

    // Values and text.
    .target(
      name: "Tree", dependencies: ["CNettle"], linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Document", dependencies: ["CJansson", "CYAML", "Tree"]),
    .target(name: "Wire", dependencies: ["Document", "Tree"]),

    // What an implementer sees, and what a run leaves behind.
    .target(name: "ClientInterface", dependencies: ["Tree", "Wire"]),
    .target(name: "Hosting", dependencies: ["ClientInterface", "Document", "Tree", "Wire"]),
    .target(name: "Trace", dependencies: ["ClientInterface", "Tree", "Wire"]),
    .target(
      name: "WireMonitor", dependencies: ["ClientInterface", "Document", "Tree", "Wire"]),

    // Behaviour.
    .target(
      name: "ReferenceClient", dependencies: ["ClientInterface", "Document", "Tree", "Wire"]),
    .target(name: "ReferenceServer", dependencies: ["ClientInterface", "Tree", "Wire"]),
    .target(
      name: "Simulator",
      dependencies: ["ClientInterface", "ReferenceServer", "Trace", "Tree", "Wire"]),
    .target(
      name: "Mutants",
      dependencies: [
        "ClientInterface", "Document", "ReferenceClient", "ReferenceServer", "Tree", "Wire",
      ]),

    // Files of cases for the part of a client that keeps data and raises events.
    .target(
      name: "SyncPoint",
      dependencies: ["ClientInterface", "Document", "ReferenceClient", "Tree", "Wire"]),

    // Scenarios, rules, judgement.
    .target(name: "Rules", dependencies: ["Tree"]),
    .target(name: "Scenario", dependencies: ["ClientInterface", "Document", "Tree", "Wire"]),
    .target(
      name: "Conformance",
      dependencies: [
        "ClientInterface", "Document", "ReferenceServer", "Rules", "Scenario", "Simulator",
        "Trace", "Tree", "Wire", "WireMonitor",
      ]),
    .target(
      name: "LiveRuns",
      dependencies: ["ClientInterface", "Conformance", "Scenario", "Trace", "Tree"]),
    .target(
      name: "Exploration",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "ReferenceServer", "Scenario", "Simulator",
        "Trace", "Tree",
      ]),
    .target(
      name: "Metamorphic",
      dependencies: ["ClientInterface", "Conformance", "Scenario", "Trace", "Tree", "Wire"]),

    // What real clients connect to.
    .target(
      name: "LiveServer",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "ReferenceServer", "Scenario", "Simulator",
        "Trace", "Tree", "Wire", "WireMonitor",
      ]),

    // The vocabulary of files and of implementations outside the process; traces and reports.
    .target(
      name: "Adapters",
      dependencies: ["ClientInterface", "Document", "Tree", "Wire", "WireMonitor"]),
    .target(
      name: "TraceFiles",
      dependencies: [
        "Adapters", "ClientInterface", "Conformance", "Document", "Scenario", "Trace", "Tree",
        "Wire",
      ]),
    .target(
      name: "Shrinking",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Exploration", "Scenario", "Tree", "Wire",
      ]),
    .target(
      name: "KnownFailures", dependencies: ["ClientInterface", "Document", "Scenario", "Tree"]),
    .target(
      name: "Report",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Exploration", "KnownFailures",
        "Metamorphic", "Rules", "Scenario", "Shrinking", "Simulator", "SyncPoint", "Trace",
        "TraceFiles", "Tree", "Wire", "WireMonitor",
      ]),

    // Pictures of runs.
    .target(
      name: "Diagrams",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Report", "Scenario", "Trace", "TraceFiles",
        "Tree", "Wire",
      ]),

    // Pages about event order, made by running scenarios.
    .target(
      name: "Documentation",
      dependencies: [
        "ClientInterface", "Conformance", "Diagrams", "Exploration", "Report", "Rules", "Scenario",
        "Trace", "Tree", "Wire",
      ]),

    // Pages about runs. Scripts and style sheets are files, so that editors and browsers know them as
    // what they are, and become part of the binary.
    .target(
      name: "Pages",
      dependencies: [
        "ClientInterface", "Conformance", "Diagrams", "Document", "ReferenceServer", "Report",
        "Scenario", "Simulator", "Trace", "TraceFiles", "Tree", "Wire",
      ],
      resources: [
        .embedInCode("Assets/common.js"), .embedInCode("Assets/live.css"),
        .embedInCode("Assets/live.html"), .embedInCode("Assets/live.js"),
        .embedInCode("Assets/live-clients.js"), .embedInCode("Assets/live-faults.js"),
        .embedInCode("Assets/live-start.js"), .embedInCode("Assets/live-traffic.js"),
        .embedInCode("Assets/live-tree.js"), .embedInCode("Assets/page.css"),
        .embedInCode("Assets/report.css"), .embedInCode("Assets/report.js"),
        .embedInCode("Assets/timeline.js"), .embedInCode("Assets/viewer.css"),
        .embedInCode("Assets/viewer.js"),
      ]),

    // Scenarios that are drawn at random.
    .target(
      name: "Hunting",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "ReferenceClient", "Report", "Scenario",
        "Shrinking", "Trace", "Tree", "Wire",
      ]),
    .target(
      name: "Recordings",
      dependencies: [
        "Adapters", "ClientInterface", "Document", "ReferenceClient", "Trace", "Tree", "Wire",
      ]),

    // What happened somewhere, told again as a scenario.
    .target(
      name: "Retelling",
      dependencies: [
        "Adapters", "ClientInterface", "Conformance", "Document", "Recordings", "ReferenceClient",
        "ReferenceServer", "Scenario", "Trace", "TraceFiles", "Tree", "Wire",
      ]),

    // How much the kit notices.
    .target(
      name: "Detection",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Hunting", "Mutants", "ReferenceClient",
        "Rules", "Scenario", "Shrinking", "Trace", "Tree",
      ]),

    // Command line.
    .executableTarget(
      name: "kennel",
      dependencies: [
        "Adapters", "CArgp", "CScheduling", "CWebsockets", "ClientInterface", "Conformance",
        "Detection", "Diagrams", "Document", "Documentation", "Exploration", "Hunting",
        "KnownFailures", "LiveRuns", "LiveServer", "Metamorphic", "Mutants", "Pages", "Recordings",
        "ReferenceClient", "ReferenceServer", "Report", "Retelling", "Rules", "Scenario",
        "Shrinking", "Simulator", "SyncPoint", "Trace", "TraceFiles", "Tree", "Wire", "WireMonitor",
      ]),

    .testTarget(
      name: "TreeTests", dependencies: ["Document", "Tree", "Wire"], exclude: ["Vectors"]),
    .testTarget(name: "DocumentTests", dependencies: ["Document", "Tree"]),
    .testTarget(name: "WireTests", dependencies: ["Document", "Tree", "Wire"]),
    .testTarget(
      name: "HostingTests",
      dependencies: [
        "ClientInterface", "Conformance", "Hosting", "Scenario", "Trace", "Tree", "Wire",
      ]),
    .testTarget(
      name: "ReferenceServerTests",
      dependencies: ["ClientInterface", "ReferenceServer", "Tree", "Wire"]),
    .testTarget(
      name: "LiveServerTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "LiveServer", "ReferenceServer", "Scenario",
        "Simulator", "Trace", "Tree", "Wire", "WireMonitor",
      ]
    ),
    .testTarget(
      name: "WireMonitorTests",
      dependencies: ["ClientInterface", "Document", "Tree", "Wire", "WireMonitor"]),
    .testTarget(
      name: "ReferenceClientTests",
      dependencies: ["ClientInterface", "Document", "ReferenceClient", "Tree", "Wire"]),
    .testTarget(
      name: "SimulatorTests",
      dependencies: [
        "ClientInterface", "ReferenceClient", "ReferenceServer", "Simulator", "Trace", "Tree",
        "Wire",
      ]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: ["ClientInterface", "Document", "Scenario", "Tree", "Wire"]),
    .testTarget(name: "SyncPointTests", dependencies: ["Report", "SyncPoint", "Tree"]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Mutants", "ReferenceClient", "Report",
        "Rules", "Scenario", "Simulator", "Trace", "Tree", "Wire", "WireMonitor",
      ]),
    .testTarget(
      name: "LiveRunsTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "LiveRuns", "Scenario", "Trace", "Tree",
        "Wire",
      ]),
    .testTarget(
      name: "ExplorationTests",
      dependencies: [
        "ClientInterface", "Conformance", "Exploration", "Mutants", "ReferenceClient", "Report",
        "Rules", "Scenario", "Trace", "Tree", "Wire",
      ]),
    .testTarget(
      name: "MetamorphicTests",
      dependencies: [
        "ClientInterface", "Conformance", "Metamorphic", "Mutants", "ReferenceClient", "Report",
        "Rules", "Scenario", "Tree", "Wire",
      ]),
    .testTarget(
      name: "HuntingTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Hunting", "Mutants", "ReferenceClient",
        "Report", "Rules", "Scenario", "Simulator", "Trace", "Tree", "Wire",
      ]),
    .testTarget(
      name: "TraceFilesTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Mutants", "ReferenceClient", "Report",
        "Scenario", "Trace", "TraceFiles", "Tree", "Wire",
      ]),
    .testTarget(
      name: "ShrinkingTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Exploration", "Mutants", "ReferenceClient",
        "Report", "Rules", "Scenario", "Shrinking", "Tree", "Wire",
      ]),
    .testTarget(
      name: "KnownFailuresTests",
      dependencies: ["Document", "KnownFailures", "Scenario", "Tree"]),
    .testTarget(
      name: "ReportTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "KnownFailures", "Report", "Scenario", "Tree",
      ],
      exclude: ["Schemas"]),
    .testTarget(
      name: "AdaptersTests",
      dependencies: [
        "Adapters", "ClientInterface", "Document", "Mutants", "Recordings", "ReferenceClient",
        "Tree", "Wire",
      ],
      exclude: ["Recordings"]),
    .testTarget(
      name: "RetellingTests",
      dependencies: [
        "ClientInterface", "Conformance", "Document", "Mutants", "Recordings", "ReferenceClient",
        "Retelling", "Scenario", "Trace", "TraceFiles", "Tree", "Wire",
      ]),
    .testTarget(
      name: "DiagramsTests",
      dependencies: [
        "ClientInterface", "Conformance", "Diagrams", "Mutants", "ReferenceClient", "Report",
        "Scenario", "Trace", "TraceFiles", "Tree", "Wire",
      ]),
    .testTarget(
      name: "PagesTests",
      dependencies: [
        "ClientInterface", "Conformance", "Diagrams", "Document", "Mutants", "Pages",
        "ReferenceClient", "Report", "Rules", "Scenario", "Simulator", "Trace", "TraceFiles",
        "Tree",
      ]),
    .testTarget(
      name: "DetectionTests",
      dependencies: [
        "ClientInterface", "Conformance", "Detection", "Mutants", "ReferenceClient", "Rules",
        "Scenario", "Tree",
      ]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "ClientInterface", "Conformance", "Documentation", "Exploration", "Mutants",
        "ReferenceClient", "Rules", "Scenario", "Tree", "Wire",
      ]),
    .testTarget(
      name: "CommandLineTests", dependencies: ["Document", "Tree", "kennel"], exclude: ["Adapters"]),
    .testTarget(name: "ArchitectureTests", dependencies: ["Rules", "Tree"]),
  ]
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
