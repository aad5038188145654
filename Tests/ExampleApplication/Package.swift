// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "list",
  dependencies: [.package(name: "kennel", path: "../..")],
  targets: [
    .executableTarget(
      name: "list", dependencies: [.product(name: "WilddogSync", package: "kennel")])
  ]
)
