// `casework notice …` and `casework suppression …`: the mails of cases, by way of the server, and a
// test of the relay from the machine of the command.

import { readFile } from 'node:fs/promises'
import { createApiClient, readJsonAnswer } from './api-client.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls, formatTable } from './format-table.ts'
import { readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

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
  const output = readOutput(flags, ['human', 'json'])
  const query = new URLSearchParams({ order: 'desc', limit: String(flags['limit']) })
  for (const name of FILTERS) {
    const given = flags[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (typeof given === 'string') query.set(name, given)
  }
  const page = await ask(flags, { method: 'GET', path: `${NOTICES}?${query.toString()}` })
  if (output === 'json') return writeJson(page)
  process.stdout.write(formatTable(COLUMNS, readItems(page)))
}

export async function runNoticeShow(id: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, ['human', 'json'])
  const notice = await ask(flags, { method: 'GET', path: pathOf(NOTICES, id) })
  if (output === 'json') return writeJson(notice)
  const { text, attempt_list: attempts, ...members } = notice
  const rows = Object.entries(members).map(([member, value]) => ({ member, value }))
  process.stdout.write(formatTable(['member', 'value'], rows))
  if (Array.isArray(attempts) && attempts.length > 0) {
    const columns = ['attempt', 'started_at', 'outcome', 'reply_code', 'failure']
    process.stdout.write(`\n${formatTable(columns, attempts)}`)
  }
  const lines = String(text).split('\n').map(escapeControls)
  process.stdout.write(`\n${lines.join('\n')}\n`)
}

export async function runNoticeResend(id: string, flags: Flags): Promise<void> {
  await ask(flags, { method: 'POST', path: `${pathOf(NOTICES, id)}/resend` })
  process.stderr.write(`Notice ${escapeControls(id)} waits to be sent.\n`)
}

export async function runNoticeCancel(id: string, flags: Flags): Promise<void> {
  await ask(flags, { method: 'POST', path: `${pathOf(NOTICES, id)}/cancel` })
  process.stderr.write(`Notice ${escapeControls(id)} is cancelled.\n`)
}

/** Shows what a template, or a file with a draft of its body, says about a case. */
export async function runNoticePreview(name: string, caseId: string, flags: Flags): Promise<void> {
  const { body: file, language, text } = flags
  const json = {
    case_id: caseId,
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof file === 'string' ? { body: await readFile(file, 'utf8') } : {}),
  }
  const path = `/beta/casework/templates/${encodeURIComponent(name)}/${encodeURIComponent(String(language))}/preview`
  const preview = await ask(flags, { method: 'POST', path, json })
  const lines = String(preview['text']).split('\n').map(escapeControls)
  process.stdout.write(
    `Subject: ${escapeControls(String(preview['subject']))}\n\n${lines.join('\n')}\n`,
  )
}

/** From this machine, with the settings of the server. Exit code 1 when a step failed. */
export async function runNoticeTest(flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, ['human', 'json'])
  const { config } = loadConfigFromFlags(flags)
  const { sendTestMail } = await import('../app/send-test-mail.ts')
  const steps = await sendTestMail(config, String(flags['to']))
  const hasFailed = steps.some(({ state }) => state === 'failed')
  const rows = steps.map((one) => ({ ...one }))
  if (output === 'json') {
    writeJson({ ok: !hasFailed, steps })
  } else {
    process.stdout.write(formatTable(['step', 'state', 'detail'], rows))
  }
  return hasFailed ? EXIT.failure : EXIT.ok
}

export async function runSuppressionList(flags: Flags): Promise<void> {
  const output = readOutput(flags, ['human', 'json'])
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
  if (output === 'json') return writeJson({ items })
  const columns = ['address', 'cause', 'note', 'created_at']
  process.stdout.write(formatTable(columns, items.filter(isMembers)))
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
  await ask(flags, { method: 'DELETE', path: pathOf(SUPPRESSED, address) })
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

function writeJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

async function ask(
  flags: Flags,
  request: { readonly method: string; readonly path: string; readonly json?: unknown },
): Promise<Members> {
  const { config } = loadConfigFromFlags(flags)
  return readJsonAnswer(await createApiClient(flags, config).send(request))
}
