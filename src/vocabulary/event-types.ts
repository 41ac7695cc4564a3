// The vocabulary of events: event types, subtypes and XARF categories, read from
// resources/event-types.json.

import assert from 'node:assert/strict'
import { isJsonObject } from '../values/json-value.ts'
import { readResource } from '../values/resources.ts'

/** The seven categories of XARF v4; the wire calls this `xarf_class`. */
export const XARF_CATEGORIES = [
  'messaging',
  'connection',
  'content',
  'copyright',
  'vulnerability',
  'infrastructure',
  'reputation',
] as const
export type XarfCategory = (typeof XARF_CATEGORIES)[number]

/** The event type and subtype of an incoming XARF v4 category and type. */
export interface XarfMapping {
  readonly eventType: string
  readonly eventSubtypes: readonly string[]
  readonly xarfClass: XarfCategory
}

export interface Vocabulary {
  readonly eventTypes: ReadonlySet<string>
  /** Event type to the XARF category it belongs to; a type without one is absent. */
  readonly xarfClasses: ReadonlyMap<string, XarfCategory>
  /** Keyed by `category/type`. */
  readonly xarfMappings: ReadonlyMap<string, XarfMapping>
  /**
   * Event types by their names in XARF v1 to v3 (`LoginAttack`, `Spam/Trap`) and X-ARF 0.x
   * (`abuse/login-attack`), as `legacyKey` spells them.
   */
  readonly legacyTypes: ReadonlyMap<string, string>
}

// The longest subtypes in use are names of lists and of malware families.
export const SUBTYPE_LENGTH_MAX = 64

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Throws (an assertion) when the file is not the vocabulary: it ships with the package, so only a
 * broken build can do that.
 */
export function parseVocabulary(text: string): Vocabulary {
  const file: unknown = JSON.parse(text)
  assert.ok(isJsonObject(file), 'the vocabulary is an object')
  const names = readEntries(file['names'], 'names')
  const eventTypes = new Set<string>([
    ...readStrings(file['wire_only'], 'wire_only'),
    ...names.map(([name, entry]) => readEventType(entry, name)),
  ])
  return {
    eventTypes,
    xarfClasses: readXarfClasses(names),
    xarfMappings: readXarfMappings(readEntries(file['xarf4'], 'xarf4'), eventTypes),
    legacyTypes: readLegacyTypes(file, eventTypes),
  }
}

const vocabulary = parseVocabulary(readResource('event-types.json'))

export const EVENT_TYPES: ReadonlySet<string> = vocabulary.eventTypes

/** The pairs of XARF v4 as `category/type`. */
export const XARF_PAIRS: readonly string[] = [...vocabulary.xarfMappings.keys()]

// Senders spell the same word with and without hyphens, and in any case.
function legacyKey(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9/]/g, '')
}

const eventTypesByKey = new Map([...EVENT_TYPES].map((name) => [legacyKey(name), name]))

/**
 * The event type that XARF v1 to v3 call `type`, a word of our own included; null for an unknown
 * one.
 */
export function findLegacyXarfType(type: string, subtype: string): string | null {
  const { legacyTypes } = vocabulary
  const key = legacyKey(type).replaceAll('/', '')
  const pair = `${key}/${legacyKey(subtype).replaceAll('/', '')}`
  return legacyTypes.get(pair) ?? legacyTypes.get(key) ?? eventTypesByKey.get(key) ?? null
}

/**
 * The event type of a pair of X-ARF 0.1 or 0.2; of its Report-Type alone where the category is
 * unusual; null for an unknown one.
 */
export function findXArfType(category: string, reportType: string): string | null {
  const pair = `${legacyKey(category)}/${legacyKey(reportType)}`
  return vocabulary.legacyTypes.get(pair) ?? findLegacyXarfType(reportType, '')
}

/** Null for a pair that XARF v4 does not have. */
export function findXarfMapping(category: string, type: string): XarfMapping | null {
  return vocabulary.xarfMappings.get(`${category}/${type}`) ?? null
}

/** The category events of this type belong to, null when the type has none (such as `Unknown`). */
export function findXarfClass(eventType: string): XarfCategory | null {
  return vocabulary.xarfClasses.get(eventType) ?? null
}

export function isXarfCategory(text: string): text is XarfCategory {
  return XARF_CATEGORIES.some((category) => category === text)
}

/**
 * Subtypes are slugs: lower-case letters and digits in words joined by single hyphens, such as
 * `cve-2021-44228`.
 */
export function isSubtypeSlug(text: string): boolean {
  return text.length <= SUBTYPE_LENGTH_MAX && SLUG.test(text)
}

/**
 * The slug of a foreign word (`CVE-2021-44228`, `open resolver`); null when no slug can be made of
 * it.
 */
export function toSubtypeSlug(text: string): string | null {
  const words = text.slice(0, 2 * SUBTYPE_LENGTH_MAX).toLowerCase()
  const slug = words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SUBTYPE_LENGTH_MAX)
    .replace(/-$/, '')
  return slug === '' ? null : slug
}

type Entry = readonly [name: string, entry: Record<string, unknown>]

function readXarfClasses(names: readonly Entry[]): ReadonlyMap<string, XarfCategory> {
  const xarfClasses = new Map<string, XarfCategory>()
  for (const [name, entry] of names) {
    const eventType = readEventType(entry, name)
    const xarfClass = entry['xarf_class']
    if (xarfClass === null) continue
    assert.ok(
      typeof xarfClass === 'string' && isXarfCategory(xarfClass),
      `${name} has a known category`,
    )
    const other = xarfClasses.get(eventType)
    assert.ok(other === undefined || other === xarfClass, `${eventType} is of one category`)
    xarfClasses.set(eventType, xarfClass)
  }
  return xarfClasses
}

function readXarfMappings(
  pairs: readonly Entry[],
  eventTypes: ReadonlySet<string>,
): ReadonlyMap<string, XarfMapping> {
  const xarfMappings = new Map<string, XarfMapping>()
  for (const [pair, entry] of pairs) {
    const eventType = readEventType(entry, pair)
    const xarfClass = pair.split('/')[0] ?? ''
    assert.ok(eventTypes.has(eventType), `${pair} maps to a known event type`)
    assert.ok(isXarfCategory(xarfClass), `${pair} starts with a known category`)
    const eventSubtypes = readStrings(entry['subtypes'], pair)
    assert.ok(eventSubtypes.every(isSubtypeSlug), `${pair} has slugs as subtypes`)
    xarfMappings.set(pair, { eventType, eventSubtypes, xarfClass })
  }
  return xarfMappings
}

function readLegacyTypes(
  file: Record<string, unknown>,
  eventTypes: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const legacyTypes = new Map<string, string>()
  for (const list of ['xarf3', 'xarf01']) {
    for (const [name, eventType] of readNames(file[list], list)) {
      assert.ok(eventTypes.has(eventType), `${name} maps to a known event type`)
      legacyTypes.set(legacyKey(name), eventType)
    }
  }
  return legacyTypes
}

function readEntries(value: unknown, what: string): readonly Entry[] {
  assert.ok(isJsonObject(value), `${what} is an object`)
  return Object.entries(value).map(([name, entry]) => {
    assert.ok(isJsonObject(entry), `${what}/${name} is an object`)
    return [name, entry]
  })
}

function readNames(value: unknown, what: string): [string, string][] {
  assert.ok(isJsonObject(value), `${what} is an object`)
  return Object.entries(value).map(([name, eventType]) => {
    assert.ok(typeof eventType === 'string', `${what}/${name} is a text`)
    return [name, eventType]
  })
}

function readEventType(entry: Record<string, unknown>, what: string): string {
  const eventType = entry['type']
  assert.ok(typeof eventType === 'string' && eventType !== '', `${what} has a type`)
  return eventType
}

function readStrings(value: unknown, what: string): readonly string[] {
  assert.ok(Array.isArray(value), `${what} is a list`)
  return value.map((entry: unknown) => {
    assert.ok(typeof entry === 'string', `${what} holds strings`)
    return entry
  })
}
