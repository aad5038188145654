/// A recipe whose run reached a state that no earlier run of its process had reached.
package struct KeptRecipe: Hashable, Sendable {
  /// The seed for which it was run.
  package var seed: UInt64
  package var recipe: Recipe

  package init(seed: UInt64, recipe: Recipe) {
    self.seed = seed
    self.recipe = recipe
  }

  /// Both in one word: the seed, `@`, and the recipe.
  package var text: String { "\(seed)@\(recipe.text)" }

  /// Reads what `text` wrote; `nil` for anything else.
  package init?(text: Substring) {
    let parts = text.utf8.split(separator: UInt8(ascii: "@")).map { Substring($0) }
    guard parts.count == 2, let seed = UInt64(parts[0]), let recipe = Recipe(text: String(parts[1]))
    else { return nil }
    self.init(seed: seed, recipe: recipe)
  }
}
