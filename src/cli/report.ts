// `casework report explain <file>`: how a report would be read, value by value: where it was found, why it won, and what was passed over.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createApiClient, readJsonAnswer } from './api-client.ts'
import { createPaint, type Paint } from './colour.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

type Flags = Readonly<Record<string, unknown>>

interface Finding {
  readonly field: string
  readonly value: string
  readonly part: string
  readonly line?: number
  readonly excerpt: string
  readonly role?: string
  readonly rank?: number
  readonly reason: string
}

interface Explained {
  readonly state: string
  readonly reason?: string
  readonly format?: string
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

/** Stores nothing. Exit code 5 when no event is read out of it. */
export async function runReportExplain(file: string, flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, ['human', 'json'])
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const found = file === '-' ? null : await stat(file).catch(() => null)
  if (file !== '-' && found?.isFile() !== true) {
    throw new CommandFailure(`There is no file ${file}.`, EXIT.notFound)
  }
  const answer = await client.send({
    method: 'POST',
    path: '/beta/casework/reports?dry_run=true',
    contentType: 'application/octet-stream',
    stream: file === '-' ? process.stdin : createReadStream(file),
  })
  const explained = readJsonAnswer(answer)
  if (!isExplained(explained)) {
    throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
  }
  const paint = createPaint(process.stdout, process.env)
  process.stdout.write(
    output === 'json' ? `${formatJson(explained, 2)}\n` : formatExplained(explained, paint),
  )
  return explained.state === 'accepted' ? EXIT.ok : EXIT.partial
}

function isExplained(value: object): value is Explained {
  return 'state' in value && 'events' in value && Array.isArray(value.events)
}

/** For a person at a terminal of any width: one value a line, and below it where it stands and why. */
export function formatExplained(explained: Explained, paint: Paint): string {
  const { state, reason, format, events, passed_over: passedOver = [] } = explained
  const verdict = state === 'accepted' ? paint(state, 'green') : paint(state, 'yellow')
  const lines = [
    `${verdict}${format === undefined ? '' : `  read as ${escapeControls(format)}`}  ${count(events.length, 'event')}`,
    ...(reason === undefined ? [] : [`  ${escapeControls(reason)}`]),
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
      ...(finding.excerpt === ''
        ? []
        : [`${indent}${paint(`| ${escapeControls(finding.excerpt)}`, 'dim')}`]),
    ]
  })
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
