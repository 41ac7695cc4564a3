// Parses the bytes of a mail to the Mail that the readers use. It never fails: damaged parts are
// read as far as possible and listed as defects.

import { parseMailDate } from '../text/dates/parse-date-mail.ts'
import { decodeCharset } from './decode-charset.ts'
import { decodeFlowed } from './decode-flowed.ts'
import { decodeTransfer } from './decode-transfer.ts'
import { decodeWords, parseAddresses } from './decode-words.ts'
import { readParameters } from './header-parameters.ts'
import type { Mail, MailPart } from './mail.ts'
import { READING_LIMITS, type ReadingLimits } from './reading-limits.ts'
import { type MimeNode, type MimeTree, splitMime } from './split-mime.ts'

/** `tree`: of the same bytes and limits, where they were split already. */
export function parseMail(
  bytes: Uint8Array,
  limits: ReadingLimits = READING_LIMITS,
  tree: MimeTree = splitMime(bytes, limits),
): Mail {
  const rawHeaders = tree.root.headers
  const headers = rawHeaders.map(({ name, value }) => ({
    name,
    value: tidyValue(decodeWords(value, limits)),
  }))
  const findValue = (name: string): string | null =>
    headers.find((header) => header.name === name)?.value ?? null
  const listAddresses = (name: string): Mail['from'] =>
    parseAddresses(
      rawHeaders.filter((header) => header.name === name).map(({ value }) => value),
      limits,
    )
  const defects = new Set(tree.defects)
  if (tree.exceeded !== null) defects.add(tree.exceeded)
  return {
    headers,
    subject: findValue('subject') ?? '',
    messageId: findValue('message-id') || null,
    dateMs: parseMailDate(findValue('date') ?? ''),
    from: listAddresses('from'),
    replyTo: listAddresses('reply-to'),
    to: listAddresses('to'),
    parts: listLeaves(tree.root).map((node) => readPart(tree, node, limits, defects)),
    defects: [...defects].slice(0, limits.defectsMax),
  }
}

// A line break within a value could inject a line where the value is printed.
function tidyValue(value: string): string {
  return value.replaceAll(/[\r\n]+/g, ' ').trim()
}

function listLeaves(node: MimeNode): readonly MimeNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(listLeaves)
}

function readPart(
  tree: MimeTree,
  node: MimeNode,
  limits: ReadingLimits,
  defects: Set<string>,
): MailPart {
  const header = (name: string): string =>
    node.headers.find((each) => each.name === name)?.value ?? ''
  const { value: declared, parameters } = node.contentType
  const disposition = readParameters(header('content-disposition'))
  const encoding = /[\w-]+/.exec(header('content-transfer-encoding').toLowerCase())?.[0] ?? ''
  const rawName = disposition.parameters.get('filename') ?? parameters.get('name') ?? ''
  const fileName = tidyValue(decodeWords(rawName, limits)).slice(0, FILE_NAME_LENGTH_MAX) || null
  const body = tree.bytes.subarray(node.bodyStart, node.bodyEnd)
  const bytes = decodeTransfer(body, encoding)
  const mediaType = declared.startsWith('text/') ? (findFileType(bytes) ?? declared) : declared
  if (mediaType.startsWith('multipart/') && body.length > 0) {
    defects.add('A multipart holds no parts.')
  }
  return {
    path: node.path,
    mediaType,
    parentType: node.parentType,
    fileName,
    isAttachment:
      disposition.value === 'attachment' ||
      (fileName !== null && disposition.value !== 'inline' && !mediaType.startsWith('text/')),
    text: isTextual(mediaType, fileName) ? readText(bytes, mediaType, parameters) : null,
    bytes,
  }
}

const FILE_NAME_LENGTH_MAX = 255

const FILE_TYPES: readonly (readonly [start: string, mediaType: string])[] = [
  ['%PDF-', 'application/pdf'],
  ['%!PS-', 'application/postscript'],
  ['{\\rtf1', 'application/rtf'],
  ['\x89PNG\r\n', 'image/png'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['\xff\xd8\xff', 'image/jpeg'],
]

/** Files that were declared text: their words and dates are no words of the reporter. */
function findFileType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  return FILE_TYPES.find(([start]) => head.startsWith(start))?.[1] ?? null
}

const TEXTUAL: ReadonlySet<string> = new Set([
  'message/feedback-report',
  'message/delivery-status',
  'message/disposition-notification',
  'application/json',
  'application/xml',
  'application/csv',
  'application/x-yaml',
  'application/yaml',
])

/** Text by its media type, or by its file name where the type says nothing. */
export function isTextual(mediaType: string, fileName: string | null): boolean {
  if (mediaType.startsWith('text/') || TEXTUAL.has(mediaType)) return true
  if (/\+(?:xml|json)$/.test(mediaType)) return true
  return (
    mediaType === 'application/octet-stream' &&
    /\.(?:txt|log|csv|tsv|xml|json|html?|ya?ml)$/i.test(fileName ?? '')
  )
}

/** Decoded, with `\n` between lines; soft breaks of format=flowed are joined. */
export function readText(
  bytes: Uint8Array,
  mediaType: string,
  parameters: ReadonlyMap<string, string>,
): string {
  const charset =
    parameters.get('charset') ?? (mediaType === 'text/html' ? findMetaCharset(bytes) : null)
  const text = tidyLineEnds(decodeCharset(bytes, charset))
  const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed'
  if (!isFlowed || mediaType !== 'text/plain') return text
  return decodeFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes')
}

// Most texts have no carriage return, and the pattern takes 6 s for 20 million line ends.
function tidyLineEnds(text: string): string {
  if (!text.includes('\r')) return text
  const tidy = text.replaceAll('\r\n', '\n')
  return tidy.includes('\r') ? tidy.replaceAll(/\r+\n?/g, '\n') : tidy
}

const META_BYTES_MAX = 2_048

function findMetaCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, META_BYTES_MAX)).toString('latin1')
  return /<meta[^>]{0,200}charset=["']?([\w.:-]{1,40})/i.exec(head)?.[1] ?? null
}
