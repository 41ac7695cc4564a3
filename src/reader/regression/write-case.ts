// Writes a mail with what it reports as a case for the tests of the reader, in the form of
// test/testdata/mails (README.md there). Its parts are decoded, so that a person can read them; on
// request everything that names somebody is replaced.

import { parseUrlHost } from '../../vocabulary/target.ts'
import { decodeTransfer } from '../mail/decode-transfer.ts'
import { decodeWords, parseAddresses } from '../mail/decode-words.ts'
import { looksLikeMail } from '../mail/detect-mail.ts'
import { readParameters } from '../mail/header-parameters.ts'
import { isTextual, readText } from '../mail/parse-mail.ts'
import { READING_LIMITS } from '../mail/reading-limits.ts'
import { type MimeNode, type MimeTree, splitMime } from '../mail/split-mime.ts'
import type { CaseExpectation, CaseRequest, WrittenCase } from '../reading.ts'
import { TenantNetworks } from '../tenant-networks.ts'
import { compileMeaning } from '../words/compile-words.ts'
import { Anonymiser } from './anonymiser.ts'
import { encodePart } from './encode-part.ts'
import { isKeptHeader, isLookedAt } from './kept-headers.ts'

// Nobody reads a longer case; real mail is far shorter.
const BYTES_MAX = 1_048_576

export function writeCase(bytes: Uint8Array, request: CaseRequest): WrittenCase {
  if (!looksLikeMail(bytes)) return { kind: 'refused', reason: 'it is no mail' }
  if (bytes.length > BYTES_MAX) return { kind: 'refused', reason: 'it is larger than 1 MiB' }
  const tree = splitMime(bytes, READING_LIMITS)
  if (tree.exceeded !== null) return { kind: 'refused', reason: 'it is over a limit of the reader' }
  const plain = { text: (text: string) => text, isAnonymised: false, leftOut: [] }
  const isCollecting = request.isAnonymised
  const mail = writeEntity(tree, tree.root, { ...plain, isCollecting }, 0)
  if (!request.isAnonymised) {
    return { kind: 'case', text: joinCase(request, (text) => text, mail) }
  }
  const anonymiser = new Anonymiser()
  for (const name of listNames(tree, tree.root, 0)) anonymiser.addName(name)
  anonymiser.learn(mail)
  for (const text of listTexts(request.expectation)) anonymiser.learn(text)
  for (const name of listSignatures(mail)) anonymiser.addName(name)
  const replace = (text: string): string => anonymiser.text(text)
  const leftOut: string[] = []
  const anonymous = writeEntity(tree, tree.root, { text: replace, isAnonymised: true, leftOut }, 0)
  const note = leftOut.length === 0 ? '' : `X-Left-Out: parts that are no text: ${leftOut.length}\n`
  return { kind: 'case', text: joinCase(request, replace, `${note}${anonymous}`) }
}

function listTexts(expectation: CaseExpectation): readonly string[] {
  const { ips, urls, domains, reporter, recipient, bystanders } = expectation
  return [...ips, ...urls, ...domains, ...bystanders, reporter ?? '', recipient ?? '']
}

function joinCase(request: CaseRequest, replace: (text: string) => string, mail: string): string {
  const lines = [`=== ${request.name}`, ...listMembers(request, replace), '---', mail]
  return `${lines.join('\n').trimEnd()}\n`
}

function listMembers(request: CaseRequest, replace: (text: string) => string): readonly string[] {
  const { expectation, envelopeRecipient, isTrapped, receivedAtMs } = request
  const { ips, urls, domains, types, reporter, recipient, bystanders } = expectation
  const isReport = ips.length + urls.length + domains.length > 0
  const all = (values: readonly string[]): string =>
    [...new Set(values.map((value) => replace(value)))].join(' ')
  const reports = bystanders.length > 0 ? 'bystander' : ''
  const members: readonly (readonly [name: string, value: string])[] = [
    ['kind', isReport ? reports : 'nothing'],
    ['ip', all(ips)],
    ['url', all(urls)],
    ['domain', all(domains)],
    ['type', isReport ? all(types) : ''],
    ['reporter', isReport && reporter !== null ? replace(reporter) : ''],
    ['recipient', isReport ? replace(recipient ?? 'none') : ''],
    ['state', isReport ? '' : 'rejected'],
    ['not', isReport ? all(bystanders) : ''],
    ['own', all(listOwn(request))],
    ['envelope', envelopeRecipient === null ? '' : replace(envelopeRecipient)],
    ['trap', isTrapped ? 'yes' : ''],
    ['received', new Date(receivedAtMs).toISOString()],
  ]
  return members.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
}

/** What the case names of the tenant's own networks decides between two that could be meant. */
function listOwn({ expectation, ownNetworks }: CaseRequest): readonly string[] {
  const networks = new TenantNetworks(ownNetworks)
  const { ips, urls, domains, bystanders } = expectation
  const hosts = urls.flatMap((url) => hostOf(url) ?? [])
  return [...new Set([...ips, ...hosts, ...domains, ...bystanders])].filter((item) =>
    /^[\d.]+$|:/.test(item) ? networks.hasAddress(item) : networks.hasHost(item),
  )
}

/** Of a link without its scheme, too. */
function hostOf(url: string): string | null {
  const { ip, domain } = parseUrlHost(url.includes('://') ? url : `http://${url}`)
  return ip ?? domain
}

interface Writing {
  readonly text: (text: string) => string
  readonly isAnonymised: boolean
  /** Parts that were left out, by their type. */
  readonly leftOut: string[]
  /** The texts are read for names only. */
  readonly isCollecting?: boolean
}

/** Headers, an empty line and the body, with line feeds. */
function writeEntity(tree: MimeTree, node: MimeNode, writing: Writing, depth: number): string {
  const headers = depth === 0 ? listHeaders(node, writing) : []
  const { type, encoding, body } = writeBody(tree, node, writing, depth)
  const own = [
    ...(depth === 0 ? ['MIME-Version: 1.0'] : []),
    `Content-Type: ${type}`,
    ...describeDisposition(node, writing),
    ...(encoding === null ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
  ]
  return `${[...headers, ...own].join('\n')}\n\n${body}`
}

function listHeaders({ headers }: MimeNode, { text, isAnonymised }: Writing): readonly string[] {
  const kept = headers.filter(({ name }) => isKeptHeader(name))
  const shown = isAnonymised ? kept.filter(({ name }) => isLookedAt(name)) : kept
  const lines = shown.map(({ name, value }) => {
    const decoded = decodeWords(value, READING_LIMITS).replaceAll(/\s+/g, ' ').trim()
    return `${capitalise(name)}: ${text(decoded)}`
  })
  // The reader of cases puts the headers of an ordinary complaint where one is missing.
  const missing = ['from', 'to', 'date'].filter((name) => headers.every((one) => one.name !== name))
  return [...lines, ...missing.map((name) => `${capitalise(name)}: `)]
}

function capitalise(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function describeDisposition({ headers }: MimeNode, { text }: Writing): readonly string[] {
  const value = headers.find(({ name }) => name === 'content-disposition')?.value
  if (value === undefined) return []
  const { value: kind, parameters } = readParameters(value)
  const file = parameters.get('filename')
  const name = file === undefined ? '' : `; filename="${quote(text(decodeName(file)))}"`
  return [`Content-Disposition: ${kind === 'inline' ? 'inline' : 'attachment'}${name}`]
}

function decodeName(name: string): string {
  return decodeWords(name, READING_LIMITS)
}

function quote(text: string): string {
  return text.replaceAll(/["\\\r\n]/g, '_')
}

interface Body {
  readonly type: string
  readonly encoding: string | null
  readonly body: string
}

function writeBody(tree: MimeTree, node: MimeNode, writing: Writing, depth: number): Body {
  const { value: mediaType, parameters } = node.contentType
  const name = parameters.get('name')
  const label = name === undefined ? '' : `; name="${quote(writing.text(decodeName(name)))}"`
  if (node.children.length > 0) {
    const parts = node.children.map((child) => writeEntity(tree, child, writing, depth + 1))
    const boundary = chooseBoundary(parts)
    const report = parameters.get('report-type')
    const kind = report === undefined ? '' : `; report-type=${quote(report)}`
    const body = [...parts.map((part) => `--${boundary}\n${part}`), `--${boundary}--`].join('\n')
    return { type: `${mediaType}${kind}; boundary="${boundary}"`, encoding: null, body }
  }
  const bytes = decodeLeaf(tree, node)
  if (mediaType === 'message/rfc822' && depth < READING_LIMITS.enclosedDepthMax) {
    const inner = splitMime(bytes, READING_LIMITS)
    return { type: mediaType, encoding: null, body: writeEntity(inner, inner.root, writing, 0) }
  }
  if (isTextual(mediaType, name ?? null)) {
    const text = readText(bytes, mediaType, parameters)
    const shown = mediaType === 'text/html' ? decodeEntities(text) : text
    return { type: `${mediaType}; charset=utf-8${label}`, ...encodePart(writing.text(shown)) }
  }
  if (writing.isAnonymised) {
    writing.leftOut.push(mediaType)
    return { type: `text/plain; charset=utf-8`, encoding: null, body: '' }
  }
  const base64 = writing.isCollecting === true ? '' : wrap(Buffer.from(bytes).toString('base64'))
  return { type: `${mediaType}${label}`, encoding: 'base64', body: base64 }
}

function decodeLeaf(tree: MimeTree, { headers, bodyStart, bodyEnd }: MimeNode): Uint8Array {
  const value = headers.find(({ name }) => name === 'content-transfer-encoding')?.value ?? ''
  const encoding = /[\w-]+/.exec(value.toLowerCase())?.[0] ?? ''
  return decodeTransfer(tree.bytes.subarray(bodyStart, bodyEnd), encoding)
}

function chooseBoundary(parts: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const boundary = `part-of-a-case-${number}`
    if (!parts.some((part) => part.includes(`--${boundary}`))) return boundary
  }
}

function wrap(base64: string): string {
  return base64.match(/.{1,76}/g)?.join('\n') ?? ''
}

/** `&#64;` may hide an address; the entities of markup stay. */
function decodeEntities(html: string): string {
  return html.replaceAll(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
    (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      const isPlain = code >= 0x20 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
      return isPlain && !'<>&"\''.includes(String.fromCodePoint(code))
        ? String.fromCodePoint(code)
        : whole
    },
  )
}

const NAME_HEADERS = ['from', 'to', 'cc', 'reply-to', 'sender', 'x-original-from']

/** The display names of the mail and of what is enclosed. */
function listNames(tree: MimeTree, node: MimeNode, depth: number): readonly string[] {
  const own = parseAddresses(
    node.headers.filter(({ name }) => NAME_HEADERS.includes(name)).map(({ value }) => value),
    READING_LIMITS,
  ).map(({ displayName }) => displayName)
  const inside = node.children.flatMap((child) => listNames(tree, child, depth))
  if (node.contentType.value !== 'message/rfc822' || depth >= READING_LIMITS.enclosedDepthMax) {
    return [...own, ...inside]
  }
  const inner = splitMime(decodeLeaf(tree, node), READING_LIMITS)
  return [...own, ...inside, ...listNames(inner, inner.root, depth + 1)]
}

const REGARDS = compileMeaning('signature.regards', { start: 'word', text: 'as written' })
const SIGNATURE_LINES = 5
const NAME_WORDS_MAX = 5

/** The capitalised words of the few short lines below a closing or a `--`. */
function listSignatures(mail: string): readonly string[] {
  const lines = mail.split('\n').map((line) => line.replace(/^[\s>|]+/, ''))
  return lines.flatMap((line, at) => {
    const isEnd = /^--\s*$/.test(line) || (line.length <= 60 && REGARDS.test(line.toLowerCase()))
    if (!isEnd) return []
    return lines.slice(at, at + 1 + SIGNATURE_LINES).flatMap((below) => {
      const words = below.match(/[\p{L}\p{M}'’-]+/gu) ?? []
      if (words.length > NAME_WORDS_MAX || /[@:/]/.test(below)) return []
      return words.filter((word) => /^\p{Lu}/u.test(word) && !REGARDS.test(word.toLowerCase()))
    })
  })
}
