// `casework report correct` and `casework report regression-case`, through the running server.

import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { requireConsent } from './confirm.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { readWhole } from './operations/read-request.ts'
import { readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

type Flags = Readonly<Record<string, unknown>>
type Json = Readonly<Record<string, unknown>>

export async function runReportCorrect(reportId: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, ['human', 'json'])
  const client = createApiClient(flags, loadConfigFromFlags(flags).config)
  const path = `/beta/casework/reports/${encodeURIComponent(reportId)}`
  const report = readJsonAnswer(await client.send({ method: 'GET', path }))
  const change =
    flags['file'] === undefined ? await buildChange(client, path, flags) : readChange(flags)
  if (
    change['withdraw_all'] === true ||
    listEvents(change).some(({ withdraw }) => withdraw === true)
  ) {
    await requireConsent('Withdraw these events? They are removed from their cases.', flags)
  }
  const { reason } = flags
  const json = {
    version: report['version'],
    ...(typeof reason === 'string' ? { reason } : {}),
    ...change,
  }
  const answer = readJsonAnswer(
    await client.send({ method: 'POST', path: `${path}/correct`, json }),
  )
  process.stdout.write(output === 'json' ? `${formatJson(answer, 2)}\n` : formatCorrected(answer))
}

/** The case on standard output, as it stands: it goes into a file. */
export async function runRegressionCase(reportId: string, flags: Flags): Promise<void> {
  const client = createApiClient(flags, loadConfigFromFlags(flags).config)
  const query = flags['anonymise'] === true ? '?anonymise=true' : ''
  const path = `/beta/casework/reports/${encodeURIComponent(reportId)}/regression-case${query}`
  const answer = await client.send({ method: 'GET', path })
  if (answer.status !== 200) readJsonAnswer(answer)
  process.stdout.write(process.stdout.isTTY ? escapeLines(answer.text) : answer.text)
}

// The text of a mail must not move the cursor of a terminal.
function escapeLines(lines: string): string {
  return lines.split('\n').map(escapeControls).join('\n')
}

function readChange(flags: Flags): Json {
  const file = String(flags['file'])
  const source = readWhole(file).toString('utf8')
  try {
    const value: unknown = JSON.parse(source)
    if (isJson(value)) return value
  } catch {
    // Said below.
  }
  throw new CommandFailure(`${file} is no JSON object.`, EXIT.usage)
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listEvents({ events }: Json): readonly Json[] {
  return Array.isArray(events) ? events.filter(isJson) : []
}

async function buildChange(client: ApiClient, path: string, flags: Flags): Promise<Json> {
  const content = buildContent(flags)
  if (flags['add'] === true) {
    const { sender } = flags
    return {
      add: [{ ...content, ...(typeof sender === 'string' ? { sender_email: sender } : {}) }],
    }
  }
  if (flags['withdraw'] === true && flags['event'] === undefined) return { withdraw_all: true }
  const event_id = flags['event'] ?? (await findOnlyEvent(client, path))
  if (flags['withdraw'] === true) return { events: [{ event_id, withdraw: true }] }
  if (Object.keys(content).length > 0) return { events: [{ event_id, ...content }] }
  throw new CommandFailure(
    'Say what is wrong: --type, --ip, --domain, --link, --target, --withdraw, --add or --file.',
    EXIT.usage,
  )
}

function buildContent({ type, ip, domain, link, target }: Flags): Json {
  const subject = { ...member('ip', ip), ...member('domain', domain), ...member('url', link) }
  return {
    ...member('event_type', type),
    ...(Object.keys(subject).length === 0 ? {} : { subject }),
    ...(typeof target === 'string' ? { target: readItem(target) } : {}),
    ...(target === false ? { target: null } : {}),
  }
}

function member(name: string, value: unknown): Json {
  return typeof value === 'string' ? { [name]: value } : {}
}

function readItem(item: string): Json {
  if (item.includes('://')) return { url: item }
  return /^[\d.]+$|:/.test(item) ? { ip: item } : { domain: item }
}

async function findOnlyEvent(client: ApiClient, path: string): Promise<string> {
  const answer = readJsonAnswer(
    await client.send({ method: 'GET', path: `${path}/events?limit=10` }),
  )
  const items = Array.isArray(answer['items']) ? answer['items'].filter(isJson) : []
  const [only] = items
  if (only !== undefined && items.length === 1) return String(only['event_id'])
  const list = items.map((event) => {
    const { event_id: id, event_type: type, ip, domain } = event
    const subject = [ip, domain].find((one) => typeof one === 'string') ?? ''
    return `\n  ${String(id)}  ${String(type)}  ${subject}`
  })
  throw new CommandFailure(
    items.length === 0
      ? 'The report has no event; add one with --add.'
      : `The report has several events; name one with --event:${escapeControls(list.join('')).replaceAll('\\x0a', '\n')}`,
    EXIT.usage,
  )
}

function formatCorrected(answer: Json): string {
  const { report_id: id, state, version } = answer
  const lines = [`report ${String(id)}  ${String(state)}  version ${String(version)}`]
  const { corrections } = answer
  const last: unknown = Array.isArray(corrections) ? corrections.at(-1) : undefined
  const changes =
    isJson(last) && Array.isArray(last['changes']) ? last['changes'].filter(isJson) : []
  const cases = new Map(listEvents(answer).map((event) => [event['event_id'], event['case_id']]))
  for (const { event_id: eventId, kind, before, after } of changes) {
    const now = cases.get(eventId)
    const where = typeof now === 'string' ? `  ${now}` : ''
    lines.push(`  ${String(kind)}  ${String(eventId)}${where}`)
    if (isJson(before)) lines.push(`    before  ${formatContent(before)}`)
    if (isJson(after)) lines.push(`    after   ${formatContent(after)}`)
  }
  return `${lines.map(escapeControls).join('\n')}\n`
}

function formatContent({ event_type: type, ...others }: Json): string {
  const members = Object.entries(others).map(([name, value]) => {
    return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  return [String(type), ...members].join('  ')
}
