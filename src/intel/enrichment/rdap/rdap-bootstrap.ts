// Finds the RDAP server of an address in the bootstrap files of IANA (RFC 9224). Files ship with
// the program; newer ones can be put into the data folder.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readErrorCode } from '../../../kernel/db/trouble-codes.ts'
import type { Log } from '../../../kernel/log.ts'
import type { AddressItem } from '../../../values/address.ts'
import { parseRange, type Range, rangeHolds } from '../../../values/range.ts'
import { readResource } from '../../../values/resources.ts'

export interface RdapBootstrap {
  /**
   * Base URL, with a slash at its end, of the registry with the smallest block around the address;
   * null when there is none.
   */
  readonly findServer: (item: AddressItem) => string | null
  /** Day of the older of the two files, "2025-10-10". */
  readonly publication: string
}

interface Service {
  readonly range: Range
  readonly url: string
}

interface BootstrapFile {
  readonly services: readonly Service[]
  readonly publication: string
}

/**
 * Folder in the data folder and in `resources` with ipv4.json and ipv6.json as IANA publishes them.
 */
export const RDAP_BOOTSTRAP_FOLDER = 'rdap-bootstrap'
const FILES = ['ipv4.json', 'ipv6.json'] as const

/** Logs a file of the data folder that cannot be read, and uses the shipped one instead. */
export async function openRdapBootstrap(dataDir: string, log: Log): Promise<RdapBootstrap> {
  const files = await Promise.all(FILES.map((name) => readNewest(dataDir, name, log)))
  const services = files.flatMap((file) => file.services)
  return {
    publication: files.map((file) => file.publication).toSorted()[0] ?? '',
    findServer(item) {
      let best: Service | null = null
      for (const service of services) {
        if (!rangeHolds(service.range, item)) continue
        if (best === null || service.range.prefixLength > best.range.prefixLength) best = service
      }
      return best?.url ?? null
    },
  }
}

async function readNewest(dataDir: string, name: string, log: Log): Promise<BootstrapFile> {
  const file = path.join(dataDir, RDAP_BOOTSTRAP_FOLDER, name)
  try {
    return parseBootstrapFile(await readFile(file, 'utf8'))
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT') {
      log.warn(
        'An RDAP bootstrap file in the data folder cannot be read, so the shipped one is used',
        {
          file: name,
          error: String(error),
        },
      )
    }
    return parseBootstrapFile(readResource(path.join(RDAP_BOOTSTRAP_FOLDER, name)))
  }
}

/**
 * RFC 9224 section 3: `services` is a list of pairs, the blocks and the base URLs. An entry that
 * cannot be read is left out; a file without any that can throws.
 */
export function parseBootstrapFile(text: string): BootstrapFile {
  const document: unknown = JSON.parse(text)
  if (!isRecord(document) || !Array.isArray(document['services'])) {
    throw new Error('this is no bootstrap file of RFC 9224')
  }
  const services = document['services'].flatMap(readService)
  if (services.length === 0) throw new Error('the bootstrap file names no server')
  const publication = document['publication']
  return { services, publication: typeof publication === 'string' ? publication.slice(0, 10) : '' }
}

function readService(pair: unknown): Service[] {
  if (!Array.isArray(pair)) return []
  const [blocks, urls]: unknown[] = pair
  const url = chooseUrl(urls)
  if (url === null || !Array.isArray(blocks)) return []
  return blocks.flatMap((block) => {
    const parsed = typeof block === 'string' ? parseRange(block, 'clear') : null
    return parsed?.kind === 'range' ? [{ range: parsed.range, url }] : []
  })
}

// RFC 9224 section 4 leaves the choice between several URLs to the client. https keeps the question
// private.
function chooseUrl(urls: unknown): string | null {
  const usable = (Array.isArray(urls) ? urls : []).filter(
    (url): url is string =>
      typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url),
  )
  const url = usable.find((each) => each.startsWith('https:')) ?? usable[0] ?? null
  return url === null || url.endsWith('/') ? url : `${url}/`
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
