// swift-tools-version: 6.2
//
// The one table of modules. Reading order is dependency order: a module imports only modules above
// it, and a group of modules (a folder of Sources) only groups above it. ArchitectureTests read
// this file.

import PackageDescription

/// C libraries, each imported by exactly one Swift module.
let libraries: [Target] = [
  library("CJansson", pkgConfig: "jansson", package: "libjansson-dev"),
  library("CYAML", pkgConfig: "yaml-0.1", package: "libyaml-dev"),
  library("CNettle", pkgConfig: "nettle", package: "nettle-dev"),
  library("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
  library("CWebsockets", pkgConfig: "libwebsockets", package: "libwebsockets-dev"),
  library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
  .systemLibrary(name: "CArgp", path: "Sources/0-CLibraries/CArgp"),
  .systemLibrary(name: "CScheduling", path: "Sources/0-CLibraries/CScheduling"),
]

/// Folder below Sources, and what the module imports.
let modules: [Target] = [
  // Values and text.
  module("1-Values/Text", ""),
  module("1-Values/Tree", "CNettle", linking: "m"),
  module("1-Values/Document", "CJansson CYAML Text Tree"),

  // What clients and servers exchange, and what a run leaves behind.
  module("2-Protocol/Wire", "Tree"),
  module("2-Protocol/EngineIO", "Document Text Tree"),
  module("2-Protocol/ClientInterface", "Tree Wire"),
  module("2-Protocol/Vocabulary", "ClientInterface Tree Wire"),
  module("2-Protocol/Faults", "ClientInterface Tree Wire"),
  module("2-Protocol/Trace", "ClientInterface Faults Text Tree Wire"),
  module("2-Protocol/RunModel", "ClientInterface Faults Trace Tree Wire"),
  module(
    "2-Protocol/WireMonitor",
    "ClientInterface Document RunModel Text Trace Tree Vocabulary Wire"),

  // Implementations: right by construction, wrong on purpose, or hosted.
  module("3-Reference/ReferenceClient", "ClientInterface Document Tree Wire"),
  module("3-Reference/SecurityRules", "Document Text Tree"),
  module(
    "3-Reference/ReferenceServer", "ClientInterface Document Faults SecurityRules Text Tree Wire"),
  module("3-Reference/Interception", "ClientInterface ReferenceClient RunModel Tree Wire"),
  module(
    "3-Reference/Mutants",
    "ClientInterface Document Interception ReferenceClient ReferenceServer RunModel Tree Wire"),
  module("3-Reference/Hosting", "ClientInterface Document Tree Wire"),

  // The documented SDKs: one engine, two interfaces, and how the kit runs them.
  module("3-SDK/ClientEngine", "ClientInterface ReferenceClient Tree Wire"),
  module("3-SDK/ClientStorage", "CSQLite Tree"),
  module(
    "3-SDK/ClientMachine",
    "CWebsockets ClientEngine ClientInterface ClientStorage Document EngineIO Tree Wire"),
  module("3-SDK/Wilddog", "ClientEngine ClientInterface ClientMachine Tree"),
  module("3-SDK/WilddogSync", "ClientEngine ClientInterface ClientMachine Tree"),
  module(
    "3-SDK/HostedSDKs",
    "ClientEngine ClientInterface ClientMachine Hosting Tree Wilddog WilddogSync Wire"),

  // Scenarios, rules, simulated runs and their verdicts.
  module("4-Judging/Rules", "Document Text Tree"),
  module(
    "4-Judging/Scenario",
    "ClientInterface Document Faults Rules SecurityRules Text Trace Tree Wire"),
  module(
    "4-Judging/ScenarioFiles",
    "ClientInterface Document Faults Rules Scenario SecurityRules Text Tree Wire"),
  module(
    "4-Judging/Simulator",
    "ClientInterface Faults ReferenceServer SecurityRules Trace Tree Wire"),
  module(
    "4-Judging/Invariants",
    "ClientInterface RunModel Scenario Trace Tree Wire WireMonitor"),
  module(
    "4-Judging/Conformance",
    "ClientInterface Document Faults Invariants ReferenceServer Rules RunModel Scenario Simulator "
      + "Trace Tree Wire WireMonitor"),
  module(
    "4-Judging/Wording",
    "ClientInterface Conformance Document Scenario Text Trace Tree Wire WireMonitor"),

  // Files and implementations outside the process.
  module(
    "5-Outside/AdapterProtocol",
    "ClientInterface Document Text Tree Vocabulary Wire WireMonitor"),
  module(
    "5-Outside/TraceFiles",
    "ClientInterface Conformance Document Faults Scenario ScenarioFiles Simulator Trace Tree "
      + "Vocabulary Wire Wording"),
  module(
    "5-Outside/Recordings",
    "ClientInterface Document ReferenceClient Text Trace Tree Vocabulary Wire"),
  module(
    "5-Outside/ScenarioExtraction",
    "ClientInterface Conformance Document Faults Recordings ReferenceClient ReferenceServer "
      + "RunModel Scenario ScenarioFiles Text Trace TraceFiles Tree Vocabulary Wire"),
  module(
    "5-Outside/SyncPoint",
    "ClientInterface Document Faults Scenario ScenarioFiles Text Tree Wire"),
  module("5-Outside/HTTP", "CZlib Document Tree Wire"),
  module(
    "5-Outside/LiveServer",
    "ClientInterface Document EngineIO Faults HTTP ReferenceServer Scenario ScenarioFiles "
      + "SecurityRules Text Trace Tree Wire WireMonitor"),
  module("5-Outside/LiveTraces", "ClientInterface Document Faults LiveServer Trace Tree Wire"),

  // Many runs of one scenario, and smaller scenarios that fail alike.
  module(
    "6-Search/Exploration",
    "ClientInterface Conformance Document Faults Scenario Trace Tree"),
  module("6-Search/Metamorphic", "ClientInterface Conformance Faults Scenario Trace Tree"),
  module(
    "6-Search/Shrinking",
    "ClientInterface Conformance Document Exploration Faults Scenario ScenarioFiles Tree Wire"),

  // Results for people and for other programs.
  module("7-Presentation/Markup", "Text"),
  module("7-Presentation/KnownFailures", "ClientInterface Document Scenario Text Tree"),
  module(
    "7-Presentation/Reports",
    "ClientInterface Conformance Document KnownFailures Markup Rules Scenario Text Trace "
      + "TraceFiles Tree Wire Wording"),
  module(
    "7-Presentation/SearchReports",
    "ClientInterface Conformance Document Exploration Metamorphic Reports Scenario Shrinking Text "
      + "Trace Tree Wire Wording"),
  module(
    "7-Presentation/Diagrams",
    "ClientInterface Conformance Exploration Faults Markup Scenario Text Trace TraceFiles Tree "
      + "Wire",
    embedding: "picture.css"),
  module(
    "7-Presentation/Documentation",
    "ClientInterface Conformance Diagrams Exploration Faults Markup Rules Scenario Text Trace Tree "
      + "Wire",
    embedding: "search.js site.css"),
  module(
    "7-Presentation/WebPages",
    "ClientInterface Conformance Diagrams Document Faults Markup Reports Rules RunModel Scenario "
      + "Simulator Text Trace TraceFiles Tree Wire",
    embedding: "common.js live.css live.html live.js live-clients.js live-faults.js live-start.js "
      + "live-traffic.js live-tree.js page.css report.css report.js timeline.js ui.css ui.html ui.js "
      + "ui-editor.js ui-tree.js viewer.css viewer.html viewer.js"
  ),

  // Many scenarios, and how much the kit detects.
  module(
    "8-Campaigns/Hunting",
    "ClientInterface Conformance Document Faults Invariants Markup ReferenceClient Scenario "
      + "ScenarioFiles Shrinking Text Trace Tree Wire Wording"),
  module(
    "8-Campaigns/MutationAnalysis",
    "ClientInterface Conformance Document Hunting Markup Mutants ReferenceClient Rules Scenario "
      + "ScenarioFiles Shrinking Text Trace Tree"),

  // The operating system, and what runs on it for long.
  module("8-Hosts/System", "Text"),
  module("8-Hosts/Processes", "CScheduling Reports System Text"),
  module("8-Hosts/Workers", "Processes System"),
  module(
    "8-Hosts/Workspace",
    "ClientInterface Conformance Diagrams Document Documentation Recordings Reports Rules Scenario "
      + "ScenarioExtraction ScenarioFiles System Text Trace TraceFiles Tree Wire"),
  module(
    "8-Hosts/ServerHost",
    "CWebsockets ClientInterface Document Faults HTTP LiveServer LiveTraces "
      + "ReferenceServer Scenario ScenarioFiles SecurityRules System Text Trace TraceFiles Tree "
      + "WebPages WireMonitor"),
  module(
    "8-Hosts/AdapterSessions",
    "AdapterProtocol ClientInterface Conformance Document HostedSDKs Interception Mutants Processes "
      + "ReferenceClient ReferenceServer Reports System Text Tree Wire"),
  module(
    "8-Hosts/RealClock",
    "AdapterProtocol AdapterSessions ClientInterface Conformance Document Faults HTTP LiveServer "
      + "LiveTraces ReferenceServer Scenario ServerHost System Trace Tree Wire"),
  module(
    "8-Hosts/AdapterChecks",
    "AdapterProtocol AdapterSessions ClientInterface Conformance Processes RealClock Reports "
      + "Scenario ScenarioFiles System Text Trace Tree Wire Wording"),
  module(
    "8-Hosts/Runs",
    "AdapterProtocol AdapterSessions ClientInterface Conformance Document Exploration Hunting "
      + "KnownFailures Processes RealClock Recordings ReferenceClient Reports Rules Scenario "
      + "ScenarioFiles Shrinking System Text Trace TraceFiles Tree WebPages Wording Workers "
      + "Workspace"),
  module("8-Hosts/KennelTesting", "ClientInterface Runs"),
  module(
    "8-Hosts/Campaigns",
    "AdapterSessions ClientInterface Conformance Document Hunting Mutants MutationAnalysis "
      + "Processes ReferenceClient Reports Scenario System Text Tree Workers Workspace"),
  module(
    "8-Hosts/Benchmarks",
    "ClientEngine ClientInterface ClientMachine Conformance Document Exploration Hunting Processes "
      + "ReferenceClient Scenario ServerHost Simulator System Text Trace Tree WilddogSync Wire"),
  module("8-Hosts/Chat", "WilddogSync"),
  module(
    "8-Hosts/RecordedRuns",
    "AdapterSessions ClientInterface Conformance Document Exploration Processes Recordings "
      + "ReferenceClient Reports Rules Runs Scenario ScenarioExtraction ScenarioFiles "
      + "SearchReports Shrinking System Text TraceFiles Tree Wording Workspace"),
  module(
    "8-Hosts/UserInterface",
    "AdapterSessions ClientInterface Conformance Document Exploration Faults HTTP Reports Rules "
      + "Runs Scenario ScenarioFiles System Text TraceFiles Tree WebPages Workers Workspace"),

  // The command line.
  module("9-CommandLine/Commands", "CArgp System Text"),
  module(
    "9-CommandLine/kennel",
    "AdapterChecks AdapterProtocol AdapterSessions Benchmarks Campaigns Chat ClientEngine "
      + "ClientInterface Commands "
      + "Conformance Diagrams Document Documentation Exploration Hunting Invariants "
      + "KnownFailures Metamorphic Mutants MutationAnalysis Processes RecordedRuns "
      + "Reports Rules Runs Scenario ScenarioExtraction SearchReports ServerHost Shrinking "
      + "Simulator SyncPoint System Text Trace TraceFiles Tree UserInterface WebPages Wire "
      + "WireMonitor Workers "
      + "Workspace"),
]

/// What tests share: scenarios written in tests, programs to run, texts kept as files.
let support: Target = .target(
  name: "TestKit",
  dependencies: dependencies(
    "ClientInterface Conformance Document Mutants ReferenceClient Rules Scenario "
      + "ScenarioFiles TraceFiles Tree Wire"),
  path: "Tests/TestKit", swiftSettings: settings())

/// Folder below Tests, and what the tests import.
let tests: [Target] = [
  test("TextTests", "Text"),
  test(
    "TreeTests", "Document TestKit Tree",
    exclude: ["Vectors"]),
  test("DocumentTests", "Document TestKit Tree"),
  test("WireTests", "Document TestKit Tree Wire"),
  test("HostingTests", "ClientInterface Conformance Hosting Scenario TestKit Tree Wire"),
  test(
    "SDKTests",
    "ClientEngine ClientInterface ClientMachine ClientStorage HostedSDKs ReferenceClient "
      + "Runs ServerHost TestKit Tree Wilddog WilddogSync Wire"),
  test("FaultsTests", "ClientInterface Faults TestKit Trace"),
  test("SecurityRulesTests", "Document SecurityRules TestKit Tree"),
  test("ReferenceServerTests", "ClientInterface Faults ReferenceServer Tree Wire"),
  test(
    "LiveServerTests",
    "ClientInterface Document Faults HTTP LiveServer LiveTraces ReferenceServer Scenario "
      + "ScenarioFiles SecurityRules Simulator TestKit Trace Tree Wire WireMonitor"),
  test("WireMonitorTests", "ClientInterface Document TestKit Trace Tree Wire WireMonitor"),
  test("ReferenceClientTests", "ClientInterface Document ReferenceClient TestKit Tree Wire"),
  test(
    "SimulatorTests",
    "ClientInterface Faults ReferenceClient ReferenceServer Simulator TestKit Trace Tree "
      + "Wire"),
  test("WordingTests", "ClientInterface Conformance Tree Wording"),
  test(
    "ScenarioTests",
    "ClientInterface Document Faults Rules Scenario ScenarioFiles TestKit Tree Wire"),
  test("SyncPointTests", "ClientInterface Conformance SyncPoint TestKit"),
  test(
    "ConformanceTests",
    "ClientInterface Conformance Document Faults Invariants Mutants ReferenceClient "
      + "Reports Rules Scenario ScenarioFiles Simulator TestKit Text Trace Tree Wire "
      + "WireMonitor Wording"),
  test(
    "RealClockTests",
    "ClientInterface Conformance Document Invariants RealClock Scenario TestKit Trace"),
  test(
    "ExplorationTests",
    "ClientInterface Conformance Document Exploration Mutants ReferenceClient Reports "
      + "Rules Scenario ScenarioFiles SearchReports TestKit Trace Tree Wire"),
  test(
    "MetamorphicTests",
    "ClientInterface Conformance Metamorphic Mutants ReferenceClient Reports Rules "
      + "Scenario SearchReports TestKit Tree Wire"),
  test(
    "HuntingTests",
    "ClientInterface Conformance Document Faults Hunting Mutants ReferenceClient Scenario "
      + "TestKit Trace Tree Wording"),
  test(
    "TraceFilesTests",
    "ClientInterface Conformance Document Faults Reports Scenario TestKit Trace TraceFiles Tree "
      + "Wire",
    exclude: ["Traces"]),
  test(
    "ShrinkingTests",
    "ClientInterface Conformance Document Exploration Mutants ReferenceClient Reports "
      + "Rules Scenario ScenarioFiles SearchReports Shrinking TestKit Tree Wire Wording"),
  test("MarkupTests", "Markup"),
  test("KnownFailuresTests", "Document KnownFailures Scenario TestKit"),
  test(
    "ReportsTests",
    "Conformance Document KnownFailures Reports Scenario TestKit Tree",
    exclude: ["Schemas"]),
  test("VocabularyTests", "ClientInterface Tree Vocabulary Wire"),
  test(
    "AdapterProtocolTests",
    "AdapterProtocol ClientInterface Document ReferenceClient TestKit Tree"),
  test(
    "RecordingsTests",
    "ClientInterface Document Mutants Recordings ReferenceClient TestKit Tree",
    exclude: ["Recordings"]),
  test(
    "ScenarioExtractionTests",
    "ClientInterface Conformance Document Faults Recordings Scenario ScenarioExtraction "
      + "ScenarioFiles TestKit Trace TraceFiles Tree Wire"),
  test("DiagramsTests", "Conformance Diagrams Scenario TestKit"),
  test(
    "WebPagesTests",
    "Conformance Diagrams Document Faults Reports Rules Scenario Simulator TestKit Trace "
      + "Tree WebPages"),
  test(
    "MutationAnalysisTests",
    "ClientInterface Conformance Mutants MutationAnalysis Rules Scenario ScenarioFiles "
      + "TestKit Tree"),
  test("DocumentationTests", "Documentation Rules Scenario TestKit"),
  test("SystemTests", "System TestKit"),
  test("ProcessesTests", "Processes System TestKit"),
  test("ServerHostTests", "HTTP LiveServer ServerHost System TestKit Tree"),
  test(
    "AdapterSessionsTests",
    "AdapterProtocol AdapterSessions ClientInterface Conformance Scenario System TestKit"),
  test("AdapterChecksTests", "AdapterChecks AdapterSessions System TestKit"),
  test("WorkersTests", "Processes System Workers"),
  test("WorkspaceTests", "Document Rules Scenario System TestKit Workspace"),
  test("RunsTests", "KnownFailures Reports Runs System TestKit Text"),
  test(
    "KennelTestingTests",
    "ClientInterface KennelTesting Mutants ReferenceClient Runs TestKit Tree Wire"),
  test("CampaignsTests", "AdapterSessions Campaigns Hunting System TestKit"),
  test("BenchmarksTests", "Benchmarks"),
  test("UserInterfaceTests", "Document HTTP Runs System Tree UserInterface"),
  test("CommandsTests", "Commands System"),
  test("RecordedRunsTests", "RecordedRuns Scenario System TestKit"),
  test(
    "CommandLineTests", "TestKit",
    exclude: ["Adapters"]),
  test(
    "ExampleTests",
    "Campaigns ClientInterface Mutants ReferenceClient Runs ServerHost TestKit Tree"),
  test("ArchitectureTests", "Document Rules TestKit", isOptimised: true),
]

/// What tools/fuzz builds, in a folder of its own: libFuzzer has the main function.
let fuzzers: [Target] =
  Context.environment["KENNEL_FUZZ_BUILD"] == nil
  ? []
  : [
    .executableTarget(
      name: "Fuzz",
      dependencies: dependencies(
        "AdapterProtocol ClientEngine ClientInterface ClientMachine Document EngineIO HTTP "
          + "KnownFailures LiveServer Recordings ReferenceClient ReferenceServer Scenario "
          + "ScenarioFiles SecurityRules TraceFiles Tree Wire WireMonitor"), path: "Tests/Fuzz",
      exclude: ["Corpus"],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]

let package = Package(
  name: "kennel",
  products: [
    .library(
      name: "KennelClientInterface", targets: ["ClientInterface", "Hosting", "Tree", "Wire"]),
    .library(
      name: "KennelConformance",
      targets: [
        "Campaigns", "Conformance", "Exploration", "Hunting", "KnownFailures", "Metamorphic",
        "ReferenceClient", "Reports", "Rules", "Runs", "Scenario", "SearchReports", "Shrinking",
        "Simulator",
      ]),
    .library(name: "KennelTesting", targets: ["KennelTesting"]),
    .library(name: "KennelServer", targets: ["ServerHost", "Tree"]),
    .library(name: "Wilddog", targets: ["Wilddog"]),
    .library(name: "WilddogSync", targets: ["WilddogSync"]),
    .executable(name: "kennel", targets: ["kennel"]),
  ],
  targets: libraries + withImportsOfImports(modules + [support] + tests + fuzzers)
)

func library(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/0-CLibraries/" + name, pkgConfig: pkgConfig,
    providers: [.apt([package])])
}

// A module is compiled again when a file that it depends on differs, and the file of a module differs only
// when its own interface does. What values are made of is another matter: how large they are depends on
// modules that only their modules import. So each depends on all that it imports, directly or not.
func withImportsOfImports(_ targets: [Target]) -> [Target] {
  var imports: [String: [String]] = [:]
  for target in targets {
    var all = target.dependencies.compactMap { dependency in
      if case let .byNameItem(name, _) = dependency { name } else { nil }
    }
    for name in all.flatMap({ imports[$0] ?? [] }) where !all.contains(name) { all.append(name) }
    imports[target.name] = all
    target.dependencies = all.map { .init(stringLiteral: $0) }
  }
  return targets
}

// The folder is that of the group and the module, as in `1-Values/Tree`; the imports are separated
// by spaces. Embedded files of `Assets` become part of the binary: they are files, so that editors
// and browsers know scripts and style sheets as what they are. The program has Swift's libraries in it,
// so that it starts quickly, and on machines without Swift. Of mimalloc it only needs to be linked with it:
// malloc is then that of mimalloc.
func module(
  _ folder: String, _ imports: String, linking library: String? = nil,
  embedding embedded: String = ""
) -> Target {
  let name = String(folder.split(separator: "/")[1])
  let path = "Sources/" + folder
  guard name != "kennel" else {
    return .executableTarget(
      name: name, dependencies: dependencies(imports), path: path, swiftSettings: settings(),
      linkerSettings: [.unsafeFlags(["-static-stdlib"]), .linkedLibrary("mimalloc")])
  }
  return .target(
    name: name, dependencies: dependencies(imports), path: path,
    resources: words(embedded).map { .embedInCode("Assets/" + $0) }, swiftSettings: settings(),
    linkerSettings: library.map { [.linkedLibrary($0)] })
}

// Optimising the tests themselves would double what they take to build, which pays only where they
// compute much themselves; what they call is optimised. No other module imports them, so that their
// interface need not be there before their code: without a second compiler for it, which expands
// every macro again, they take a fifth less.
func test(
  _ name: String, _ imports: String, exclude: [String] = [], isOptimised: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies(imports), exclude: exclude,
    swiftSettings: settings() + [
      .unsafeFlags(["-no-emit-module-separately-wmo"] + (isOptimised ? [] : ["-Onone"]))
    ])
}

func dependencies(_ names: String) -> [Target.Dependency] {
  words(names).map { .init(stringLiteral: $0) }
}

func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

func settings() -> [SwiftSetting] {
  [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
