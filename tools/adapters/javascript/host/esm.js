'use strict'
// Rewrites an ES module as a CommonJS one, as far as bundlers write them: imports and exports stand
// at the beginning of statements, and `import(...)` is left alone.

const NAMES = String.raw`\{[^}]*\}`
const FROM = String.raw`\s*from\s*(["'][^"']+["'])`
const START = String.raw`(^|[;}\n]\s*|\*/\s*)`

/** What is between braces, part by part and without comments. */
function partsOf(list) {
  const bare = list.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|[{}]/gm, '')
  return bare.split(',').map((part) => part.trim()).filter(Boolean)
}

/** `a as b, c` as pairs of the name inside and the name outside. */
function pairs(list) {
  return partsOf(list)
    .map((part) => {
      const [from, to] = part.split(/\s+as\s+/)
      return [from, to || from]
    })
}

function toCommonJS(text, address) {
  let count = 0
  const exported = []
  const require = (source) => `require(${source})`
  const rewrite = (pattern, change) => {
    text = text.replace(new RegExp(START + pattern, 'g'), (all, start, ...rest) =>
      start + change(...rest))
  }
  rewrite(String.raw`import\s*(["'][^"']+["'])`, (source) => require(source))
  rewrite(
    String.raw`import\s*(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s*([\w$]+)|(${NAMES}))?${FROM}`,
    (standard, whole, names, source) => {
      const module = `__import${count++}`
      let code = `const ${module}=${require(source)};`
      if (standard) {
        code += `const ${standard}=${module}&&'default' in Object(${module})?${module}.default:${module};`
      }
      if (whole) code += `const ${whole}=${module};`
      if (names) {
        const parts = pairs(names).map(([from, to]) => (from === to ? from : `${from}:${to}`))
        code += `const {${parts.join(',')}}=${module};`
      }
      return code
    })
  rewrite(String.raw`export\s*\*\s*(?:as\s*([\w$]+)\s*)?from\s*(["'][^"']+["'])`, (name, source) =>
    name ? `exports[${JSON.stringify(name)}]=${require(source)};`
      : `Object.assign(exports,${require(source)});`)
  rewrite(String.raw`export\s*(${NAMES})${FROM}`, (names, source) => {
    const module = `__import${count++}`
    const parts = pairs(names).map(([from, to]) =>
      `exports[${JSON.stringify(to)}]=${module}[${JSON.stringify(from)}];`)
    return `const ${module}=${require(source)};${parts.join('')}`
  })
  rewrite(String.raw`export\s*(${NAMES})`, (names) => {
    exported.push(...pairs(names))
    return ''
  })
  rewrite(String.raw`export\s+default\s*`, () => 'exports.default=')
  rewrite(
    String.raw`export\s+((?:async\s+)?(?:function\*?|class|const|let|var))\s+([\w$]+)`,
    (kind, name) => {
      exported.push([name, name])
      return `${kind} ${name}`
    })
  rewrite(String.raw`export\s+(const|let|var)\s*(${NAMES})`, (kind, names) => {
    const inner = partsOf(names).map((part) => part.split('=')[0].split(':').pop().trim())
    exported.push(...inner.map((name) => [name, name]))
    return `${kind} ${names}`
  })
  text = text.replace(/\bimport\.meta\b/g, `({url:${JSON.stringify(address)}})`)
  // In front, so that modules that import each other find them; read when they are asked for.
  const getters = exported.map(([from, to]) =>
    `Object.defineProperty(exports,${JSON.stringify(to)},{enumerable:true,get:()=>${from}});`)
  return `"use strict";Object.defineProperty(exports,"__esModule",{value:true});${getters.join('')}${text}`
}

module.exports = { toCommonJS }
