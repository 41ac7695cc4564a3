// docs/reference/node-kinds.md: every kind of node, from the list of kinds.

import { writeYaml } from '../../src/casework/playbooks/documents/yaml-text.ts'
import { DEFAULT_RETRY, type NodeKind } from '../../src/casework/playbooks/node-kind.ts'
import { NODE_KINDS } from '../../src/casework/playbooks/nodes/node-kinds.ts'
import { REFERS_TO } from '../../src/casework/playbooks/nodes/reference-config.ts'

export function buildNodeKindsPage(): string {
  const index = NODE_KINDS.map(({ kind, title, description }) => {
    const [first = ''] = description.split(/(?<=\.) /)
    return `| [\`${kind}\`](#${slug(title)}) | ${cell(first)} |`
  })
  return `# Kinds of nodes

Made from the list of kinds by \`npm run write\`. A running server gives the same as JSON Schema: \`GET /beta/casework/playbooks/node-kinds\`, and \`GET /schemas/playbook.json\` for
editors. The guide [Write a playbook](../guides/write-a-playbook.md) shows them at work.

Every node has \`id\` and \`kind\`. \`config\` is described below for each kind. \`paths\` names for each way out the node to which it leads; a path that is left out ends there, but for
\`error\`: without a node at its end the run fails. \`note\` and \`position\` are for people and editors. Nodes that call another system may have \`retry\` with \`attempts\`, \`seconds\`
and \`max_seconds\`.

A member whose value may be \`{"cel": "…"}\` takes an expression over the [facts](../guides/write-a-playbook.md#facts) instead of a constant.

| Kind | What it does |
| --- | --- |
${index.join('\n')}

${NODE_KINDS.map(buildSection).join('\n')}`
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

/** A text within a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function buildSection(kind: NodeKind): string {
  const rows = listRows({ ...kind.config }, '')
  const table =
    rows.length === 0
      ? 'It has no settings.\n'
      : `| Setting | Value | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  const node = { id: 'example', kind: kind.kind, config: kind.example.config }
  const example = Object.keys(node.config).length === 0 ? { ...node, config: undefined } : node
  const yaml = writeYaml({ nodes: [JSON.parse(JSON.stringify(example))] })
    .replace(/^nodes:\s+/, '  ')
    .replaceAll(/^ {2}/gm, '')
  return `## ${kind.title}

${kind.description}

${listTraits(kind)
  .map((trait) => `- ${trait}`)
  .join('\n')}

${table}
\`\`\`yaml
${yaml}\`\`\`
`
}

function listTraits(kind: NodeKind): readonly string[] {
  const config = kind.read(kind.example.config, { refuse: () => null })
  const paths = config === null ? [] : kind.paths(config)
  const choices = config === null ? [] : (kind.choices?.(config) ?? [])
  const { attempts, seconds, maxSeconds } = kind.retry ?? DEFAULT_RETRY
  return [
    describePaths(kind, paths),
    ...(choices.length === 0
      ? []
      : [`Waits for a trigger, which chooses one of the paths that its settings name.`]),
    ...(choices.length === 0 && kind.breaksLoops === true ? ['Waits.'] : []),
    ...(kind.watchesCases === true ? ['Looks again when the case changes.'] : []),
    ...(kind.call === undefined
      ? []
      : [
          `Calls another system, at most ${attempts} times: the pause grows from ${seconds} to ${maxSeconds} seconds. The key \`run:token:visit\` of the call is the same each time.`,
        ]),
    ...(kind.apply === undefined
      ? []
      : ['Acts in the transaction of its step: exactly once, or not at all.']),
  ]
}

function describePaths({ isRemark }: NodeKind, paths: readonly string[]): string {
  if (isRemark === true) return 'No path leads to it or from it.'
  if (paths.length === 0) return 'Paths: none; the run ends there.'
  return `Paths, with the settings of the example: ${paths.map((path) => `\`${path}\``).join(', ')}.`
}

type Schema = Readonly<Record<string, unknown>>

/** Rows for the members of an object, and for those of objects within them. */
function listRows(schema: Schema, prefix: string): readonly string[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(readSchemas(schema['properties'])).flatMap(([name, member]) => {
    const need = required.includes(name) ? ', required' : ''
    const value = `${describeValue(member)}${need}${describeDefault(member)}`
    const meaning = typeof member['description'] === 'string' ? member['description'] : ''
    const row = `| \`${prefix}${name}\` | ${cell(value)} | ${cell(meaning)} |`
    return [
      row,
      ...listRows(member, `${prefix}${name}.`),
      ...listItemRows(member, `${prefix}${name}`),
    ]
  })
}

function listItemRows(schema: Schema, name: string): readonly string[] {
  const { items } = schema
  if (!isSchema(items)) return []
  const forms = listForms(items).filter((form) => 'properties' in form)
  return forms.flatMap((form) => listRows(form, `${name}[].`))
}

function describeDefault({ default: value }: Schema): string {
  return value === undefined ? '' : `; \`${JSON.stringify(value)}\` when left out`
}

function describeValue(schema: Schema): string {
  const forms = listForms(schema)
  const fixed = forms.flatMap((form) => ('const' in form ? [JSON.stringify(form['const'])] : []))
  const others = forms.filter((form) => !('const' in form)).map(describeForm)
  const values = fixed.length === 0 ? [] : [fixed.map((one) => `\`${one}\``).join(', ')]
  return [...values, ...new Set(others)].join(' or ')
}

/** The members of a union, also of one within it. */
function listForms(schema: Schema): readonly Schema[] {
  const { anyOf } = schema
  return Array.isArray(anyOf) ? anyOf.filter(isSchema).flatMap(listForms) : [schema]
}

function describeForm(schema: Schema): string {
  switch (schema['type']) {
    case 'string':
      return describeText(schema)
    case 'integer':
      return `whole number${describeBounds(schema['minimum'], schema['maximum'], '')}`
    case 'number':
      return `number${describeBounds(schema['minimum'], schema['maximum'], '')}`
    case 'boolean':
      return '`true` or `false`'
    case 'array': {
      const items = isSchema(schema['items']) ? describeValue(schema['items']) : 'values'
      return `list of ${items}${describeBounds(schema['minItems'], schema['maxItems'], '')}`
    }
    case 'object':
      return describeObject(schema)
    case 'null':
      return '`null`'
    default:
      return 'any value'
  }
}

function describeText(schema: Schema): string {
  const referred = schema[REFERS_TO]
  if (typeof referred === 'string') return `name of a ${referred}`
  const length = describeBounds(schema['minLength'], schema['maxLength'], ' characters')
  return `text${length}`
}

function describeBounds(min: unknown, max: unknown, unit: string): string {
  if (typeof max !== 'number') {
    return typeof min === 'number' && min > 0 ? `, ${min} or more${unit}` : ''
  }
  return typeof min === 'number' ? `, ${min} to ${max}${unit}` : `, at most ${max}${unit}`
}

function describeObject(schema: Schema): string {
  const properties = readSchemas(schema['properties'])
  const names = Object.keys(properties)
  if (names.join() === 'cel') return '`{"cel": "…"}`'
  if (names.length > 0) {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const shown = names.map((name) => (required.includes(name) ? name : `${name}?`))
    return `object of \`${shown.join('`, `')}\``
  }
  const [member] = Object.values(readSchemas(schema['patternProperties']))
  const of = member === undefined ? 'values' : describeValue(member)
  return `object of names and ${of}${describeBounds(schema['minProperties'], schema['maxProperties'], '')}`
}

function readSchemas(value: unknown): Readonly<Record<string, Schema>> {
  if (!isSchema(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1])),
  )
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
