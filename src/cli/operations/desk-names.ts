// Names that a desk says where the interface takes an id or a query: people and groups to whom
// cases are assigned, and saved views.

import { findNextQuery, readPageItems } from '../../client/next-page.ts'
import { type ApiClient, readJsonAnswer } from '../api-client.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'

// Ids, and the words that the interface itself knows.
const AS_IT_IS = /^(?:(?:usr|grp)_\w+|me|none|null)$/

// A tenant of more people than this says ids.
const PAGES_MAX = 20

interface Named {
  readonly id: string
  readonly name: string
}

/**
 * The id of the one person or group of this name, or whose name has this word. What is no name of
 * the tenant stays as it is: a tenant without people takes any text, and the server refuses the
 * rest. Throws for a text that may be several of them.
 */
export async function findAssignee(client: ApiClient, text: string): Promise<string> {
  if (AS_IT_IS.test(text)) return text
  const all = await listAll(client, '/beta/casework/assignees', {})
  const asked = text.trim().toLowerCase()
  const whole = all.filter(({ name }) => name.toLowerCase() === asked)
  const byWord = all.filter(({ name }) => name.toLowerCase().split(/\s+/).includes(asked))
  const found = whole.length > 0 ? whole : byWord
  if (found.length > 1) {
    const names = found.map(({ id, name }) => `${name} (${id})`).join(', ')
    throw new CommandFailure(`"${text}" may be ${names}: say the whole name or the id.`, EXIT.usage)
  }
  return found[0]?.id ?? text
}

/** The query of a saved view, by its name or id. Throws when there is none of this list. */
export async function findViewQuery(
  client: ApiClient,
  list: string,
  text: string,
): Promise<Record<string, string>> {
  const all = await listAll(client, '/beta/casework/views', { list })
  const asked = text.trim().toLowerCase()
  const found = all.find(({ id, name }) => id === asked || name.toLowerCase() === asked)
  if (found === undefined) {
    const names = all.map(({ name }) => name).join(', ')
    throw new CommandFailure(
      `There is no saved view "${text}" of ${list}${names === '' ? '' : `, but: ${names}`}.`,
      EXIT.notFound,
    )
  }
  const query = 'query' in found ? Object.entries(Object(found.query)) : []
  return Object.fromEntries(query.map(([name, value]) => [name, String(value)]))
}

async function listAll(
  client: ApiClient,
  path: string,
  fixed: Readonly<Record<string, string>>,
): Promise<readonly Named[]> {
  const all: unknown[] = []
  let query: Record<string, string> | null = { ...fixed, limit: '100' }
  for (let pages = 0; query !== null && pages < PAGES_MAX; pages += 1) {
    const search: string = new URLSearchParams(query).toString()
    // Each page says where the next one begins.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const page = readJsonAnswer(await client.send({ method: 'GET', path: `${path}?${search}` }))
    all.push(...readPageItems(page))
    const cursor: unknown = findNextQuery(page, query)?.['cursor']
    query = typeof cursor === 'string' ? { ...fixed, limit: '100', cursor } : null
  }
  return all.filter(isNamed)
}

function isNamed(value: unknown): value is Named {
  const { id, name }: Readonly<Record<string, unknown>> = { ...Object(value) }
  return typeof id === 'string' && typeof name === 'string'
}
