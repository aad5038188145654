import System
package import Text

extension Whereabouts {
  /// Those of this process.
  package static var here: Whereabouts {
    Whereabouts(home: (try? Home.find())?.path, current: try? Files.currentDirectory())
  }
}
