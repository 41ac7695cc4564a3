// The tools for threat intelligence: what is known of addresses and domains, and why.

import { type Static, Type } from 'typebox'
import type { CheckedItem } from '../client/client.ts'
import { type Answer, buildPageAnswer, CONTENT_CHARACTERS_MAX, measure } from './build-answer.ts'
import { definePageTool, defineRecordTool, type McpTool, type ToolCall } from './tool.ts'
import { refuseArguments } from './tool-failure.ts'

const ITEM_CHARACTERS_MAX = 2_000
const Item = Type.String({
  minLength: 1,
  maxLength: ITEM_CHARACTERS_MAX,
  description: 'An IP address or a domain; defanged ones such as evil[.]example and links, too.',
})
const TagName = Type.String({ minLength: 1, maxLength: 256, description: 'The name of the tag.' })

const lookUpItem = defineRecordTool(
  {
    name: 'look_up_item',
    title: 'Look up an address or a domain',
    description:
      'Returns everything known about one IP address or domain: intent (malicious, suspicious, benign or unknown), mail blocklist status, tags, sightings, reverse DNS, abuse contact, AS number. partial is true when not everything could be found out in time. Use check_items for many items and explain_item for the reasons.',
  },
  { item: Item },
  async ({ casework, args, signal }) => {
    const { result, partial } = await casework.lookup(args.item, { signal })
    return { ...result, partial }
  },
)

const explainItem = defineRecordTool(
  {
    name: 'explain_item',
    title: 'Explain what is known of an item',
    description:
      'Returns every entry behind the answer about an IP address or a domain, with its source, age and expiry, and a sentence for each part of the answer. Use it to say why an item is listed or called malicious.',
  },
  { item: Item },
  async ({ casework, args, signal }) => {
    const given = { params: { path: { item: args.item }, query: { refang: true } }, signal }
    return (await casework.get('/beta/explain/{item}', given)).result
  },
)

const listTags = defineRecordTool(
  {
    name: 'list_tags',
    title: 'List tags',
    description:
      'Returns the catalogue of tags that addresses and domains can have: name, intent, category and description of each.',
  },
  {},
  async ({ casework, signal }) => {
    const query = { includeDescriptions: true }
    return { items: (await casework.get('/beta/tags', { params: { query }, signal })).result }
  },
)

const getTag = defineRecordTool(
  {
    name: 'get_tag',
    title: 'Get a tag',
    description: 'Returns one tag: what it means, its intent, references and history.',
  },
  { name: TagName },
  async ({ casework, args, signal }) => {
    const given = { params: { path: { name: args.name } }, signal }
    return (await casework.get('/beta/tags/{name}', given)).result
  },
)

const listTagItems: McpTool = definePageTool(
  {
    name: 'list_tag_items',
    title: 'List the items with a tag',
    description:
      'Returns the addresses, ranges and domains that have a tag, and how many there are.',
  },
  { name: TagName },
  async ({ casework, args, signal }, { limit, cursor }) => {
    const query = { limit, ...readTagCursor(cursor) }
    const { result } = await casework.get('/beta/tags/{name}/ips', {
      params: { path: { name: args.name }, query },
      signal,
    })
    const end = (query.offset ?? 0) + result.entries.length
    const isLast = result.entries.length === 0 || end >= result.total
    return {
      items: result.entries.map((item) => ({ item })),
      total: result.total,
      lastUpdate: result.lastUpdate,
      next_cursor: isLast ? '' : `${end}_${result.snapshot}`,
    }
  },
)

/**
 * The items of a tag are counted in one state of the set: a place has a number and the state. A
 * cursor of another form is refused, since the first page in its place would never end a list.
 */
function readTagCursor(cursor: string | undefined): {
  readonly offset?: number
  readonly snapshot?: string
} {
  if (cursor === undefined) return {}
  const [, offset, snapshot] = /^(\d{1,9})_([\d.]+)$/.exec(cursor) ?? []
  if (offset !== undefined && snapshot !== undefined) return { offset: Number(offset), snapshot }
  throw refuseArguments([{ path: '/cursor', reason: 'is no next_cursor of this list' }])
}

const CHECK_ITEMS_MAX = 1_000

const CheckInput = Type.Object(
  {
    items: Type.Array(Type.String({ maxLength: ITEM_CHARACTERS_MAX }), {
      minItems: 1,
      maxItems: CHECK_ITEMS_MAX,
      description: `IP addresses and domains, at most ${CHECK_ITEMS_MAX}; defanged ones and links, too.`,
    }),
    notable_only: Type.Optional(
      Type.Boolean({
        description:
          'True: only items that are malicious, suspicious, listed or active, and texts that are no items.',
      }),
    ),
    from: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Leaves out so many results at the beginning.' }),
    ),
  },
  { additionalProperties: false },
)

const checkItems: McpTool = {
  name: 'check_items',
  title: 'Check many addresses and domains',
  description:
    'Returns a short verdict for each of up to 1,000 IP addresses and domains, in their order: intent, mail blocklist status, whether it was active lately. A text that is no item has the type INVALID. counts is about all items, also when not all of them are returned.',
  input: CheckInput,
  result: Type.Object(
    {
      counts: Type.Object({}, { additionalProperties: Type.Integer() }),
      items: Type.Array(Type.Object({}, { additionalProperties: true })),
    },
    { additionalProperties: true },
  ),
  effect: 'reads',
  async run({ args, casework, signal }: ToolCall<Readonly<Record<string, unknown>>>) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by the schema
    const asked = args as Static<typeof CheckInput>
    const { items, notable_only: isShort = false, from = 0 } = asked
    const checked: CheckedItem[] = []
    for await (const row of casework.check(items, { signal })) checked.push(row)
    const rows = isShort ? checked.filter(isNotable) : checked
    return fitChecked(countVerdicts(checked), rows, from)
  },
}

function isNotable(row: CheckedItem): boolean {
  if (row.type === 'INVALID') return true
  return (
    row.intent === 'malicious' ||
    row.intent === 'suspicious' ||
    row.serviceMailBlocklist === 'ACTIVE' ||
    row.activity
  )
}

function countVerdicts(rows: readonly CheckedItem[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { items: rows.length }
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  for (const row of rows) {
    count(row.type === 'INVALID' ? 'invalid' : row.intent)
    if (row.type === 'INVALID') continue
    if (row.serviceMailBlocklist === 'ACTIVE') count('listed')
    if (row.activity) count('active')
  }
  return counts
}

/** As many rows as an answer holds, from this place on. */
function fitChecked(
  counts: Readonly<Record<string, number>>,
  rows: readonly CheckedItem[],
  from: number,
): Answer {
  for (let given = Math.max(0, rows.length - from); ; ) {
    // Whole, since this tool has no way to read on in an item.
    const page = buildPageAnswer({ items: rows.slice(from, from + given) }, ITEM_CHARACTERS_MAX)
    const answer = { ...page, result: { counts, ...Object(page.result) } }
    const characters = measure(answer)
    if (characters <= CONTENT_CHARACTERS_MAX || given <= 1) {
      const end = from + given
      if (end >= rows.length) return answer
      const more = `Only ${given} of ${rows.length} results fit. Call again with from: ${end} for those after them, or with notable_only: true for those that matter.`
      return { ...answer, cut: { ...answer.cut, more, given, of: rows.length } }
    }
    given = Math.max(1, Math.floor(((given * CONTENT_CHARACTERS_MAX) / characters) * 0.9))
  }
}

export const INTEL_TOOLS: readonly McpTool[] = [
  lookUpItem,
  checkItems,
  explainItem,
  listTags,
  getTag,
  listTagItems,
]
