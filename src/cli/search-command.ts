// `casework search <text…>`: customers, cases, reports and events by whatever a person has of them.

import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { createPaint, type Paint } from './colour.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>

interface SearchItem {
  readonly kind: string
  readonly id: string
  readonly case_id?: string
  readonly title: string
  readonly matched: { readonly field: string; readonly text: string }
  readonly at: string
}

interface SearchPage {
  readonly items: readonly SearchItem[]
  readonly next_cursor: string
  readonly read_as: { readonly kind: string; readonly text: string }
}

const COLUMNS = ['kind', 'id', 'case_id', 'title', 'matched.field', 'matched.text', 'at'] as const
const COUNT_DEFAULT = 20
const PAGE_MAX = 100
// Pages without an entry count too, so that a search for a frequent word ends.
const PAGES_MAX = 100

export async function runSearch(words: readonly string[], flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const wanted = readCount(flags['limit'])
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const items: SearchItem[] = []
  let page: SearchPage | null = null
  for (let pages = 0; pages < PAGES_MAX && items.length < wanted; pages += 1) {
    page = await readPage(client, words.join(' '), flags['kind'], wanted - items.length, page)
    items.push(...page.items)
    if (output === 'jsonl') {
      process.stdout.write(page.items.map((item) => `${formatJson(item)}\n`).join(''))
    }
    if (page.next_cursor === '') break
  }
  if (output === 'json' || output === 'csv' || output === 'raw') {
    const document = items.map((item) => ({ ...item }))
    writeRead(output, { document, columns: COLUMNS, formatForPeople: () => '' })
  }
  if (output !== 'human' || page === null) return
  const paint = createPaint(process.stdout, process.env)
  const { read_as: readAs } = page
  const meant = `${readAs.kind.replaceAll('_', ' ')} ${escapeControls(readAs.text)}`
  if (items.length === 0) {
    process.stderr.write(`Nothing was found for the ${meant}.${nameDomain(readAs)}\n`)
  }
  process.stdout.write(items.map((item) => formatItem(item, paint)).join(''))
  if (page.next_cursor !== '') {
    process.stderr.write('There is more: ask with --limit, --kind or more words.\n')
  }
}

/** A page of a domain may be reported under another address: the domain is the next try. */
function nameDomain({ kind, text }: SearchPage['read_as']): string {
  const host = kind === 'url' ? (URL.parse(text)?.hostname ?? '') : ''
  return host === '' ? '' : ` Try its host: npx casework search ${host}`
}

function readCount(given: unknown): number {
  if (given === undefined) return COUNT_DEFAULT
  const count = Number(given)
  if (Number.isInteger(count) && count > 0 && count <= PAGE_MAX * PAGES_MAX) return count
  throw new CommandFailure(`--limit takes a number up to ${PAGE_MAX * PAGES_MAX}.`, EXIT.usage)
}

async function readPage(
  client: ApiClient,
  text: string,
  kind: unknown,
  count: number,
  before: SearchPage | null,
): Promise<SearchPage> {
  const query = new URLSearchParams({ q: text, limit: String(Math.min(count, PAGE_MAX)) })
  if (typeof kind === 'string') query.set('kind', kind)
  if (before !== null) query.set('cursor', before.next_cursor)
  const path = `/beta/casework/search?${query.toString()}`
  const page = readJsonAnswer(await client.send({ method: 'GET', path }))
  if (isSearchPage(page)) return page
  throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
}

function isSearchPage(value: object): value is SearchPage {
  return 'items' in value && Array.isArray(value.items) && 'next_cursor' in value
}

function formatItem(item: SearchItem, paint: Paint): string {
  const { field, text } = item.matched
  const inCase = item.case_id === undefined ? '' : `  in ${item.case_id}`
  const title = `${item.kind} ${item.id}`
  return [
    `${paint(escapeControls(title), 'bold')}${escapeControls(inCase)}`,
    `  ${escapeControls(item.title)}  ${item.at}`,
    `  ${paint(escapeControls(`${field.replaceAll('_', ' ')}: ${text}`), 'dim')}`,
    '',
  ].join('\n')
}
