// Finds addresses, ranges, links, bare hosts and mail addresses in one line. Their role is decided
// in reader/text/candidates.

import { parse } from 'tldts'
import { parseDomain } from '../../../values/domain.ts'
import { EMAIL_IN_TEXT } from '../../../values/email.ts'
import { reportableIp } from '../../../vocabulary/reportable-ip.ts'
import { parseUrlHost } from '../../../vocabulary/target.ts'
import { sourceOf } from '../../words/compile-words.ts'
import { listMatches } from './list-matches.ts'
import { unwrapUrl } from './refang.ts'

export interface Spotted {
  readonly kind: 'ip' | 'range' | 'url' | 'host' | 'email'
  /** Canonical address, first address of a range, link, host name, domain of a mail address. */
  readonly value: string
  /** As written. */
  readonly text: string
  readonly column: number
  readonly end: number
  /** `192.0.2.1:443`, or of a host or link. */
  readonly port: number | null
  /** The host of a link, canonical; of the others null. */
  readonly host: string | null
}

// A line of 10,000 characters holds at most 1,250 addresses; more than this in one line is no list
// for people.
const SPOTTED_MAX = 600

type ReadIp = (text: string) => string | null

/**
 * In the order of the line. `readIp` is `reportableIp`, which may remember: a log names the same
 * addresses in every line.
 */
export function scanLine(line: string, readIp: ReadIp = reportableIp): readonly Spotted[] {
  if (!/[.:]/.test(line)) return []
  const scan: Scan = { rest: line, found: [], readIp }
  if (line.includes('://')) scanUrls(scan)
  if (line.includes('@')) scanEmails(scan)
  if (/\d\.\d/.test(scan.rest)) scanIpv4(scan)
  if (hasGroups(scan.rest) && MAYBE_IPV6.test(scan.rest)) scanIpv6(scan)
  if (/[\p{L}\d]\.\p{L}/u.test(scan.rest)) scanHosts(scan)
  if (scan.found.length < 2) return scan.found
  return scan.found.toSorted((a, b) => a.column - b.column).slice(0, SPOTTED_MAX)
}

interface Scan {
  /** The line, with blanks where something was found. */
  rest: string
  readonly found: Spotted[]
  readonly readIp: ReadIp
}

function take(scan: Scan, spotted: readonly Spotted[]): void {
  if (spotted.length === 0) return
  scan.found.push(...spotted)
  const pieces: string[] = []
  let from = 0
  for (const { column, end } of spotted) {
    pieces.push(scan.rest.slice(from, column), ' '.repeat(end - column))
    from = end
  }
  scan.rest = pieces.join('') + scan.rest.slice(from)
}

// Text in scripts without spaces may follow a link directly.
const URL_TEXT =
  /(?<![a-z\d])(?:https?|ftps?):\/\/[^\s<>"'`|{}\\^«»‹›“”„‟‘’\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]{3,4000}/gi

function scanUrls(scan: Scan): void {
  const spotted: Spotted[] = []
  for (const match of listMatches(scan.rest, URL_TEXT)) {
    const text = unglue(trimUrl(match[0]))
    const column = match.index
    // An attribute of XML that was copied as it stands.
    const value = unwrapUrl(text.replaceAll('&amp;', '&'))
    const host = parseUrlHost(value)
    const name = host.ip ?? host.domain
    if (name === null) continue
    const port = portOf(
      /^[a-z]+:\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d{1,5})/i.exec(value)?.[1],
    )
    spotted.push({
      kind: 'url',
      value,
      text,
      column,
      end: column + text.length,
      port,
      host: name,
    })
  }
  take(scan, spotted)
}

// In a row of values parted by commas the next value is no part of the link.
const NEXT_VALUE = /[,;](?=https?:|\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|\d{4}-\d{2}-\d{2}|$)/i

/**
 * Without the punctuation of the sentence around it; a closing bracket stays when it was opened
 * inside.
 */
function trimUrl(text: string): string {
  let url = text.split(NEXT_VALUE, 1)[0] ?? text
  for (let round = 0; round < 20; round += 1) {
    const last = url.at(-1) ?? ''
    if (/[.,;:!?*_'"、。]/.test(last)) url = url.slice(0, -1)
    else if (last === ')' && countOf(url, '(') < countOf(url, ')')) url = url.slice(0, -1)
    else if (last === ']' && countOf(url, '[') < countOf(url, ']')) url = url.slice(0, -1)
    else break
  }
  return url
}

// A name, and the first word of what was glued to it.
const GLUED =
  /^([a-z]+:\/\/(?:[\w-]{1,63}\.){1,8}[a-z]{2,24})(?:\p{Lu}\p{L}{0,40}|\p{Lu}[\p{Lu}\d]{0,40}(?:-[\p{Lu}\d-]{1,80})?)$/u

/** `https://www.bad.exampleWe`: a mail program left out the break between two blocks. */
function unglue(url: string): string {
  const name = GLUED.exec(url)?.[1]
  if (name === undefined || readHost(hostOf(url)) !== null) return url
  return readHost(hostOf(name)) === null ? url : name
}

function hostOf(url: string): string {
  return url.slice(url.indexOf('://') + 3)
}

function countOf(text: string, mark: string): number {
  return text.split(mark).length - 1
}

function scanEmails(scan: Scan): void {
  const spotted: Spotted[] = []
  for (const match of listMatches(scan.rest, EMAIL_IN_TEXT)) {
    const value = parseDomain(match[1] ?? '')
    const [text] = match
    const { index: column } = match
    const end = column + text.length
    // What is no address, such as a Message-ID with a number behind the at sign, is still no host.
    if (value !== null) {
      spotted.push({ kind: 'email', value, text, column, end, port: null, host: null })
    }
  }
  take(scan, spotted)
}

const IPV4 =
  /(?<![\w.-])(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2})(?![\d.\w])| ?[-–—] ?(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])|(?::|#)(\d{1,5})(?![\d.:])|\.(\d{1,5})(?=\s{0,4}(?:>|:|->|<)))?(?!\w|\.\d|\.[a-z][\w-]{0,62}\.[a-z]|-[a-z])/gi
const VERSION = new RegExp(
  `(?:\\b${sourceOf('version', { text: 'as written' })}[\\s:=#]{0,3}|[A-Za-z]/|[A-Za-z][-_])$`,
  'i',
)

function scanIpv4(scan: Scan): void {
  const spotted: Spotted[] = []
  for (const match of listMatches(scan.rest, IPV4)) {
    const [text, first = '', prefix, last, colonPort, dotPort] = match
    const before = scan.rest.slice(Math.max(0, match.index - 20), match.index)
    const value = scan.readIp(first)
    if (value === null || VERSION.test(before)) continue
    const range = rangeOf(first, prefix, last)
    const kind = range === null ? 'ip' : 'range'
    spotted.push({
      kind,
      value,
      text: range ?? (dotPort === undefined ? text : first),
      column: match.index,
      end: match.index + text.length,
      port: portOf(colonPort ?? dotPort),
      host: null,
    })
  }
  take(scan, spotted)
}

/** `192.0.2.0/24` or `192.0.2.1-192.0.2.9`; null for one address. */
function rangeOf(
  first: string,
  prefix: string | undefined,
  last: string | undefined,
): string | null {
  if (last !== undefined) return last === first ? null : `${first}-${last}`
  if (prefix === undefined || Number(prefix) >= 32 || Number(prefix) < 8) return null
  return `${first}/${prefix}`
}

// Only what begins as readIpv6 wants it, so that times are passed over.
const IPV6 =
  /(?<![\w:.%-])(?=\[?[23:])\[?((?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?)(?![\w:%]|\.\w)(?:\/(\d{1,3})(?!\d))?(?:\]:(\d{1,5})|\])?/gi

function scanIpv6(scan: Scan): void {
  const spotted: Spotted[] = []
  for (const match of scan.rest.replaceAll(/ipv6:/gi, '     ').matchAll(IPV6)) {
    const [text, word = '', prefix, port] = match
    const isZoned = scan.rest[match.index + text.length] === '%'
    const value = isZoned ? null : readIpv6(word, scan.readIp)
    if (value === null) continue
    const isRange = prefix !== undefined && Number(prefix) < 128 && Number(prefix) >= 16
    spotted.push({
      kind: isRange ? 'range' : 'ip',
      value,
      text: isRange ? `${value}/${prefix}` : text,
      column: match.index,
      end: match.index + text.length,
      port: portOf(port),
      host: null,
    })
  }
  take(scan, spotted)
}

// What readIpv6 takes begins so, and leaves groups out or has at least six colons; a time of day
// does not.
const MAYBE_IPV6 = /[23][0-9a-f]{3}:|::ffff:\d/i
const COLONS_MIN = 6

function hasGroups(text: string): boolean {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    count += 1
    if (count === COLONS_MIN || text.charCodeAt(at + 1) === COLON) return true
  }
  return false
}

const COLON = 0x3a

/**
 * Only global unicast addresses (2000::/3): what else looks like one is a time, a fingerprint or a
 * hardware address.
 */
function readIpv6(word: string, readIp: ReadIp): string | null {
  const text = /[^:]:$/.test(word) ? word.slice(0, -1) : word
  if (!/^(?:[23][0-9a-f]{3}:|::ffff:\d)/i.test(text)) return null
  return readIp(text)
}

// File names whose ending is also a top-level domain.
const FILE_ENDINGS = new Set([
  'zip',
  'mov',
  'sh',
  'py',
  'md',
  'rs',
  'ps',
  'so',
  'pub',
  'foo',
  'bar',
])
const RESERVED_ENDINGS = new Set(['example', 'test', 'invalid', 'onion'])
const HOST =
  /(?<![\p{L}\p{N}_.@/\\=-])(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})(?![\p{L}\p{N}_@]|-[\p{L}\p{N}]|\.[\p{L}\p{N}])\.?(?::(\d{1,5})(?!\d))?(\/[^\s<>"'`|{}\\^]{0,2000})?/giu

function scanHosts(scan: Scan): void {
  const spotted: Spotted[] = []
  for (const match of listMatches(scan.rest, HOST)) {
    const [text, port, path] = match
    const name = text.slice(
      0,
      text.length - (path?.length ?? 0) - (port === undefined ? 0 : port.length + 1),
    )
    const host = readHost(name.replace(/\.$/, ''))
    if (host === null) continue
    const column = match.index
    const url = path === undefined ? null : trimUrl(text)
    const isUrl = url !== null && url.length > name.length
    spotted.push({
      kind: isUrl ? 'url' : 'host',
      value: isUrl ? `http://${url}` : host,
      text: isUrl ? url : name.replace(/\.$/, ''),
      column,
      end: column + text.length,
      port: portOf(port),
      host: isUrl ? host : null,
    })
  }
  take(scan, spotted)
}

/**
 * The canonical name of a host that can exist; null for a file, a version and what has no known
 * ending.
 */
export function readHost(text: string): string | null {
  const name = parseDomain(text)
  if (name === null) return null
  const ending = name.slice(name.lastIndexOf('.') + 1)
  if (RESERVED_ENDINGS.has(ending)) return name
  const { isIcann, isPrivate, domain } = parse(name, { allowPrivateDomains: true })
  if ((isIcann !== true && isPrivate !== true) || domain === null) return null
  return FILE_ENDINGS.has(ending) && name.split('.').length === 2 ? null : name
}

function portOf(text: string | undefined): number | null {
  const port = Number(text ?? Number.NaN)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}
