// What the clause of a sentence does with the link in it: asks for its removal, accuses it, cites
// it as a law, or names the work that was copied.

import { sourceOf } from '../../words/compile-words.ts'
import { findLabels } from '../occurrences/find-label.ts'
import type { Reason, Role, RoleScore } from './candidate.ts'

const WRITTEN = { text: 'as written' } as const
const SIDE_LENGTH = 120
const PLEADED = 45
const ACCUSED = 50
const CITED = -60

// `illegal under the Act, https://…`, `pursuant to section 4 (https://…)`.
const LAW = new RegExp(
  `(?<!\\p{L})${sourceOf('link.law', WRITTEN)}(?: [\\p{L}\\d§./]{1,20}){0,6}[\\s,:(<"]{0,4}$`,
  'iu',
)
// `Please disable the page https://…`; alone at the beginning of its sentence it is one too.
const PLEA = new RegExp(
  `(?:(?<!\\p{L})${sourceOf('link.please', WRITTEN)} (?:[\\p{L}]{1,15} ){0,3}|^[^\\p{L}]{0,6})${sourceOf('link.plea', WRITTEN)}(?: [\\p{L}-]{1,15}){0,4}[\\s:(<"]{0,4}$`,
  'iu',
)
// `my photograph, first shown at …`, `the film listed at …`.
const WORK = new RegExp(
  `(?<!\\p{L})${sourceOf('link.whose', WRITTEN)} (?:\\p{L}{1,15} ){0,2}${sourceOf('link.work', WRITTEN)}(?:[,(]? ?(?:\\p{L}{1,12} )?${sourceOf('link.shown', WRITTEN)} \\p{L}{2,5}|\\s?[(<])[\\s:(<"]{0,4}$`,
  'iu',
)
// `phishing against bank.example`; a complaint against a page is another matter.
const ATTACKED = new RegExp(
  `(?<!\\p{L})${sourceOf('link.attack', WRITTEN)} ${sourceOf('link.against', WRITTEN)}(?: \\p{L}{1,12}){0,2}[\\s:(<"]{0,4}$`,
  'iu',
)
const IS = new RegExp(
  `^[\\s>)\\]"'»]{0,4}(?:\\p{L}{1,8} )?${sourceOf('link.is', WRITTEN)} ([^.;:!?,]{2,${SIDE_LENGTH}})`,
  'iu',
)
const DOES = new RegExp(
  `^[\\s>)\\]"'»]{0,4}(?:\\p{L}{1,8} )?${sourceOf('link.does', WRITTEN)}(?!\\p{L})`,
  'iu',
)

/** What the words before the link say of it, where they are stronger than any label. */
export function readCitation(left: string): RoleScore | null {
  const before = left.slice(-SIDE_LENGTH)
  const law = LAW.exec(before)?.[0]
  if (law !== undefined) return say('reference', CITED, LAW_CITED, law)
  const attack = ATTACKED.exec(before)?.[0]
  return attack === undefined ? null : say('legitimate site', CITED, IS_ATTACKED, attack)
}

/** What the clause says of the link in it; null when it says nothing. */
export function readClause(left: string, right: string): RoleScore | null {
  const before = left.slice(-SIDE_LENGTH)
  const plea = PLEA.exec(before)?.[0]
  if (plea !== undefined) return say('reported url', PLEADED, IS_PLEADED, plea)
  const work = WORK.exec(before)?.[0]
  if (work !== undefined) return say('legitimate site', CITED, IS_WORK, work)
  const behind = right.slice(0, SIDE_LENGTH)
  const deed = DOES.exec(behind)?.[0]
  if (deed !== undefined) return say('reported url', ACCUSED, IS_ACCUSED, deed)
  const said = IS.exec(behind)?.[1]
  return said === undefined ? null : readPredicate(said)
}

function readPredicate(said: string): RoleScore | null {
  const first = findLabels(said).find(
    ({ label }) => label === 'reported' || label === 'legitimate' || label === 'target',
  )
  if (first === undefined) return null
  if (first.label === 'reported') {
    return say('reported url', ACCUSED, saidOf(first.word), first.word)
  }
  return say('legitimate site', CITED, saidOf(first.word), first.word)
}

type Said = Pick<Reason, 'rule' | 'why'>

const LAW_CITED: Said = { rule: 'clause-law', why: 'cited as a rule or a law' }
const IS_ATTACKED: Said = { rule: 'clause-attacked', why: 'what the attack is against' }
const IS_PLEADED: Said = { rule: 'clause-plea', why: 'its removal is asked for' }
const IS_WORK: Said = { rule: 'clause-work', why: 'where the work is' }
const IS_ACCUSED: Said = { rule: 'clause-accuses', why: 'the sentence accuses it' }

function saidOf(word: string): Said {
  return { rule: 'clause-says', why: `the sentence says “${word}” of it` }
}

function say(role: Role, points: number, said: Said, words: string): RoleScore {
  const reasons: readonly Reason[] = [{ points, ...said, words: words.trim() }]
  return { role, reasons }
}
