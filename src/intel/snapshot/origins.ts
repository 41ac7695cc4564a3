// Most facts share a few texts (list, tag, source, service …). An origin is one combination of
// them; a record holds its number only.

import type { Allowance, Listing, Sighting, Tagging } from '../facts/facts.ts'

export type ListingOrigin = Pick<Listing, 'list' | 'source'>
export type AllowanceOrigin = Pick<Allowance, 'list' | 'source'>
export type TaggingOrigin = Pick<Tagging, 'tag' | 'source'>
export type SightingOrigin = Pick<Sighting, 'kind' | 'service' | 'type' | 'source'>

/** The combinations in the order of their numbers. */
export interface Origins {
  readonly listings: readonly ListingOrigin[]
  readonly allowances: readonly AllowanceOrigin[]
  readonly taggings: readonly TaggingOrigin[]
  readonly sightings: readonly SightingOrigin[]
}

/** A number for each distinct combination, in order of arrival. */
class Interner<Origin extends object> {
  readonly origins: Origin[] = []
  readonly #numbers = new Map<string, number>()

  number(key: string, origin: () => Origin): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.origins.length
    if (number > ORIGIN_MAX) throw new RangeError('More distinct origins than a record can name.')
    this.#numbers.set(key, number)
    this.origins.push(origin())
    return number
  }
}

// A record's word keeps the origin in the 30 bits beside the kind of fact.
const ORIGIN_MAX = 0x3fff_ffff

/**
 * Collects origins while a snapshot is built. Texts are joined with NUL, which the database cannot
 * store in a text.
 */
export class OriginCollector implements Origins {
  readonly #listings = new Interner<ListingOrigin>()
  readonly #allowances = new Interner<AllowanceOrigin>()
  readonly #taggings = new Interner<TaggingOrigin>()
  readonly #sightings = new Interner<SightingOrigin>()

  get listings(): readonly ListingOrigin[] {
    return this.#listings.origins
  }
  get allowances(): readonly AllowanceOrigin[] {
    return this.#allowances.origins
  }
  get taggings(): readonly TaggingOrigin[] {
    return this.#taggings.origins
  }
  get sightings(): readonly SightingOrigin[] {
    return this.#sightings.origins
  }

  listing({ list, source }: ListingOrigin): number {
    return this.#listings.number(`${list}\0${source}`, () => ({ list, source }))
  }
  allowance({ list, source }: AllowanceOrigin): number {
    return this.#allowances.number(`${list}\0${source}`, () => ({ list, source }))
  }
  tagging({ tag, source }: TaggingOrigin): number {
    return this.#taggings.number(`${tag}\0${source}`, () => ({ tag, source }))
  }
  sighting({ kind, service, type, source }: SightingOrigin): number {
    const key = `${kind}\0${service}\0${type}\0${source}`
    return this.#sightings.number(key, () => ({ kind, service, type, source }))
  }
}
