// Members of JSON that every sender spells in its own way: `SourceIp`, `source_ip`, `SourceIP`.

import { isJsonObject, type JsonValue } from '../../values/json-value.ts'

/**
 * Keyed without case, hyphens and underscores; of members that then have one name the first counts.
 */
export type LooseMembers = ReadonlyMap<string, LooseMember>

export interface LooseMember {
  /** As the sender spells it. */
  readonly name: string
  readonly value: unknown
}

export const NO_MEMBERS: LooseMembers = new Map()

// A report has at most some sixty members.
const MEMBERS_MAX = 500

export function readMembers(value: unknown): LooseMembers {
  if (!isJsonObject(value)) return NO_MEMBERS
  const members = new Map<string, LooseMember>()
  for (const [name, member] of Object.entries(value).slice(0, MEMBERS_MAX)) {
    const key = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    if (!members.has(key)) members.set(key, { name, value: member })
  }
  return members
}

/** The first of these members that has a value; the names in the order of preference. */
export function findMember(members: LooseMembers, ...keys: readonly string[]): LooseMember | null {
  for (const key of keys) {
    const member = members.get(key)
    if (member !== undefined && hasValue(member.value)) return member
  }
  return null
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

/** Texts as they are, numbers as texts; empty when there is none. */
export function memberText(members: LooseMembers, ...keys: readonly string[]): string {
  return plainText(findMember(members, ...keys)?.value)
}

export function plainText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : ''
}

/** A whole number from 0, also as a text; undefined for anything else. */
export function memberCount(members: LooseMembers, ...keys: readonly string[]): number | undefined {
  const text = memberText(members, ...keys)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/**
 * A port, also as a text; undefined for anything else, and for 0, which means that none is known.
 */
export function memberPort(members: LooseMembers, ...keys: readonly string[]): number | undefined {
  const port = memberCount(members, ...keys)
  return port === undefined || port === 0 || port > 65_535 ? undefined : port
}

/** The members that hold plain values, without those of these keys. */
export function listPlainMembers(
  members: LooseMembers,
  without: ReadonlySet<string>,
): Readonly<Record<string, JsonValue>> | undefined {
  const plain: [string, JsonValue][] = []
  for (const [key, { name, value }] of members) {
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
    if (isPlain && !without.has(key)) plain.push([name, plainValue(value)])
  }
  return plain.length === 0 ? undefined : Object.fromEntries(plain)
}

function plainValue(value: unknown): JsonValue {
  if (typeof value === 'boolean' || typeof value === 'number') return value
  return plainText(value).slice(0, 4_000)
}
