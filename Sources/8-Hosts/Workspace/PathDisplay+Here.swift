import System
package import Text

extension PathDisplay {
  /// Those of this process.
  package static var here: PathDisplay {
    PathDisplay(home: (try? Home.find())?.path, current: try? Files.currentDirectory())
  }
}
