import Document
import Glibc

/// This program as commands that it prints name it, for a shell: as the script said that it was
/// called, in the variable `KENNEL_PROGRAM`. Without that it is `tools/kennel` for a program that was
/// built within the source tree, and `kennel` for one that was put anywhere else.
package let programWord: String = {
  if let name = getenv("KENNEL_PROGRAM").map({ String(cString: $0) }), !name.isEmpty {
    return shellWord(name)
  }
  var file = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink("/proc/self/exe", &file, file.count)
  let bytes = file.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
  return String(decoding: bytes, as: UTF8.self).contains("/.build/") ? programName : "kennel"
}()
