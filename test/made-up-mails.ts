// The made-up mails of test/testdata/mails, with what each reports: a text file for each class of
// mail, and how to write one in README.md beside them. The bench prints figures over all of them,
// and a test holds the floors.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportContext } from '../src/reader/reading.ts'
import { findPackageRoot } from '../src/values/resources.ts'

/**
 * `report`: somebody reports something. `bystander`: so, and somebody in it must not be blamed.
 * `nothing`: it reports nothing, and any event is wrong.
 */
type MailKind = 'report' | 'bystander' | 'nothing'

const KINDS: readonly MailKind[] = ['report', 'bystander', 'nothing']

/** A member that is left out is not compared; an empty set means that there must be none. */
export interface MadeUpMail {
  readonly name: string
  /** The file it stands in, which is named after its class. */
  readonly file: string
  readonly kind: MailKind
  readonly language: string
  readonly bytes: Buffer
  readonly receivedAtMs: number
  readonly ip: ReadonlySet<string>
  readonly url: ReadonlySet<string>
  /** The hosts of `url` as well. */
  readonly domain: ReadonlySet<string>
  /** Any one of them is right. */
  readonly types: ReadonlySet<string> | null
  readonly reporter: string | null
  readonly recipient: string | null
  /** Beginnings of the right dates, such as `2026-11-03`. */
  readonly date: ReadonlySet<string> | null
  /** `rejected`, `quarantined` or both, where it matters. */
  readonly states: ReadonlySet<string> | null
  /** Hosts and addresses that nobody may be blamed with. */
  readonly not: ReadonlySet<string>
  /** Addresses, ranges and domains of the tenant that it came to. */
  readonly own: readonly string[]
  readonly envelopeRecipient: string | null
  /** It came to a mailbox that is declared a trap. */
  readonly isTrapped: boolean
}

const FOLDER = join(findPackageRoot(), 'test', 'testdata', 'mails')
const ARRIVAL_MS = Date.parse('2026-11-03T12:00:00Z')
const MEMBERS = new Set(
  'kind language ip url domain type reporter recipient date state not own envelope trap received'.split(
    ' ',
  ),
)

export function listMadeUpMails(folder: string = FOLDER): readonly MadeUpMail[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .flatMap((file) => readFile(file, readFileSync(join(folder, file), 'utf8')))
}

/** What the product knows of a mail beside its bytes. */
export function surroundingsOf(mail: MadeUpMail): Partial<ReportContext> {
  const { envelopeRecipient: to, isTrapped, own } = mail
  return {
    envelopeTo: to === null ? [] : [to],
    mailboxes: to === null ? [] : [{ address: to, isTrap: isTrapped }],
    ownNetworks: own,
  }
}

function readFile(file: string, text: string): readonly MadeUpMail[] {
  const [, ...cases] = `\n${text}`.split(/\n=== /)
  assert.ok(cases.length > 0, `${file} holds no mail`)
  return cases.map((each) => readCase(file, each))
}

function readCase(file: string, text: string): MadeUpMail {
  const name = text.slice(0, text.indexOf('\n')).trim()
  const where = `${file}, ${name}`
  const split = text.indexOf('\n---\n')
  assert.ok(split > 0, `${where}: --- stands between the expectation and the mail`)
  const members = readMembers(text.slice(name.length, split), where)
  const kind = KINDS.find((known) => known === (members.get('kind') ?? 'report'))
  assert.ok(kind !== undefined, `${where}: kind`)
  const url = readSet(members.get('url')) ?? new Set()
  const hosts = [...url].map((each) => new URL(each).hostname).filter((host) => !isAddress(host))
  return {
    name,
    file,
    kind,
    language: members.get('language') ?? 'en',
    bytes: Buffer.from(buildMail(text.slice(split + 5), name), 'utf8'),
    receivedAtMs: Date.parse(members.get('received') ?? '') || ARRIVAL_MS,
    ip: readSet(members.get('ip')) ?? new Set(),
    url,
    domain: new Set([...hosts, ...(readSet(members.get('domain')) ?? [])]),
    types: readSet(members.get('type')),
    reporter: kind === 'nothing' ? null : (members.get('reporter') ?? 'ann@reporter.example'),
    recipient: kind === 'nothing' ? null : readRecipient(members.get('recipient')),
    date: readSet(members.get('date')),
    states: readSet(members.get('state')),
    not: readSet(members.get('not')) ?? new Set(),
    own: [...(readSet(members.get('own')) ?? [])],
    envelopeRecipient: members.get('envelope') ?? null,
    isTrapped: members.get('trap') === 'yes',
  }
}

function readRecipient(text: string | undefined): string | null {
  return text === 'none' ? null : (text ?? 'abuse@provider.example')
}

function isAddress(host: string): boolean {
  return /^[\d.]+$|^\[/.test(host)
}

function readMembers(text: string, where: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^([a-z]+): *(.*)$/.exec(line.trim()) ?? []
    assert.ok(MEMBERS.has(name) && !members.has(name), `${where}: ${line}`)
    members.set(name, value.trim())
  }
  return members
}

/** Separated by blanks; `none` is the empty set. */
function readSet(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null
  return new Set(text === 'none' ? [] : text.split(/\s+/).filter((word) => word !== ''))
}

const BOUNDARY = 'part-of-a-made-up-mail'
const PART_PATTERN = /^--- (text|html|attachment|enclosed)(?: (\S+))?(?: (\S+))?$/

// Headers that are left out are those of an ordinary complaint. A mail of several parts names each
// by a line `--- html`, `--- attachment <name> <type>` or `--- enclosed`.
function buildMail(text: string, name: string): string {
  // A part may follow the headers at once.
  const gap = text.search(/\n(?:\n|--- )/)
  const headers = text.slice(0, gap)
  const blocks = splitParts(text.slice(gap + 1).replace(/^\n/, ''))
  const lines = [headers]
  const addHeader = (header: string, value: string): void => {
    if (!new RegExp(`^${header}:`, 'im').test(headers)) lines.push(`${header}: ${value}`)
  }
  addHeader('From', 'Ann Reporter <ann@reporter.example>')
  addHeader('To', 'abuse@provider.example')
  addHeader('Date', 'Tue, 03 Nov 2026 10:00:00 +0000')
  addHeader('Message-ID', `<${Buffer.from(name).toString('hex').slice(-40)}@reporter.example>`)
  addHeader('MIME-Version', '1.0')
  const [only] = blocks
  if (only !== undefined && blocks.length === 1) {
    addHeader('Content-Type', `${only.type}; charset=utf-8`)
    lines.push('', only.body)
  } else {
    addHeader('Content-Type', `multipart/mixed; boundary="${BOUNDARY}"`)
    lines.push('')
    for (const { type, file, body } of blocks) {
      const label = file === null ? '' : `; name="${file}"`
      lines.push(
        `--${BOUNDARY}`,
        `Content-Type: ${type}${type.startsWith('text/') ? '; charset=utf-8' : ''}${label}`,
      )
      if (file !== null) lines.push(`Content-Disposition: attachment; filename="${file}"`)
      lines.push('', body)
    }
    lines.push(`--${BOUNDARY}--`, '')
  }
  return lines.join('\n').replaceAll(/\r?\n/g, '\r\n')
}

interface Part {
  readonly type: string
  readonly file: string | null
  readonly body: string
}

function splitParts(text: string): readonly Part[] {
  const parts: { type: string; file: string | null; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const [whole, kind, file, type] = PART_PATTERN.exec(line) ?? []
    if (whole === undefined) {
      if (parts.length === 0) parts.push({ type: 'text/plain', file: null, lines: [] })
      parts.at(-1)?.lines.push(line)
    } else if (kind === 'attachment') {
      parts.push({ type: type ?? 'text/plain', file: file ?? 'log.txt', lines: [] })
    } else {
      const types = { text: 'text/plain', html: 'text/html', enclosed: 'message/rfc822' } as const
      parts.push({
        type: kind === 'html' || kind === 'enclosed' ? types[kind] : types.text,
        file: null,
        lines: [],
      })
    }
  }
  // Text before the first part is a part; the blank line in front of one is none.
  return parts
    .map(({ type, file, lines }) => ({ type, file, body: lines.join('\n') }))
    .filter(
      ({ body, file }, index) =>
        index > 0 || file !== null || body.trim() !== '' || parts.length === 1,
    )
}
