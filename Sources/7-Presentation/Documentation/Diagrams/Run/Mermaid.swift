internal import Document

// Diagrams as Mermaid, which code hosts draw where they are in Markdown.

extension SequenceDiagram {
  package var mermaid: String {
    var text = "sequenceDiagram\n"
    for (index, name) in participants.enumerated() {
      text += "  participant p\(index) as \(mermaidText(name))\n"
    }
    let last = max(0, participants.count - 1)
    for line in lines {
      switch line {
      case let .step(words): text += "  Note over p0,p\(last): step \(mermaidText(words))\n"
      case let .fault(words): text += "  Note over p0,p\(last): #9889; \(mermaidText(words))\n"
      case let .message(from, to, words, fate):
        text += "  p\(from)\(MessageMark.mermaid(fate))p\(to): \(mermaidText(words))\n"
      case let .note(column, texts):
        text += "  Note over p\(column): \(texts.map(mermaidText).joined(separator: "<br/>"))\n"
      }
    }
    return text
  }
}

extension OrderDiagram {
  package var mermaid: String {
    var text = "flowchart TD\n"
    for (index, node) in nodes.enumerated() {
      text += "  n\(index)[\"\(mermaidText(node.owner))<br/>\(mermaidText(node.text))\"]\n"
    }
    for line in lines { text += "  n\(line.from) --> n\(line.to)\n" }
    let possible = nodes.indices.filter { !nodes[$0].isCertain }
    if !possible.isEmpty {
      text += "  classDef may stroke-dasharray: 5 4\n"
      text += "  class \(possible.map { "n\($0)" }.joined(separator: ",")) may\n"
    }
    return text
  }
}

/// `text` with everything that means something to Mermaid, or to the HTML that it makes, as numbers
/// of characters.
private func mermaidText(_ text: String) -> String {
  visible(text).replacingScalars { scalar in
    switch scalar {
    case "#", ";", "<", ">", "\"", "&", "`", "%", "\\": "#\(scalar.value);"
    default: nil
    }
  }
}
