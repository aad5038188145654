import Foundation
import TestKit

extension Folder {
  /// Runs `kennel` in this directory, with the scenarios of the project.
  func kennel(_ arguments: [String]) throws -> Outcome {
    var program = Program.kennel
    program.directory = url
    program.environment["KENNEL_HOME"] = SourceTree.root.path
    return try program.run(arguments)
  }
}
