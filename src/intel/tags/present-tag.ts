// A tag in the form of the list and in full (interface 2.4).

import type { Tag } from '../facts/tag-catalogue.ts'
import type { TagRecord, TagSummary } from './tag-wire.ts'

/** `hasFullDescription` false gives the first sentence of the description. */
export function presentTagSummary(tag: Tag, hasFullDescription: boolean): TagSummary {
  const { name, intent, category, description } = tag
  return {
    name,
    intent,
    category,
    description: hasFullDescription ? description : firstSentence(description),
  }
}

export function presentTag(tag: Tag): TagRecord {
  return {
    ...presentTagSummary(tag, true),
    references: tag.references.map(({ url, description }) => ({ url, description })),
    timeline: tag.timeline.map(({ date, action, description }) => ({ date, action, description })),
  }
}

// A sentence ends where a capital letter follows: "e.g. this" does not end one.
const SENTENCE_END = /[.!?](?=\s+\p{Lu})/u

function firstSentence(text: string): string {
  const end = SENTENCE_END.exec(text)
  return end === null ? text : text.slice(0, end.index + 1)
}
