// Finds the addresses and domains in a line of any log: as they stand, in links, with ports, and
// defanged. Each step is linear in the length of the line.

import { hasKnownSuffix } from '../../values/domain.ts'
import { parseItem } from '../../values/item.ts'
import { refangMarks } from '../../values/wrapped-item.ts'

/** A longer line is read up to here: an item behind it is missed. */
const LINE_LENGTH_MAX = 65_536
// Marks that stand for others in defanged texts.
const DEFANGED = /[[({]|hxxp|\\\./i
// What an item may be made of. A name after a single slash is a file, as in `GET /index.md`.
const CANDIDATES =
  /(?<![\w.%-])(?<!(?<!\/)\/[^\s/?=&"',;<>()|]{0,64})[\p{L}\p{N}_][\p{L}\p{N}_.:-]*|::[\p{N}a-f][\p{N}a-f:.]*/giu
const PORT = /^([^:]+):\d{1,5}$/
const MARKS_AROUND = /^[.:_-]+|(?<![.:_-])[.:_-]+$/g
const DOMAIN_LENGTH_MAX = 253

/** In their order, each once, in canonical form. */
export function findItems(line: string): readonly string[] {
  const cut = line.length > LINE_LENGTH_MAX ? line.slice(0, LINE_LENGTH_MAX) : line
  const text = DEFANGED.test(cut) ? refangMarks(cut) : cut
  const found = new Set<string>()
  for (const [candidate] of text.matchAll(CANDIDATES)) {
    const item = readItem(candidate)
    if (item !== null) found.add(item)
  }
  return [...found]
}

function readItem(candidate: string): string | null {
  const bare = candidate.startsWith('::') ? candidate : candidate.replaceAll(MARKS_AROUND, '')
  if (bare.length < 2 || bare.length > DOMAIN_LENGTH_MAX || !/[.:]/.test(bare)) return null
  const item = parseItem(bare) ?? readHost(bare)
  if (item === null) return null
  // A name under no public suffix is a file, a version or a host of a network within.
  return item.kind === 'domain' && !hasKnownSuffix(item.text) ? null : item.text
}

function readHost(bare: string): ReturnType<typeof parseItem> {
  const host = PORT.exec(bare)?.[1]
  return host === undefined ? null : parseItem(host)
}
