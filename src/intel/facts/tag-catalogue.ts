// The tag catalogue in the memory of a thread. The tag endpoints answer from it, a push checks its
// tags against it, and look-ups take intents from it. Immutable: a change makes a new catalogue.

import { createHash } from 'node:crypto'
import type { TagIntent } from './intent.ts'

// Far more than a catalogue that people read; it bounds the answer of the list.
export const TAGS_MAX = 10_000

interface TagReference {
  readonly url: string
  readonly description: string
}

interface TagTimelineEntry {
  /** ISO 8601. */
  readonly date: string
  readonly action: string
  readonly description: string
}

export interface Tag {
  readonly name: string
  readonly intent: TagIntent
  /** `activity`, `tool`, `actor` or `none`. */
  readonly category: string
  readonly description: string
  readonly references: readonly TagReference[]
  readonly timeline: readonly TagTimelineEntry[]
}

export interface TagCatalogue {
  /** By name. */
  readonly tags: readonly Tag[]
  readonly find: (name: string) => Tag | null
  readonly intents: ReadonlyMap<string, TagIntent>
  /** Changes with every tag; the same on all nodes with the same catalogue. */
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
