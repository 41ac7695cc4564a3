// `casework notice …` and `casework suppression …`: the mails of cases, by way of the server, and a
// test of the relay from the machine of the command.

import { readFile } from 'node:fs/promises'
import { createApiClient, readJsonAnswer } from './api-client.ts'
import { isDryRun, requireConsent } from './confirm.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls, formatTable } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, unknown>>

const NOTICES = '/beta/casework/notices'
const SUPPRESSED = '/beta/casework/suppressed-addresses'
const FILTERS = [
  'state',
  'reason',
  'party',
  'purpose',
  'case_id',
  'customer_id',
  'recipient',
] as const
const COLUMNS = ['id', 'created_at', 'state', 'reason', 'purpose', 'recipient', 'subject'] as const

/** One page, the newest first. */
export async function runNoticeList(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const query = new URLSearchParams({ order: 'desc', limit: String(flags['limit']) })
  for (const name of FILTERS) {
    const given = flags[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (typeof given === 'string') query.set(name, given)
  }
  const page = await ask(flags, { method: 'GET', path: `${NOTICES}?${query.toString()}` })
  const formatForPeople = (): string => formatTable(COLUMNS, readItems(page))
  writeRead(output, { document: page, columns: COLUMNS, formatForPeople })
}

export async function runNoticeShow(id: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const notice = await ask(flags, { method: 'GET', path: pathOf(NOTICES, id) })
  writeRead(output, { document: notice, formatForPeople: () => formatNotice(notice) })
}

function formatNotice({ text, attempt_list: attempts, ...members }: Members): string {
  const rows = Object.entries(members).map(([member, value]) => ({ member, value }))
  const columns = ['attempt', 'started_at', 'outcome', 'reply_code', 'failure']
  const lines = String(text).split('\n').map(escapeControls)
  return [
    formatTable(['member', 'value'], rows),
    ...(Array.isArray(attempts) && attempts.length > 0 ? [formatTable(columns, attempts)] : []),
    `${lines.join('\n')}\n`,
  ].join('\n')
}

export async function runNoticeResend(id: string, flags: Flags): Promise<void> {
  await ask(flags, { method: 'POST', path: `${pathOf(NOTICES, id)}/resend` })
  process.stderr.write(`Notice ${escapeControls(id)} waits to be sent.\n`)
}

export async function runNoticeCancel(id: string, flags: Flags): Promise<void> {
  const request = { method: 'POST', path: `${pathOf(NOTICES, id)}/cancel` }
  if (isDryRun(flags, request)) return
  await requireConsent(`Drop the notice ${id}? It is not sent.`, flags)
  await ask(flags, request)
  process.stderr.write(`Notice ${escapeControls(id)} is cancelled.\n`)
}

/** Shows what a template, or a file with a draft of its body, says about a case. */
export async function runNoticePreview(name: string, caseId: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const { body: file, language, text } = flags
  const json = {
    case_id: caseId,
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof file === 'string' ? { body: await readFile(file, 'utf8') } : {}),
  }
  const path = `/beta/casework/templates/${encodeURIComponent(name)}/${encodeURIComponent(String(language))}/preview`
  const preview = await ask(flags, { method: 'POST', path, json })
  const lines = String(preview['text']).split('\n').map(escapeControls)
  const subject = escapeControls(String(preview['subject']))
  writeRead(output, {
    document: preview,
    formatForPeople: () => `Subject: ${subject}\n\n${lines.join('\n')}\n`,
  })
}

/** From this machine, with the settings of the server. Exit code 1 when a step failed. */
export async function runNoticeTest(flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, OUTPUTS)
  const { config } = loadConfigFromFlags(flags)
  const { sendTestMail } = await import('../app/send-test-mail.ts')
  const steps = await sendTestMail(config, String(flags['to']))
  const hasFailed = steps.some(({ state }) => state === 'failed')
  const rows = steps.map((one) => ({ ...one }))
  const columns = ['step', 'state', 'detail']
  const formatForPeople = (): string => formatTable(columns, rows)
  writeRead(output, { document: { ok: !hasFailed, steps }, rows, columns, formatForPeople })
  return hasFailed ? EXIT.failure : EXIT.ok
}

export async function runSuppressionList(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const items: unknown[] = []
  let cursor = ''
  do {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    // One page after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const page = await ask(flags, { method: 'GET', path: `${SUPPRESSED}?limit=100${next}` })
    items.push(...readItems(page))
    const { next_cursor: given } = page
    cursor = typeof given === 'string' ? given : ''
  } while (cursor !== '')
  const columns = ['address', 'cause', 'note', 'created_at']
  const formatForPeople = (): string => formatTable(columns, items.filter(isMembers))
  writeRead(output, { document: { items }, columns, formatForPeople })
}

/** The addresses of the arguments, or one a line of a file. */
export async function runSuppressionAdd(addresses: readonly string[], flags: Flags): Promise<void> {
  const { file, note } = flags
  const read = typeof file === 'string' ? (await readFile(file, 'utf8')).split(/\r?\n/) : []
  const all = [...addresses, ...read].map((one) => one.trim()).filter((one) => one !== '')
  if (all.length === 0) throw new CommandFailure('Name an address, or a --file.', EXIT.usage)
  const json = typeof note === 'string' ? { note } : {}
  // One after the other: a wrong one is named, and those before it are on the list.
  // oxlint-disable-next-line eslint/no-await-in-loop
  for (const one of all) await ask(flags, { method: 'PUT', path: pathOf(SUPPRESSED, one), json })
  process.stderr.write(
    `${all.length === 1 ? '1 address is' : `${all.length} addresses are`} on the list.\n`,
  )
}

export async function runSuppressionRemove(address: string, flags: Flags): Promise<void> {
  const request = { method: 'DELETE', path: pathOf(SUPPRESSED, address) }
  if (isDryRun(flags, request)) return
  await ask(flags, request)
  process.stderr.write(`${escapeControls(address)} is off the list.\n`)
}

function pathOf(list: string, part: string): string {
  return `${list}/${encodeURIComponent(part)}`
}

function readItems({ items }: Members): readonly Members[] {
  return Array.isArray(items) ? items.filter(isMembers) : []
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

async function ask(
  flags: Flags,
  request: { readonly method: string; readonly path: string; readonly json?: unknown },
): Promise<Members> {
  const { config } = loadConfigFromFlags(flags)
  return readJsonAnswer(await createApiClient(flags, config).send(request))
}
