// `casework report explain <file>`: shows how a report would be read, value by value: where it was
// found, why it won, and which values were not chosen.

import { Readable } from 'node:stream'
import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { createPaint, type Paint } from './colour.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { MAIL_BYTES_MAX, type MailArchive, openMailArchive } from './mail-archive.ts'
import { openInput } from './open-input.ts'
import { formatRowsAsCsv } from './operations/show-answer.ts'
import { OUTPUTS, type Output, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>

const CHUNK_BYTES = 65_536

interface Finding {
  readonly field: string
  readonly value: string
  readonly part: string
  readonly line?: number
  readonly excerpt: string
  readonly role?: string
  readonly rank?: number
  readonly reason: string
  readonly rule?: string
  readonly words?: string
}

interface Explained {
  readonly state: string
  readonly reason?: string
  readonly problems?: readonly { readonly path: string; readonly reason: string }[]
  readonly format?: string
  readonly decided_by?: { readonly rule?: string; readonly words?: string }
  readonly events: readonly {
    readonly event_type: string
    readonly event_date: string
    readonly ip?: string
    readonly domain?: string
    readonly sender_email: string
    readonly outcome: string
    readonly findings?: readonly Finding[]
  }[]
  readonly passed_over?: readonly Finding[]
}

/**
 * Stores nothing. An mbox or a maildir is explained mail by mail. Exit code 5 when no event is read
 * out of one of them.
 */
export async function runReportExplain(path: string, flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, OUTPUTS)
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const explain = (stream: Readable): Promise<Explained> => explainOne(client, stream, flags)
  const paint = createPaint(process.stdout, process.env)
  const archive = path === '-' ? null : await openMailArchive(path)
  if (archive === null || archive.isSingle) {
    const explained =
      archive === null
        ? await explain((await openInput(path, CHUNK_BYTES)).stream)
        : await explainSingle(archive, explain)
    writeRead(output, {
      document: explained,
      rows: listEvents(explained),
      columns: EVENT_COLUMNS,
      formatForPeople: () => formatExplained(explained, paint),
    })
    return explained.state === 'accepted' ? EXIT.ok : EXIT.partial
  }
  let isEachAccepted = true
  let isFirst = true
  for await (const { place, bytes } of archive.mails()) {
    const explained =
      bytes === null ? TOO_LARGE : await explain(Readable.from([bytes], { objectMode: false }))
    isEachAccepted &&= explained.state === 'accepted'
    process.stdout.write(formatMail(output, { place, explained, isFirst, paint }))
    isFirst = false
  }
  return isEachAccepted ? EXIT.ok : EXIT.partial
}

async function explainSingle(
  archive: MailArchive,
  explain: (stream: Readable) => Promise<Explained>,
): Promise<Explained> {
  for await (const { bytes } of archive.mails()) {
    return bytes === null ? TOO_LARGE : await explain(Readable.from([bytes], { objectMode: false }))
  }
  return await explain(Readable.from([]))
}

const EVENT_COLUMNS = [
  'event_type',
  'event_date',
  'ip',
  'domain',
  'sender_email',
  'outcome',
] as const

function listEvents({ events }: Explained): readonly Readonly<Record<string, unknown>>[] {
  return events.map((event) => ({ ...event }))
}

interface MailOfArchive {
  readonly place: string
  readonly explained: Explained
  readonly isFirst: boolean
  readonly paint: Paint
}

/** A line of JSON for each mail, or its events as rows of one table. */
function formatMail(output: Output, { place, explained, isFirst, paint }: MailOfArchive): string {
  if (output === 'human') {
    return `${paint(escapeControls(place), 'bold')}\n${formatExplained(explained, paint)}\n`
  }
  if (output !== 'csv') return `${formatJson({ place, ...explained }, 0)}\n`
  const rows = listEvents(explained).map((event) => ({ place, ...event }))
  const table = formatRowsAsCsv(rows, ['place', ...EVENT_COLUMNS])
  return isFirst ? table : table.slice(table.indexOf('\r\n') + 2)
}

const TOO_LARGE: Explained = {
  state: 'refused',
  reason: `It is larger than ${MAIL_BYTES_MAX / 1_048_576} MiB, the most that is taken.`,
  events: [],
}

async function explainOne(client: ApiClient, stream: Readable, flags: Flags): Promise<Explained> {
  const { reporter } = flags
  const standIn = typeof reporter === 'string' ? `&reporter=${encodeURIComponent(reporter)}` : ''
  const answer = await client.send({
    method: 'POST',
    path: `/beta/casework/reports?dry_run=true${standIn}`,
    contentType: 'application/octet-stream',
    stream,
  })
  const explained = readJsonAnswer(answer)
  if (isExplained(explained)) return explained
  throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
}

function isExplained(value: object): value is Explained {
  return 'state' in value && 'events' in value && Array.isArray(value.events)
}

/** For a person at a terminal of any width: one value a line, with its source and reason below. */
export function formatExplained(explained: Explained, paint: Paint): string {
  const { state, reason, format, events, problems = [], passed_over: passedOver = [] } = explained
  const { decided_by: decidedBy } = explained
  const verdict = state === 'accepted' ? paint(state, 'green') : paint(state, 'yellow')
  const lines = [
    `${verdict}${format === undefined ? '' : `  read as ${escapeControls(format)}`}  ${count(events.length, 'event')}`,
    ...(reason === undefined ? [] : [`  ${escapeControls(reason)}`]),
    ...(decidedBy?.rule === undefined ? [] : [`  ${formatRule(decidedBy)}`]),
    ...problems.map((each) => `    ${escapeControls(`${each.path} ${each.reason}`)}`),
  ]
  for (const [index, event] of events.entries()) {
    const subject = event.ip ?? event.domain ?? 'neither address nor domain'
    const title = `event ${index + 1}  ${event.event_type}  ${subject}`
    lines.push('', `${paint(escapeControls(title), 'bold')}  ${event.outcome}`)
    lines.push(...formatFindings(event.findings ?? [], paint))
  }
  if (passedOver.length > 0) {
    lines.push('', paint('passed over', 'bold'), ...formatFindings(passedOver, paint))
  }
  return `${lines.join('\n')}\n`
}

function formatFindings(findings: readonly Finding[], paint: Paint): string[] {
  const names = findings.map(({ field }) => escapeControls(field.slice(1).replaceAll('/', '.')))
  const width = Math.max(0, ...names.map((name) => name.length))
  return findings.flatMap((finding, index) => {
    const place =
      finding.line === undefined ? finding.part : `${finding.part}, line ${finding.line}`
    const rank = finding.rank === undefined ? '' : ` (candidate ${finding.rank})`
    const role = finding.role === undefined ? '' : `${finding.role}${rank}: `
    const indent = ' '.repeat(width + 4)
    return [
      `  ${(names[index] ?? '').padEnd(width)}  ${paint(escapeControls(finding.value), 'bold')}`,
      `${indent}${escapeControls(`${place}: ${role}${finding.reason}`)}`,
      ...(finding.rule === undefined ? [] : [`${indent}${formatRule(finding)}`]),
      ...(finding.excerpt === ''
        ? []
        : [`${indent}${paint(`| ${escapeControls(finding.excerpt)}`, 'dim')}`]),
    ]
  })
}

// The words come from a stranger, so they are quoted and no control character of them gets through.
function formatRule({ rule = '', words }: Pick<Finding, 'rule' | 'words'>): string {
  const said = words === undefined ? '' : ` by the words “${words}”`
  return escapeControls(`rule ${rule}${said}`)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
