// `casework privacy erase <address…>`: erases the addresses of people through the running server,
// in as many requests as it takes. The addresses are in request bodies only, so that no log has
// them.

import { text } from 'node:stream/consumers'
import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { requireConsent } from './confirm.ts'
import { describeUnsearched } from './erase-again-command.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { openInput } from './open-input.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

// Each request works for five seconds, so this is more than a day.
const REQUESTS_MAX = 20_000
// The limit of the server for one request.
const ADDRESSES_MAX = 10_000

type ErasureRequest = { readonly addresses: readonly string[] } | { readonly repeats: string }

export async function runErase(
  given: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): Promise<void> {
  const erasure = await readRequest(given, flags)
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const isPreview = flags['preview'] === true
  if (!isPreview && flags['yes'] !== true) {
    if (process.stdin.isTTY && process.stderr.isTTY) {
      show(await request(client, { ...erasure, preview: true }), flags)
    }
    await requireConsent('Erase it? It cannot be undone; --preview shows what it changes.', flags)
  }
  show(await request(client, { ...erasure, preview: isPreview }), flags)
}

async function readRequest(
  given: readonly string[],
  { file, repeat }: Readonly<Record<string, unknown>>,
): Promise<ErasureRequest> {
  const listed = typeof file === 'string' ? await readAddresses(file) : []
  const addresses = [...given, ...listed]
  if (typeof repeat === 'string' && addresses.length === 0) return { repeats: repeat }
  if (typeof repeat === 'string' || addresses.length === 0) {
    throw new CommandFailure('Name addresses, or --file, or --repeat alone.', EXIT.usage)
  }
  if (addresses.length > ADDRESSES_MAX) {
    const sentence = `These are ${addresses.length} addresses, and at most ${ADDRESSES_MAX} are erased at once.`
    throw new CommandFailure(sentence, EXIT.usage)
  }
  return { addresses }
}

async function readAddresses(file: string): Promise<readonly string[]> {
  const { stream } = await openInput(file, 65_536)
  const lines = (await text(stream)).split(/\r?\n/)
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

/** The finished erasure. */
async function request(
  client: ApiClient,
  json: ErasureRequest & { readonly preview: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  for (let count = 0; count < REQUESTS_MAX; count += 1) {
    const path = '/beta/casework/erasures'
    const erasure = readJsonAnswer(await client.send({ method: 'POST', path, json }))
    if (erasure['state'] !== 'under_way') return erasure
  }
  throw new CommandFailure('It is not done yet; run the same command again.', EXIT.failure)
}

function show(
  erasure: Readonly<Record<string, unknown>>,
  flags: Readonly<Record<string, unknown>>,
): void {
  if (flags['output'] === 'json') {
    process.stdout.write(`${JSON.stringify(erasure, null, 2)}\n`)
    return
  }
  const verb = erasure['preview'] === true ? 'would be changed' : 'changed'
  const lines = [
    ...describe(erasure['changed'], verb),
    ...describe(erasure['kept'], 'kept: the address is part of an id or of settings there'),
    ...describe(erasure['held'], 'kept: a legal hold is on their case'),
  ]
  const nowhere =
    erasure['addresses'] === 1 ? 'The address was not found.' : 'The addresses were not found.'
  if (lines.length === 0) lines.push(nowhere)
  const unsearched = erasure['unsearched_reports']
  lines.push(...describeUnsearched(Array.isArray(unsearched) ? unsearched.map(String) : []))
  for (const line of lines) process.stdout.write(`${escapeControls(line)}\n`)
}

function describe(counts: unknown, what: string): readonly string[] {
  if (typeof counts !== 'object' || counts === null) return []
  return Object.entries(counts).map(
    ([place, count]) => `${namePlace(place)}: ${String(count)} ${what}`,
  )
}

const PLACES: ReadonlyMap<string, string> = new Map([
  ['abuse_case', 'cases'],
  ['case_comment', 'comments'],
  ['case_history', 'history of cases'],
  ['event', 'events'],
  ['report', 'reports'],
  ['report_raw', 'raw reports'],
  ['kept_answer', 'stored answers'],
  ['rule_history', 'history of rules'],
])

/** `abuse_case` is a table, `customer.id` a column of one; people know neither. */
function namePlace(place: string): string {
  const [table = '', column] = place.split('.')
  const name = PLACES.get(table) ?? `${table.replaceAll('_', ' ')}s`
  return column === undefined ? name : `${name} (${column.replaceAll('_', ' ')})`
}
