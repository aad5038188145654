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
  .systemLibrary(name: "CCounting", path: "Sources/0-CLibraries/CCounting"),
]

/// Folder below Sources, and what the module imports.
let modules: [Target] = [
  // Values, text and documents.
  module("1-Values/Tree", "CNettle", linking: "m"),
  module("1-Values/Document", "CJansson Tree"),
  module("1-Values/YAML", "CYAML Document Tree"),

  // What clients and servers exchange, and what a run leaves behind.
  module("2-Protocol/Wire", "Document Tree"),
  module("2-Protocol/ClientInterface", "Document Tree Wire"),
  module("2-Protocol/Faults", "ClientInterface Tree Wire"),
  module("2-Protocol/Trace", "ClientInterface Document Faults Tree Wire"),
  module("2-Protocol/RunModel", "ClientInterface Document Faults Trace Tree Wire"),

  // Implementations: right by construction, wrong on purpose, hosted, or made for applications.
  module("3-Implementations/ReferenceClient", "ClientInterface Document Tree Wire"),
  module("3-Implementations/ReferenceServer", "ClientInterface Document Faults Tree Wire"),
  module(
    "3-Implementations/Mutants",
    "ClientInterface Document ReferenceClient ReferenceServer RunModel Tree Wire"),
  module("3-Implementations/Hosting", "ClientInterface Document Tree Wire"),
  module("3-Implementations/ClientEngine", "ClientInterface ReferenceClient Tree Wire"),
  module(
    "3-Implementations/ClientMachine",
    "CSQLite CWebsockets ClientEngine ClientInterface Document Tree Wire"),
  module("3-Implementations/Wilddog", "ClientEngine ClientInterface ClientMachine Tree"),
  module("3-Implementations/WilddogSync", "ClientEngine ClientInterface ClientMachine Tree"),
  module(
    "3-Implementations/HostedSDKs",
    "ClientEngine ClientInterface ClientMachine Hosting Tree Wilddog WilddogSync Wire"),

  // Rules, scenarios, simulated runs and their verdicts.
  module("4-Judging/Scenario", "ClientInterface Document Faults ReferenceServer Trace Tree Wire"),
  module(
    "4-Judging/ScenarioFiles",
    "ClientInterface Document Faults ReferenceServer Scenario Tree Wire YAML"),
  module("4-Judging/Simulator", "ClientInterface Faults ReferenceServer Trace Tree Wire"),
  module("4-Judging/Invariants", "ClientInterface RunModel Scenario Trace Tree Wire"),
  module(
    "4-Judging/Conformance",
    "ClientInterface Document Faults Invariants ReferenceServer RunModel Scenario Simulator Trace Tree "
      + "Wire"),

  // Files and implementations outside the process.
  module("5-Outside/AdapterProtocol", "ClientInterface Document RunModel Tree Wire"),
  module(
    "5-Outside/TraceFiles",
    "ClientInterface Conformance Document Faults Scenario ScenarioFiles Simulator Trace Tree "
      + "Wire"),
  module(
    "5-Outside/Recordings",
    "ClientInterface Conformance Document Faults ReferenceClient ReferenceServer "
      + "RunModel Scenario ScenarioFiles Trace TraceFiles Tree Wire YAML"),
  module(
    "5-Outside/LiveServer",
    "CZlib ClientInterface Document Faults ReferenceServer RunModel Scenario ScenarioFiles Trace "
      + "Tree Wire"),

  // Many runs of one scenario, smaller scenarios that fail alike, and how much the kit detects.
  module(
    "6-Search/Search",
    "ClientInterface Conformance Document Faults RunModel Scenario ScenarioFiles Trace Tree "
      + "Wire"),
  module(
    "6-Search/Metamorphic",
    "ClientInterface Conformance Faults Scenario ScenarioFiles Trace Tree"),
  module(
    "6-Search/Hunting",
    "ClientInterface Conformance Document Faults Invariants ReferenceClient Scenario "
      + "ScenarioFiles Search Trace Tree Wire YAML"),
  module(
    "6-Search/MutationAnalysis",
    "ClientInterface Conformance Document Hunting Mutants ReferenceClient Scenario ScenarioFiles "
      + "Search Trace Tree"),

  // Results for people and for other programs.
  module(
    "7-Presentation/Reports",
    "ClientInterface Conformance Document Faults Metamorphic Scenario Search Trace TraceFiles "
      + "Tree Wire YAML"),
  module(
    "7-Presentation/Documentation",
    "ClientInterface Conformance Document Faults Scenario Search Trace TraceFiles Tree Wire",
    embedding: "picture.css search.js site.css"),
  module(
    "7-Presentation/WebPages",
    "ClientInterface Conformance Document Documentation Faults Reports RunModel Scenario "
      + "Simulator Trace TraceFiles Tree Wire",
    embedding:
      "common.js live-clients.js live-faults.js live-start.js live-traffic.js live-tree.js "
      + "live.css live.html live.js page.css report.css report.js timeline.js ui-editor.js "
      + "ui-fleet.js ui-run.js ui-tree.js ui.css ui.html ui.js viewer.css viewer.html viewer.js"),

  // The operating system, and what it hosts: files, processes, sockets, clocks.
  module("8-Hosts/System", "CScheduling Document"),
  module(
    "8-Hosts/Workspace",
    "AdapterProtocol ClientInterface Conformance Document Documentation Recordings "
      + "Reports Scenario ScenarioFiles System Trace TraceFiles Tree Wire YAML"),
  module(
    "8-Hosts/ServerHost",
    "CWebsockets ClientEngine ClientInterface ClientMachine Document Faults LiveServer "
      + "ReferenceServer RunModel Scenario ScenarioFiles System Trace TraceFiles Tree WebPages Wire"
  ),
  module(
    "8-Hosts/AdapterSessions",
    "AdapterProtocol ClientInterface Conformance Document HostedSDKs Mutants ReferenceClient "
      + "ReferenceServer Scenario Simulator System Tree Wire"),

  // What is started: runs, campaigns, benchmarks, the user interface, the command line.
  module(
    "9-Programs/RealClock",
    "AdapterProtocol AdapterSessions ClientInterface Conformance Document Faults LiveServer "
      + "ReferenceServer RunModel Scenario ServerHost System Trace Tree Wire"),
  module(
    "9-Programs/Runs",
    "AdapterProtocol AdapterSessions ClientInterface Conformance Document Hunting Metamorphic "
      + "Mutants MutationAnalysis RealClock Recordings ReferenceClient Reports Scenario "
      + "ScenarioFiles Search ServerHost System Trace TraceFiles Tree WebPages Wire Workspace YAML"),
  module("9-Programs/KennelTesting", "ClientInterface Runs"),
  module(
    "9-Programs/WilddogTesting",
    "ClientEngine ClientInterface ClientMachine Document Faults Hosting ReferenceServer Simulator "
      + "Trace Tree WilddogSync Wire"),
  module(
    "9-Programs/Benchmarks",
    "ClientEngine ClientInterface ClientMachine Conformance Document Hunting ReferenceClient "
      + "Scenario Search ServerHost Simulator System Trace Tree WilddogSync Wire"),
  module(
    "9-Programs/UserInterface",
    "AdapterSessions ClientInterface Conformance Document Faults LiveServer Reports Runs "
      + "Scenario ScenarioFiles Search System TraceFiles Tree WebPages Workspace"),
  module("9-Programs/Commands", "CArgp Document System"),
  module(
    "9-Programs/kennel",
    "AdapterProtocol AdapterSessions Benchmarks CCounting ClientEngine ClientInterface Commands "
      + "Conformance Document Documentation Hunting Invariants Metamorphic Mutants MutationAnalysis Recordings "
      + "Reports RunModel Runs Scenario Search ServerHost System Trace TraceFiles Tree UserInterface "
      + "WebPages WilddogSync Workspace YAML"),
]

/// What tests share: scenarios written in tests, programs to run, texts kept as files.
let support: Target = .target(
  name: "TestKit",
  dependencies: dependencies(
    "ClientInterface Conformance Document Mutants ReferenceClient Scenario ScenarioFiles "
      + "TraceFiles Tree Wire"),
  path: "Tests/TestKit", swiftSettings: settings())

/// Folder below Tests, and what the tests import.
let tests: [Target] = [
  test("TextTests", "Document"),
  test(
    "TreeTests",
    "Document TestKit Tree",
    exclude: ["Vectors"]),
  test("DocumentTests", "Document TestKit Tree YAML"),
  test("WireTests", "Document TestKit Tree Wire"),
  test("HostingTests", "ClientInterface Conformance Hosting Scenario TestKit Tree Wire"),
  test(
    "SDKTests",
    "ClientEngine ClientInterface ClientMachine Conformance HostedSDKs Hunting ReferenceClient Runs "
      + "Scenario ServerHost TestKit Tree Wilddog WilddogSync Wire"),
  test("FaultsTests", "ClientInterface Faults TestKit Trace"),
  test("SecurityRulesTests", "Document ReferenceServer TestKit Tree"),
  test("ReferenceServerTests", "ClientInterface Faults ReferenceServer Tree Wire"),
  test(
    "LiveServerTests",
    "ClientInterface Document Faults LiveServer ReferenceServer RunModel Scenario ScenarioFiles "
      + "Simulator TestKit Trace Tree Wire"),
  test("WireMonitorTests", "ClientInterface Document RunModel TestKit Trace Tree Wire"),
  test("ReferenceClientTests", "ClientInterface Document ReferenceClient TestKit Tree Wire"),
  test(
    "SimulatorTests",
    "ClientInterface Faults ReferenceClient ReferenceServer Simulator TestKit Trace Tree Wire"),
  test("WordingTests", "ClientInterface Conformance Tree"),
  test(
    "ScenarioTests", "ClientInterface Document Faults Scenario ScenarioFiles TestKit Tree Wire YAML"
  ),
  test("SyncPointTests", "ClientInterface Conformance Recordings TestKit"),
  test(
    "ConformanceTests",
    "ClientInterface Conformance Document Faults Invariants Mutants ReferenceClient Reports RunModel "
      + "Scenario ScenarioFiles Search Simulator TestKit Trace Tree Wire"),
  test(
    "RealClockTests",
    "ClientInterface Conformance Document Faults Invariants RealClock ReferenceServer Scenario ServerHost "
      + "System TestKit Trace Tree Wire"),
  test(
    "ExplorationTests",
    "ClientInterface Conformance Document Mutants ReferenceClient Reports Scenario ScenarioFiles "
      + "Search TestKit Trace Tree Wire"),
  test(
    "MetamorphicTests",
    "ClientInterface Conformance Metamorphic Mutants ReferenceClient Reports Scenario TestKit Tree "
      + "Wire"),
  test(
    "HuntingTests",
    "ClientInterface Conformance Document Faults Hunting Mutants ReferenceClient Scenario "
      + "Search TestKit Trace Tree"),
  test(
    "TraceFilesTests",
    "ClientInterface Conformance Document Faults Reports Scenario TestKit Trace TraceFiles Tree "
      + "Wire",
    exclude: ["Traces"]),
  test(
    "ShrinkingTests",
    "ClientInterface Conformance Document Mutants ReferenceClient Reports Scenario ScenarioFiles "
      + "Search TestKit Trace Tree Wire"),
  test("MarkupTests", "Document"),
  test("KnownFailuresTests", "Document Reports Scenario TestKit"),
  test(
    "ReportsTests",
    "ClientInterface Conformance Document Reports Scenario Search TestKit Tree",
    exclude: ["Schemas"]),
  test("VocabularyTests", "ClientInterface Tree Wire"),
  test(
    "AdapterProtocolTests",
    "AdapterProtocol ClientInterface Document ReferenceClient TestKit Tree Wire"),
  test(
    "RecordingsTests",
    "ClientInterface Document Mutants Recordings ReferenceClient TestKit Tree",
    exclude: ["Recordings"]),
  test(
    "ScenarioExtractionTests",
    "ClientInterface Conformance Document Faults Recordings Scenario ScenarioFiles TestKit Trace "
      + "TraceFiles Tree Wire"),
  test("DiagramsTests", "Conformance Documentation Scenario TestKit"),
  test(
    "WebPagesTests",
    "Conformance Document Documentation Faults Reports Scenario Simulator TestKit Trace Tree "
      + "WebPages"),
  test(
    "MutationAnalysisTests",
    "ClientInterface Conformance Mutants MutationAnalysis Scenario ScenarioFiles Search TestKit "
      + "Tree"),
  test("DocumentationTests", "Documentation Scenario TestKit"),
  test("SystemTests", "System TestKit"),
  test("ProcessesTests", "System TestKit"),
  test(
    "ServerHostTests",
    "ClientEngine ClientInterface Document LiveServer ReferenceServer RunModel ServerHost System TestKit "
      + "Tree Wire"),
  test(
    "AdapterSessionsTests",
    "AdapterProtocol AdapterSessions ClientInterface Conformance Document Scenario System TestKit"),
  test("AdapterChecksTests", "AdapterSessions Runs System TestKit"),
  test("WorkersTests", "System"),
  test("WorkspaceTests", "Document Scenario System TestKit Workspace"),
  test(
    "RunsTests",
    "AdapterSessions ClientInterface Conformance Document Reports Runs Scenario Search System "
      + "TestKit Tree Wire Workspace"),
  test(
    "KennelTestingTests",
    "ClientInterface KennelTesting Mutants ReferenceClient Runs TestKit Tree Wire"),
  test(
    "ApplicationTests",
    "TestKit Wilddog WilddogSync WilddogTesting"),
  test("CampaignsTests", "AdapterSessions Hunting Runs ServerHost System TestKit"),
  test("BenchmarksTests", "Benchmarks"),
  test(
    "UserInterfaceTests",
    "Document LiveServer Runs Scenario TestKit Tree UserInterface Workspace"),
  test("CommandsTests", "Commands Document System"),
  test("RecordedRunsTests", "Runs Scenario System TestKit"),
  test(
    "CommandLineTests",
    "TestKit",
    exclude: ["Adapters"]),
  test("ExampleTests", "ClientInterface Mutants ReferenceClient Runs ServerHost TestKit Tree"),
  test("ArchitectureTests", "Document Scenario TestKit", isOptimised: true),
]

/// What tools/fuzz builds, in a folder of its own: libFuzzer has the main function.
let fuzzers: [Target] =
  Context.environment["KENNEL_FUZZ_BUILD"] == nil
  ? []
  : [
    .executableTarget(
      name: "Fuzz",
      dependencies: dependencies(
        "AdapterProtocol ClientEngine ClientInterface ClientMachine Conformance Document Hunting "
          + "LiveServer Recordings ReferenceClient ReferenceServer Reports RunModel Scenario "
          + "ScenarioFiles System TraceFiles Tree WebPages Wire Workspace YAML"),
      path: "Tests/Fuzz",
      exclude: ["Corpus"],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [
        .unsafeFlags(
          ["8bit_counters", "pcs"].flatMap {
            ["-Xlinker", "--wrap=__sanitizer_cov_\($0)_init"]
          })
      ])
  ]

let package = Package(
  name: "kennel",
  products: [
    .library(
      name: "KennelClientInterface", targets: ["ClientInterface", "Hosting", "Tree", "Wire"]),
    .library(
      name: "KennelConformance",
      targets: [
        "Conformance", "Hunting", "ReferenceClient", "Reports", "Runs", "Scenario", "Search",
        "Simulator",
      ]),
    .library(name: "KennelTesting", targets: ["KennelTesting"]),
    .library(name: "WilddogTesting", targets: ["WilddogTesting"]),
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
// malloc is then that of mimalloc. References are counted as ReferenceCounting.swift has it. A program for
// a sanitizer, which KENNEL_SANITIZED says, has none of that: the sanitizer allocates, and has to see it.
func module(
  _ folder: String, _ imports: String, linking library: String? = nil,
  embedding embedded: String = ""
) -> Target {
  let name = String(folder.split(separator: "/")[1])
  let path = "Sources/" + folder
  guard name != "kennel" else {
    let isPlain = Context.environment["KENNEL_SANITIZED"] != nil
    let linking: [LinkerSetting] = [
      .unsafeFlags(["-static-stdlib"] + replacingCounting()), .linkedLibrary("mimalloc"),
    ]
    return .executableTarget(
      name: name, dependencies: dependencies(imports), path: path,
      exclude: isPlain ? ["ReferenceCounting.swift"] : [], swiftSettings: settings(),
      linkerSettings: isPlain ? [] : linking)
  }
  return .target(
    name: name, dependencies: dependencies(imports), path: path,
    resources: words(embedded).map { .embedInCode("Assets/" + $0) }, swiftSettings: settings(),
    linkerSettings: library.map { [.linkedLibrary($0)] })
}

/// Puts the functions of the program in place of those of Swift's runtime that count references.
func replacingCounting() -> [String] {
  ["retain", "release"].flatMap { name in
    [
      "-Xlinker", "--wrap=swift_\(name)",
      "-Xlinker", "--defsym=kennel_\(name)=swift_nonatomic_\(name)",
    ]
  }
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
