// swift-tools-version: 6.2
//
// A package that depends on this one, as any other would: tools/test compiles its program with what
// is public, and with --all builds and runs it.

import PackageDescription

let package = Package(
  name: "outside",
  dependencies: [.package(name: "kennel", path: "../..")],
  targets: [
    .executableTarget(
      name: "outside",
      dependencies: [
        .product(name: "KennelClientInterface", package: "kennel"),
        .product(name: "KennelConformance", package: "kennel"),
        .product(name: "KennelServer", package: "kennel"),
      ])
  ]
)
