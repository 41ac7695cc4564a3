// Phrases that tell whose side an address is on, where its own label does not.

import { sourceOf } from '../../words/compile-words.ts'
import { foldText } from '../../words/fold-text.ts'
import { findPhrases } from '../evidence/evidence-words.ts'
import type { Spotted } from '../lines/scan-line.ts'
import type { FoundLabel } from './find-label.ts'

const WRITTEN = { text: 'as written' } as const

const OWNER = new RegExp(
  `(?<!\\p{L})${sourceOf('whose.ours', WRITTEN)} (?:[\\p{L}\\d.-]{1,24} ){0,2}([\\p{L}\\d.-]{2,30}) ?$`,
  'iu',
)
// `In our report (192.0.2.1)` and `in our logs (192.0.2.1)` tell what it is about.
const WRITING = new RegExp(
  `^(?:${sourceOf('matter', WRITTEN)}|${sourceOf('whose.writing', WRITTEN)})$`,
  'iu',
)
const OWNER_LENGTH_MAX = 160

/**
 * `Our Exchange (mail.example.org, 198.51.100.1)`: what is in the brackets behind a possession is
 * the owner's. Nothing where words in the brackets say something of their own.
 */
export function findOwner(
  text: string,
  { kind, column }: Spotted,
  at: number,
): readonly FoundLabel[] {
  if (kind !== 'ip') return []
  const before = text.slice(Math.max(0, column - OWNER_LENGTH_MAX), column)
  const open = before.lastIndexOf('(')
  const inside = before.slice(open + 1)
  if (open === -1 || /[)]|\p{L}{2,}\s\p{L}{2,}/u.test(inside)) return []
  const owner = OWNER.exec(before.slice(0, open))
  if (owner === null || WRITING.test(owner[1] ?? '')) return []
  return [{ label: 'target', word: owner[0].trim(), at, end: at }]
}

// `was reported by our server 192.0.2.1` names who saw it.
const SEEN_BY = new RegExp(
  `\\b${sourceOf('seen', WRITTEN)}\\b[^.:;]{0,25}\\b${sourceOf('seen.by', WRITTEN)}\\b(?::\\s{0,20})?[^.:;]{0,20}$`,
  'iu',
)

/** Whether `left` ends with who saw it; `blocked probes by 192.0.2.1` names who probed. */
export function isSeenBy(left: string): boolean {
  const [seen] = SEEN_BY.exec(left.slice(-80)) ?? []
  return seen !== undefined && findPhrases(foldText(seen)).length === 0
}

// Who says `is our problem` speaks of somebody else's machine.
const MACHINE =
  '(?:[\\p{L}\\d-]{1,24}[ -]){0,2}(?:\\p{L}{0,20}-?server|mx|relay|gateway|host|mailer|smtp|filter|scanner|appliance|list)'
const OURS_AFTER = new RegExp(
  `^[,]?(?: (?:is|are|was|ist|sind|est|es|è|é|jest|on))?[, ]{1,2}${sourceOf('whose.ours', WRITTEN)} ${MACHINE}(?![\\p{L}\\d])`,
  'iu',
)

/** Whether the words behind a host say that it is the writer's: `… is our own list server`. */
export function isOurs(after: string): boolean {
  return OURS_AFTER.test(after.slice(0, 120))
}
