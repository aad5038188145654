package import Reports
import System

extension Whereabouts {
  /// Those of this process.
  package static var here: Whereabouts {
    Whereabouts(home: (try? Home.find())?.path, current: try? Files.currentDirectory())
  }
}
