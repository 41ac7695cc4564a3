// The facts about a subject, as the snapshot stores them and the rules read them. Times are whole
// seconds since 1970; 0 means none.

/** The subject is on a mail blocklist. */
export interface Listing {
  readonly list: string
  readonly source: string
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  /** The listing is live before this second; 0 = until it is withdrawn. */
  readonly expiresSeconds: number
}

export interface Tagging {
  readonly tag: string
  readonly source: string
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  /** The tagging is live before this second; 0 = until it is withdrawn. */
  readonly expiresSeconds: number
}

/** All sightings of one kind, service, type and source, rolled up. */
export interface Sighting {
  /** `honeypot`, `spamtrap` or another kind a source was given. */
  readonly kind: string
  /** Empty when the sensor named none. */
  readonly service: string
  readonly type: string
  readonly source: string
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  readonly count: number
}

/** The subject is on an allow-list: listings of it, and of what lies in it, do not count. */
export interface Allowance {
  readonly list: string
  readonly source: string
  readonly firstSeenSeconds: number
  readonly lastSeenSeconds: number
  /** The allowance is live before this second; 0 = until it is withdrawn. */
  readonly expiresSeconds: number
}

/** Everything known about one subject. */
export interface SubjectFacts {
  readonly listings: readonly Listing[]
  readonly taggings: readonly Tagging[]
  readonly sightings: readonly Sighting[]
  readonly allowances: readonly Allowance[]
}

/**
 * Which subject a fact is from: the item asked about (`isOwn`), or a range or parent domain that
 * covers it.
 */
export interface Match {
  /** Canonical text of the subject. */
  readonly subject: string
  readonly isOwn: boolean
}

/**
 * Everything that holds for an item. In each list the item's own facts come first, then those of
 * what covers it, the nearest first (longest prefix, longest parent name).
 */
export interface MatchedFacts {
  readonly listings: readonly (Listing & Match)[]
  readonly taggings: readonly (Tagging & Match)[]
  readonly sightings: readonly (Sighting & Match)[]
  readonly allowances: readonly (Allowance & Match)[]
  /**
   * Absent when too few addresses of the item's /64 were ever sighted for it to count at any time.
   */
  readonly rollUp?: Ipv6RollUp
}

/** The sightings of single addresses of one /64, summed up (see ipv6-rollup.ts). */
export interface Ipv6RollUp {
  /** Canonical text of the /64. */
  readonly prefix: string
  /** When each distinct sighted address was last seen, the latest first. */
  readonly lastSeenSeconds: readonly number[]
  /** The sightings of all these addresses, one for each kind, service, type and source. */
  readonly sightings: readonly Sighting[]
}

/** True until the second at which it expires. */
export function isLive(fact: { readonly expiresSeconds: number }, nowSeconds: number): boolean {
  return fact.expiresSeconds === 0 || fact.expiresSeconds > nowSeconds
}
