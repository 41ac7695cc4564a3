// Every regular expression of a TypeScript file that is known before it runs: literals, and
// `new RegExp` whose source is made of texts and of constants of the same file.

import { parseAst } from 'rolldown/parseAst'

export interface FoundRegex {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** Throws at a syntax error. Expressions whose source is made at run time are left out. */
export function collectRegexes(file: string, text: string): readonly FoundRegex[] {
  const program = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file)
  const nodes = listNodes(program)
  // By name, wherever they stand: of two with the same name the last one read counts.
  const constants = new Map<string, SyntaxNode>()
  for (const node of nodes) {
    const { id, init } = node
    if (node.type === 'VariableDeclarator' && isNode(id) && isNode(init)) {
      if (typeof id['name'] === 'string') constants.set(id['name'], init)
    }
  }
  return nodes.flatMap((node) => {
    const found = readLiteral(node) ?? readConstruction(node, constants)
    if (found === null) return []
    return [{ file, line: text.slice(0, node.start).split('\n').length, ...found }]
  })
}

type Pattern = Pick<FoundRegex, 'source' | 'flags'>

function readLiteral(node: SyntaxNode): Pattern | null {
  const regex = node['regex']
  if (node.type !== 'Literal' || typeof regex !== 'object' || regex === null) return null
  if (!('pattern' in regex) || !('flags' in regex)) return null
  return { source: String(regex.pattern), flags: String(regex.flags) }
}

function readConstruction(
  node: SyntaxNode,
  constants: ReadonlyMap<string, SyntaxNode>,
): Pattern | null {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return null
  const callee = node['callee']
  if (!isNode(callee) || callee['name'] !== 'RegExp') return null
  const [source, flags] = listChildren(node['arguments']).map((child) => readText(child, constants))
  if (source === undefined || source === null) return null
  return { source, flags: flags ?? '' }
}

/** The text of an expression, or null when it is known at run time only. */
function readText(node: SyntaxNode, constants: ReadonlyMap<string, SyntaxNode>): string | null {
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? node['value'] : null
    case 'Identifier': {
      const name = String(node['name'])
      const value = constants.get(name)
      // Names of two functions may lead to each other: each is followed once.
      const others = new Map([...constants].filter(([other]) => other !== name))
      return value === undefined ? null : readText(value, others)
    }
    case 'TemplateLiteral':
      return joinTemplate(node, 'cooked', constants)
    case 'TaggedTemplateExpression': {
      const quasi = node['quasi']
      return isNode(quasi) ? joinTemplate(quasi, 'raw', constants) : null
    }
    case 'MemberExpression': {
      // `PATTERN.source`
      const [object] = listChildren(node['object'])
      const value = constants.get(String(object?.['name']))
      return value === undefined ? null : (readLiteral(value)?.source ?? null)
    }
    default:
      return null
  }
}

function joinTemplate(
  node: SyntaxNode,
  form: 'cooked' | 'raw',
  constants: ReadonlyMap<string, SyntaxNode>,
): string | null {
  const parts = listChildren(node['expressions']).map((child) => readText(child, constants))
  const texts = listChildren(node['quasis']).map(({ value }) =>
    typeof value === 'object' && value !== null ? String(Reflect.get(value, form)) : '',
  )
  if (parts.includes(null)) return null
  return texts.map((text, index) => text + (parts[index] ?? '')).join('')
}

function listNodes(root: unknown): readonly SyntaxNode[] {
  const nodes: SyntaxNode[] = []
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (isNode(next)) nodes.push(next)
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next))
  }
  return nodes
}

function listChildren(value: unknown): readonly SyntaxNode[] {
  return (Array.isArray(value) ? value : [value]).filter((child) => isNode(child))
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
