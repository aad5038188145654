import Glibc

let commands = "commands: add TEXT, buy TEXT, remove TEXT, offline, online, show"

func perform(_ line: String, on list: SharedList) {
  let words = line.split(separator: " ", maxSplits: 1).map(String.init)
  let item = list.items.first { words.count == 2 && $0.text == words[1] }
  switch (words.first, item) {
  case ("add", _) where words.count == 2: list.add(words[1])
  case ("buy", let item?): list.buy(item)
  case ("remove", let item?): list.remove(item)
  case ("offline", _): list.goOffline()
  case ("online", _): list.goOnline()
  case ("show", _): say(describe(list))
  default: say(commands)
  }
}

func describe(_ list: SharedList) -> String {
  let items = list.items.map { $0.isBought ? $0.text + " (bought)" : $0.text }
  return (list.isOnline ? "online: " : "offline: ") + items.joined(separator: ", ")
    + "; \(list.bought) bought; here: " + list.people.joined(separator: ", ")
    + list.problems.map { "; " + $0 }.joined()
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
  print(line)
  fflush(nil)
}
