// Reads the answer of an RDAP server about the network of an address (RFC 9083 section 5.4): its
// first and last address, and the e-mail address of the entity with the role "abuse", which
// registries nest at various depths.

import {
  type AddressItem,
  compareIpv6,
  type Ipv6Words,
  parseAddress,
} from '../../../values/address.ts'
import { parseEmailAddress } from '../../../values/email.ts'
import { ipv4Range, ipv6Range, type Range } from '../../../values/range.ts'
import { isRecord } from './rdap-bootstrap.ts'

export interface RdapNetwork {
  /**
   * The largest block around the address inside the network, within the limit of a cached block.
   */
  readonly block: Range
  /** Null when the registry names no contact for abuse. */
  readonly email: string | null
}

// A registry answers with the smallest network around the address. Another address of a large
// network may be in a smaller one, so an answer is never cached for a larger block than these.
const IPV4_KEPT_MIN_LENGTH = 16
const IPV6_KEPT_MIN_LENGTH = 32
// Registries nest three levels; an answer within the size limit could nest thousands.
const DEPTH_MAX = 6
const ENTITIES_MAX = 1_000

/** Null when the text is not a network around the address. */
export function parseRdapNetwork(text: string, asked: AddressItem): RdapNetwork | null {
  const document = parseJson(text)
  if (!isRecord(document)) return null
  const block = findBlock(document, asked)
  return block === null ? null : { block, email: findAbuseEmail(document['entities']) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function findBlock(document: Readonly<Record<string, unknown>>, asked: AddressItem): Range | null {
  const first = readAddress(document['startAddress'])
  const last = readAddress(document['endAddress'])
  if (asked.kind === 'ipv4' && first?.kind === 'ipv4' && last?.kind === 'ipv4') {
    return ipv4BlockWithin(asked.value, first.value, last.value)
  }
  if (asked.kind === 'ipv6' && first?.kind === 'ipv6' && last?.kind === 'ipv6') {
    return ipv6BlockWithin(asked.words, first.words, last.words)
  }
  return null
}

function readAddress(value: unknown): AddressItem | null {
  return typeof value === 'string' ? parseAddress(value) : null
}

function ipv4BlockWithin(value: number, first: number, last: number): Range | null {
  for (let length = IPV4_KEPT_MIN_LENGTH; length <= 32; length += 1) {
    const block = ipv4Range(value, length)
    if (block.first >= first && block.first + 2 ** (32 - length) - 1 <= last) return block
  }
  return null
}

function ipv6BlockWithin(words: Ipv6Words, first: Ipv6Words, last: Ipv6Words): Range | null {
  for (let length = IPV6_KEPT_MIN_LENGTH; length <= 128; length += 1) {
    const block = ipv6Range(words, length)
    const startsInside = compareIpv6(block.first, first) >= 0
    if (startsInside && compareIpv6(lastOf(block.first, length), last) <= 0) return block
  }
  return null
}

function lastOf(first: Ipv6Words, prefixLength: number): Ipv6Words {
  const word = (at: 0 | 1 | 2 | 3): number => {
    const hostBits = Math.min(Math.max((at + 1) * 32 - prefixLength, 0), 32)
    return first[at] + 2 ** hostBits - 1
  }
  return [word(0), word(1), word(2), word(3)]
}

// Level by level: the nearest entity is that of this network, deeper ones belong to its owner.
function findAbuseEmail(entities: unknown): string | null {
  let level = listEntities([entities])
  let seen = 0
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    for (const entity of level) {
      seen += 1
      if (seen > ENTITIES_MAX) return null
      const email = hasAbuseRole(entity) ? readEmail(entity['vcardArray']) : null
      if (email !== null) return email
    }
    level = listEntities(level.map((entity) => entity['entities']))
  }
  return null
}

type Entity = Readonly<Record<string, unknown>>

function listEntities(lists: readonly unknown[]): Entity[] {
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []))
}

function hasAbuseRole(entity: Entity): boolean {
  const roles = entity['roles']
  return Array.isArray(roles) && roles.includes('abuse')
}

// jCard (RFC 7095): ["vcard", [[name, parameters, type, value], ...]].
function readEmail(vcard: unknown): string | null {
  const properties: unknown = Array.isArray(vcard) ? vcard[1] : null
  if (!Array.isArray(properties)) return null
  for (const property of properties) {
    if (!Array.isArray(property) || property[0] !== 'email') continue
    const value: unknown = property[3]
    const email = typeof value === 'string' ? parseEmailAddress(value.trim()) : null
    if (email !== null) return email
  }
  return null
}
