// The tag catalogue as this thread holds it: what the tag endpoints answer from, what a push checks
// tags against, and the intents that look-ups need. Immutable; a change of the catalogue is a new
// one.

import { createHash } from 'node:crypto'
import type { Tag } from '../tags/tag-store.ts'
import type { TagIntent } from './intent.ts'

export interface TagCatalogue {
  /** By name. */
  readonly tags: readonly Tag[]
  readonly find: (name: string) => Tag | null
  readonly intents: ReadonlyMap<string, TagIntent>
  /** Changes whenever any tag does; the same on every node that has the same catalogue. */
  readonly fingerprint: string
}

export function buildTagCatalogue(tags: readonly Tag[]): TagCatalogue {
  const byName = new Map(tags.map((tag) => [tag.name, tag]))
  return {
    tags,
    find: (name) => byName.get(name) ?? null,
    intents: new Map(tags.map((tag) => [tag.name, tag.intent])),
    fingerprint: createHash('sha256').update(JSON.stringify(tags)).digest('base64url').slice(0, 16),
  }
}
