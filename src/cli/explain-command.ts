// `casework explain <item>`: the entries, sources and rules behind the answer about one item.

import type { Explanation } from '../client/results.ts'
import { createApiClient, readJsonAnswer } from './api-client.ts'
import { createPaint, type Paint, paintIntent } from './colour.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { countOf } from './wording.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>
type Entry = Explanation['entries'][number]

export async function runExplain(item: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const path = `/beta/explain/${encodeURIComponent(item)}?refang=true`
  const { result } = readJsonAnswer(await client.send({ method: 'GET', path }))
  if (!isExplanation(result)) {
    throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
  }
  const paint = createPaint(process.stdout, process.env)
  const { entries } = result
  writeRead(output, {
    document: result,
    rows: entries.map((entry) => ({ ...entry })),
    formatForPeople: () => formatExplanation(result, paint),
  })
}

function isExplanation(value: unknown): value is Explanation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'entries' in value &&
    Array.isArray(value.entries)
  )
}

function formatExplanation(explained: Explanation, paint: Paint): string {
  const { intent, serviceMailBlocklist, activity, bogon } = explained
  const lines = [
    `${paint(escapeControls(explained.item), 'bold')}  ${explained.type}  serial ${explained.serial}`,
    ...(explained.item === explained.canonical
      ? []
      : [`  known as ${escapeControls(explained.canonical)}`]),
    `  intent     ${paintIntent(intent.value, paint)}: ${escapeControls(intent.because)}`,
    `  blocklist  ${serviceMailBlocklist.value}: ${escapeControls(serviceMailBlocklist.because)}`,
    `  activity   ${activity.value ? 'yes' : 'no'}: ${escapeControls(activity.because)}`,
    `  bogon      ${bogon.value ? 'yes' : 'no'}: ${escapeControls(bogon.because)}`,
    ...formatTags(explained),
    ...formatEntries(explained, paint),
    ...formatRollUp(explained),
    ...explained.notes.map((note) => `note: ${escapeControls(note)}`),
  ]
  return `${lines.join('\n')}\n`
}

function formatTags({ tags }: Explanation): string[] {
  if (tags.length === 0) return []
  return [
    'tags',
    ...tags.flatMap(({ name, intent, because }) => [
      `  ${escapeControls(name)} (${intent})`,
      ...because.map((sentence) => `    ${escapeControls(sentence)}`),
    ]),
  ]
}

function formatEntries({ entries }: Explanation, paint: Paint): string[] {
  if (entries.length === 0) return ['entries: none']
  return ['entries', ...entries.map((entry) => formatEntry(entry, paint))]
}

function formatEntry(entry: Entry, paint: Paint): string {
  const about = entry.relation === 'itself' ? '' : ` of ${entry.relation} ${entry.subject}`
  const said = entry.list ?? entry.tag ?? [entry.service, entry.type].filter(Boolean).join(' ')
  const parts = [
    `${entry.kind} ${said}${about}`,
    `by ${entry.source.name} (${entry.source.kind})`,
    ...(entry.count === undefined ? [] : [countOf(entry.count, 'time')]),
    ...(entry.ageSeconds === undefined ? [] : [`${formatAge(entry.ageSeconds)} ago`]),
    ...(entry.expires === undefined ? [] : [`expires ${entry.expires}`]),
    ...(entry.reason === undefined ? [] : [`"${entry.reason}"`]),
  ]
  const text = `  ${escapeControls(parts.join(', '))}`
  return entry.live ? text : paint(`${text}, no longer counts`, 'dim')
}

function formatRollUp({ rollUp }: Explanation): string[] {
  if (rollUp === undefined) return []
  const verdict = rollUp.counts ? 'counts for the whole /64' : 'is information only'
  return [
    `roll-up (${verdict}; it takes ${rollUp.addressesMin} addresses)`,
    ...rollUp.prefixes.map(
      ({ prefix, addresses, addressesEver }) =>
        `  ${prefix}: ${countOf(addresses, 'address', 'addresses')} sighted within the look-back, ${addressesEver} ever`,
    ),
  ]
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** The largest whole unit: `3 d`, `5 h`, `20 min`, `4 s`. */
function formatAge(seconds: number): string {
  for (const [unit, length] of UNITS) {
    if (seconds >= length) return `${Math.floor(seconds / length)} ${unit}`
  }
  return `${seconds} s`
}
