// Reads the JSON log of the SSH and Telnet honeypot Cowrie into rows for POST /beta/sightings: one
// row an event, with the time of the event. So importing a log again adds only its new events.

import { type Static } from 'typebox'
import { parseItem } from '../../../values/item.ts'
import type { SightingRowBody } from '../push/push-wire.ts'
import { readLines } from './read-list-lines.ts'
import type { RefusedLine } from './read-plain-list.ts'

export type CowrieEntry =
  | {
      readonly kind: 'row'
      readonly lineNumber: number
      readonly row: Static<typeof SightingRowBody>
    }
  | RefusedLine

export interface ReadCowrieLogOptions {
  /**
   * Name of the source; the `sensor` of each event when left out, or "cowrie" where that is missing
   * too.
   */
  readonly source?: string
}

// The activity of `src_ip` by event. Events that are not listed (key exchange, terminal size, the
// end of a log) show no activity.
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'cowrie.session.connect': 'connection',
    'cowrie.login.failed': 'login-attack',
    'cowrie.login.success': 'login-attack',
    'cowrie.command.input': 'command-execution',
    'cowrie.command.success': 'command-execution',
    'cowrie.command.failed': 'command-execution',
    'cowrie.session.file_download': 'malware-download',
    'cowrie.session.file_download.failed': 'malware-download',
    'cowrie.session.file_upload': 'malware-upload',
    'cowrie.direct-tcpip.request': 'proxy-abuse',
  }),
)
// Only a successful download shows that the host serves the file.
const DOWNLOADED = 'cowrie.session.file_download'
// Sessions last minutes; a busy sensor has far fewer open at once.
const SESSIONS_MAX = 100_000

/**
 * Rows in the order of the log. A line that is not an event of Cowrie is reported with its number;
 * an event without activity is skipped.
 */
export async function* readCowrieLog(
  input: AsyncIterable<Uint8Array | string>,
  options: ReadCowrieLogOptions = {},
): AsyncGenerator<CowrieEntry> {
  const services = new SessionServices()
  for await (const { number: lineNumber, text } of readLines(input)) {
    if (text !== null && text.trim() === '') continue
    const event = text === null ? null : parseEvent(text)
    if (event === null) {
      yield { kind: 'refused', lineNumber, reason: 'The line is no event of Cowrie.' }
      continue
    }
    const service = services.learn(event)
    const type = TYPES.get(event.eventid)
    if (type === undefined) continue
    const common = { kind: 'honeypot', lastSeen: event.timestamp }
    const source = options.source ?? event.sensor ?? 'cowrie'
    const named = service === null ? {} : { service }
    yield { kind: 'row', lineNumber, row: { item: event.srcIp, ...named, type, ...common, source } }
    const host = event.eventid === DOWNLOADED ? findHost(event.url) : null
    if (host !== null) {
      const row = { item: host, type: 'malware-distribution', ...common, source }
      yield { kind: 'row', lineNumber, row }
    }
  }
}

interface CowrieEvent {
  readonly eventid: string
  readonly timestamp: string
  readonly srcIp: string
  readonly session: string | null
  readonly sensor: string | null
  readonly protocol: string | null
  readonly url: string | null
}

function parseEvent(text: string): CowrieEvent | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const members = new Map<string, unknown>(Object.entries(value))
  const read = (name: string): string | null => {
    const member = members.get(name)
    return typeof member === 'string' && member !== '' ? member : null
  }
  const eventid = read('eventid')
  const timestamp = read('timestamp')
  const srcIp = read('src_ip')
  if (eventid === null || timestamp === null || srcIp === null) return null
  if (!eventid.startsWith('cowrie.') || parseItem(srcIp) === null) return null
  return {
    eventid,
    timestamp,
    srcIp,
    session: read('session'),
    sensor: read('sensor'),
    protocol: read('protocol'),
    url: read('url'),
  }
}

/** The service of each open session: only the first event of a session names it. */
class SessionServices {
  readonly #services = new Map<string, string>()

  learn({ session, eventid, protocol }: CowrieEvent): string | null {
    if (session === null) return null
    const named = serviceNamedBy(eventid, protocol)
    const known = named ?? this.#services.get(session) ?? null
    if (named !== null) this.#keep(session, named)
    if (eventid === 'cowrie.session.closed') this.#services.delete(session)
    return known
  }

  #keep(session: string, service: string): void {
    const oldest = this.#services.size >= SESSIONS_MAX ? this.#services.keys().next().value : null
    if (oldest !== null && oldest !== undefined) this.#services.delete(oldest)
    this.#services.set(session, service)
  }
}

// Only an SSH client causes these events, so they name the service in a log that begins in the
// middle of a session.
function serviceNamedBy(eventid: string, protocol: string | null): string | null {
  if (protocol === 'ssh' || protocol === 'telnet') return protocol
  return eventid === 'cowrie.client.kex' || eventid === 'cowrie.direct-tcpip.request' ? 'ssh' : null
}

function findHost(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  // An IPv6 host comes in brackets.
  const host = new URL(url).hostname.replaceAll(/^\[|\]$/g, '')
  return parseItem(host)?.text ?? null
}
