// The tag catalogue that ships with the program.

import { readResource } from '../../values/resources.ts'
import type { Tag } from '../facts/tag-catalogue.ts'

/** The tags of `resources/default-tags.json`. A test checks the shape of the file. */
export function readShippedTags(): readonly Tag[] {
  const tags: readonly Tag[] = JSON.parse(readResource('default-tags.json'))
  return tags
}
