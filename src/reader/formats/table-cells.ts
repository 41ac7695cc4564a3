// Classifies the cells of a table by their form: addresses, URLs, names, CVE numbers.

import { parseIpAddress } from '../../values/address.ts'
import { parseDomain } from '../../values/domain.ts'
import { reportableIp } from '../../vocabulary/reportable-ip.ts'
import { parseUrlHost } from '../../vocabulary/target.ts'
import { storableText } from '../event-draft.ts'
import { refang } from '../text/lines/refang.ts'

// Cells that hold more are logs or prose.
const CELL_LENGTH_MAX = 8_192
const ADDRESS_LENGTH_MAX = 100

export interface AddressCell {
  /** Canonical, and somebody's on the Internet. */
  readonly ip: string
  readonly port: number | null
  /** The block, when the cell names one of more than one address; `ip` is its first. */
  readonly range: string | null
}

/**
 * `192.0.2.1`, `192[.]0[.]2[.]1`, `192.0.2.1:443`, `[2001:db8::1]:443`, `192.0.2.0/24`, `192.0.2.1
 * (host.example)`.
 */
export function readAddress(cell: string): AddressCell | null {
  if (cell.length > ADDRESS_LENGTH_MAX) return null
  const [word = ''] = refang(cell.trim()).split(/[\s(]/, 1)
  const [host = '', prefix] = word.split('/', 2)
  const { address, port } = splitPort(host)
  const ip = reportableIp(address)
  if (ip === null || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null
  const isWhole = prefix === undefined || prefix === (ip.includes(':') ? '128' : '32')
  return { ip, port, range: isWhole ? null : word }
}

/** True for every address, also for addresses that cannot be reported. */
export function isAddress(cell: string): boolean {
  if (cell.length > ADDRESS_LENGTH_MAX) return false
  const [host = ''] = refang(cell.trim()).split('/', 1)
  return parseIpAddress(splitPort(host).address) !== null
}

function splitPort(host: string): { readonly address: string; readonly port: number | null } {
  const match = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(host) ?? /^([\d.]+):(\d{1,5})$/.exec(host)
  if (match === null) return { address: host, port: null }
  return { address: match[1] ?? '', port: readPort(match[2] ?? '') }
}

export function readPort(cell: string): number | null {
  const text = cell.trim()
  const port = /^\d{1,5}(?:\.0)?$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : null
}

/** The absolute URL of the cell, refanged; null when it is none with a host. */
export function readUrl(cell: string): string | null {
  if (cell.length > CELL_LENGTH_MAX) return null
  const text = refang(cell.trim().replace(/^<(.*)>$/, '$1'))
  if (!/^[a-z][a-z\d+.-]{1,15}:\/\/\S+$/i.test(text)) return null
  const host = parseUrlHost(text)
  return host.ip === null && host.domain === null ? null : text
}

/** A URL without its scheme: `example.com/path`, for columns that are named after URLs. */
export function readBareUrl(cell: string): string | null {
  const url = readUrl(cell)
  if (url !== null || cell.length > CELL_LENGTH_MAX) return url
  const text = refang(cell.trim())
  const [host = ''] = text.split(/[/:?#]/, 1)
  const isHost = readDomain(host) !== null || reportableIp(host) !== null
  return isHost && !/\s/.test(text) ? text : null
}

/** The canonical name, when the cell is a name of at least two labels. */
export function readDomain(cell: string): string | null {
  const text = refang(cell.trim()).replace(/^\*\./, '')
  if (!text.includes('.') || text.length > 254 || isAddress(text)) return null
  const name = parseDomain(text)
  return name === null || !/[a-z]/.test(name.slice(name.lastIndexOf('.'))) ? null : name
}

const CVE = /\bcve-(\d{4})-(\d{4,7})\b/gi
const CVES_MAX = 10

/** The CVE numbers in the text, upper case, each once. */
export function listCves(text: string): readonly string[] {
  const found = text.slice(0, CELL_LENGTH_MAX).match(CVE) ?? []
  return [...new Set(found.map((each) => each.toUpperCase()))].slice(0, CVES_MAX)
}

/** A cell as details keep it. */
export function cellText(cell: string, lengthMax = 1_000): string {
  return storableText(cell.trim(), lengthMax)
}
