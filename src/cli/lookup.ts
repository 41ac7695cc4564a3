// `casework lookup <item>…`: all data about addresses and domains, one after the other.

import type { LookupResult } from '../client/results.ts'
import { type ApiAnswer, createApiClient, readJsonAnswer } from './api-client.ts'
import { createPaint, type Paint, paintIntent } from './colour.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>

type LookedUp =
  | { readonly kind: 'found'; readonly result: LookupResult; readonly isPartial: boolean }
  | { readonly kind: 'refused'; readonly item: string; readonly error: string }

/** Exit code 5 when an answer was partial or an item refused, 1 when every item was. */
export async function runLookup(items: readonly string[], flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, OUTPUTS)
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const paint = createPaint(process.stdout, process.env)
  const looked: LookedUp[] = []
  for (const item of items) {
    const path = `/beta/query/${encodeURIComponent(item)}?refang=true`
    const one = readLookup(item, await client.send({ method: 'GET', path }))
    looked.push(one)
    if (output === 'human') showHuman(one, paint)
  }
  if (output !== 'human') {
    writeRead(output, { document: looked.map(toJson), columns: COLUMNS, formatForPeople: () => '' })
  }
  const refused = looked.filter((one) => one.kind === 'refused').length
  if (refused === looked.length) return EXIT.failure
  return refused > 0 || looked.some((one) => one.kind === 'found' && one.isPartial)
    ? EXIT.partial
    : EXIT.ok
}

function readLookup(item: string, answer: ApiAnswer): LookedUp {
  const isPartial = answer.status === 503 && answer.text.includes('"partial_success"')
  try {
    const body = readJsonAnswer(isPartial ? { ...answer, status: 200 } : answer)
    return { kind: 'found', result: resultOf(body), isPartial }
  } catch (error) {
    // A refused item does not stop the others; a wrong token or a silent server does.
    if (!(error instanceof CommandFailure) || answer.status !== 400) throw error
    return { kind: 'refused', item, error: error.message }
  }
}

function resultOf(body: Record<string, unknown>): LookupResult {
  const { result } = body
  if (typeof result !== 'object' || result === null || !('serviceMailBlocklist' in result)) {
    throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
  }
  // The shape of the contract; the check above has recognised a Casework server.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return result as LookupResult
}

const COLUMNS = [
  'item',
  'type',
  'intent',
  'serviceMailBlocklist',
  'bogon',
  'tags',
  'firstSeen',
  'lastSeen',
  'reverseDns.current.0.entry',
  'abuseContact.email',
  'asn.asn',
  'asn.countryCode',
  'partial',
  'error',
] as const

function toJson(one: LookedUp): object {
  return one.kind === 'found'
    ? { ...one.result, partial: one.isPartial }
    : { item: one.item, error: one.error }
}

function showHuman(one: LookedUp, paint: Paint): void {
  if (one.kind === 'refused') {
    process.stderr.write(`${escapeControls(one.item)}: ${escapeControls(one.error)}\n`)
    return
  }
  process.stdout.write(formatLookup(one.result, one.isPartial, paint))
}

function formatLookup(result: LookupResult, isPartial: boolean, paint: Paint): string {
  const lines = [
    `${paint(escapeControls(result.item), 'bold')}  ${result.type}  ${paintIntent(result.intent, paint)}`,
  ]
  for (const [name, value] of describe(result)) {
    if (value !== '') lines.push(`  ${name.padEnd(13)} ${escapeControls(value)}`)
  }
  if (isPartial) {
    lines.push(`  ${paint('partial', 'yellow')}       not every enricher answered in time`)
  }
  return `${lines.join('\n')}\n`
}

function describe(result: LookupResult): readonly (readonly [string, string])[] {
  const { abuseContact, asn, reverseDns, observedActivity } = result
  const { honeypotInteractions, spamtrapInteractions } = observedActivity
  const network = [asn?.asn, asn?.name, asn?.countryCode].filter((part) => part !== undefined)
  return [
    ['blocklist', result.serviceMailBlocklist === 'ACTIVE' ? 'listed' : 'not listed'],
    ['bogon', result.bogon ? 'yes' : ''],
    ['tags', result.tags.join(', ')],
    ['first seen', result.firstSeen ?? ''],
    ['last seen', result.lastSeen ?? ''],
    ['reverse DNS', reverseDns?.current.map(({ entry }) => entry).join(', ') ?? ''],
    [
      'abuse contact',
      abuseContact === undefined ? '' : `${abuseContact.email} (${abuseContact.status})`,
    ],
    ['network', network.join(' ')],
    ...(honeypotInteractions?.observations ?? []).map(
      ({ service, type, lastSeen }) =>
        [
          'honeypot',
          `${service === undefined ? '' : `${service} `}${type}, last ${lastSeen}`,
        ] as const,
    ),
    ...(spamtrapInteractions?.observations ?? []).map(
      ({ type, lastSeen }) => ['spamtrap', `${type}, last ${lastSeen}`] as const,
    ),
  ]
}
