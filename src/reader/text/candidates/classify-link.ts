// Classifies a link or a bare host at one location of a report: reported, imitated site, evidence,
// reference, or the reporter's own.

import { compileMeaning, sourceOf } from '../../words/compile-words.ts'
import type { FoundLabel, Label } from '../occurrences/find-label.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { isAddressHost, type Reason, type Role, type RoleScore } from './candidate.ts'
import { isFooterRow } from './footer-row.ts'
import { LABEL_RULES, type LabelRule } from './label-rules.ts'
import { readCitation, readClause } from './link-clause.ts'
import { isOfClient, isOwnName, type OwnHosts, ownerOf } from './own-hosts.ts'
import { isSufferer } from './sufferers.ts'

const WRITTEN = { text: 'as written' } as const

const NAMED = 50
const DEFANGED = 40
const IN_SUBJECT = 30
const AT_ADDRESS = 25
const CALLED_LINK = 15
const ALONE = 10
const HOST_IN_SUBJECT = 30
const FIRST = 5
const OF_RECIPIENT = -10
/** Weight of a bare host within a sentence. */
export const IN_PROSE = -15
const AGAINST = -60
// Whose host it is outweighs a label (50) and defanging (40) together.
const AGAINST_OWNER = -100

/** What the report says of a link elsewhere. */
export interface LinkContext {
  readonly isFirst: boolean
  /** The subject names its host as what is reported. */
  readonly isHostInSubject: boolean
}

export function classifyLink(occurrence: Occurrence, own: OwnHosts, place: LinkContext): RoleScore {
  const host = occurrence.host ?? occurrence.value
  const owner = isAddressHost(host) ? null : ownerOf(host, own)
  const stated = readRoleAt(occurrence, own, place)
  const isNamed = stated.role === 'reported url'
  const reasons: Reason[] = [...stated.reasons]
  if (occurrence.isDefanged) reasons.push({ points: DEFANGED, why: 'defanged', rule: 'defanged' })
  if (occurrence.context === 'subject') {
    reasons.push({ points: IN_SUBJECT, why: 'in the subject', rule: 'in-subject' })
  } else if (place.isHostInSubject) {
    const why = 'the subject names its host'
    reasons.push({ points: HOST_IN_SUBJECT, why, rule: 'host-in-subject' })
  }
  if (occurrence.isAlone) reasons.push({ points: ALONE, why: 'alone in its line', rule: 'alone' })
  if (place.isFirst) {
    reasons.push({ points: FIRST, why: 'the first one of the text', rule: 'first-in-text' })
  }
  if (owner === null && host !== occurrence.value && isAddressHost(host)) {
    reasons.push({ points: AT_ADDRESS, why: 'its host is an address', rule: 'host-is-address' })
  }
  if (isPlainHost(occurrence)) {
    reasons.push({
      points: IN_PROSE,
      why: 'a bare host within a sentence',
      rule: 'host-in-sentence',
    })
  }
  const role = isNamed && occurrence.kind === 'host' ? 'reported domain' : stated.role
  if (owner === 'reporter') {
    return against(reasons, 'reporter', ['host-of-reporter', 'a host of the reporter'])
  }
  if (owner === 'reference' && !isNamed) {
    return against(reasons, 'reference', ['public-reference', 'a public reference'])
  }
  if (!isNamed && !occurrence.isDefanged) {
    if (isFooterRow(occurrence.line.clean)) {
      return against(reasons, 'reference', ['footer', 'in a footer'])
    }
    if (owner === null && isOfClient(host, own)) {
      return against(reasons, 'legitimate site', [
        'host-of-client',
        'a host of the client or the brand',
      ])
    }
  }
  if (owner === 'recipient') {
    const why = 'a host of the recipient'
    reasons.push({ points: OF_RECIPIENT, why, rule: 'host-of-recipient' })
  }
  return { role, reasons }
}

/**
 * Nobody defangs a link to evidence or to a real site, but for one that is called the original by
 * its own label.
 */
function readRoleAt(occurrence: Occurrence, own: OwnHosts, place: LinkContext): RoleScore {
  const said = readRole(occurrence, own)
  const { isDefanged, isNamed, labels } = occurrence
  const isRefused = said.role === 'evidence' || said.role === 'legitimate site'
  if (!isRefused || !(isDefanged || place.isHostInSubject)) return said
  const isCalledOriginal =
    said.role === 'legitimate site' && isNamed && labels.some(({ label }) => label === 'legitimate')
  return isCalledOriginal ? said : { role: 'unnamed', reasons: [] }
}

// A host with `www.` means a web site.
function isPlainHost({ kind, context, isDefanged, text }: Occurrence): boolean {
  return kind === 'host' && context === 'prose' && !isDefanged && !/^www\./i.test(text)
}

function against(
  reasons: readonly Reason[],
  role: Role,
  [rule, why]: readonly [rule: string, why: string],
): RoleScore {
  return { role, reasons: [...reasons, { points: AGAINST_OWNER, why, rule }] }
}

const SAID_OF_LINKS = new Set<Label>(['reported', 'legitimate', 'evidence'])
const NAMES_OF_HOSTS = compileMeaning('link.machine-name', {
  text: 'as written',
  start: 'word',
  end: 'word',
})

// `host mx.example.org[192.0.2.1] said: 550 …`: a mail server that would not take a mail.
const REFUSES = /^ ?\[[\da-f.:]{2,45}\](?::\d{1,5})? said: [45]\d\d\b/i

function readRole(occurrence: Occurrence, own: OwnHosts): RoleScore {
  const { isNamed, kind, context } = occurrence
  const labels = occurrence.labels.filter((each) => !isOwnName(each, occurrence.beside, own))
  const labelsAbove = occurrence.labelsAbove.filter(
    (each) => !isOwnName(each, occurrence.overhead, own),
  )
  if (context === 'table') {
    const head = chooseLabel(labelsAbove, true)
    if (head !== undefined) return scoreByLabel(head, 'head of its column')
  }
  const [before, behind] = sidesOf(occurrence)
  const cited = context === 'log' ? null : readCitation(before)
  if (cited !== null) return cited
  const beside = chooseLabel(labels, isNamed)
  const isTakenFrom = beside?.label === 'legitimate' && TAKEN_FROM.test(occurrence.beside)
  if (beside !== undefined && !isTakenFrom) return scoreByLabel(beside, 'label')
  const copy = isNamed ? COPY.exec(occurrence.beside)?.[1] : undefined
  if (copy !== undefined) {
    return scoreByLabel({ label: 'reported', word: copy, at: 0, end: copy.length }, 'label')
  }
  const left = leftOf(occurrence)
  // `192.0.2.1 (host.example)` is the reverse name of the address.
  const isReverse = !occurrence.isDefanged && /\d ?[([]$/.test(left)
  const isName = kind === 'host' && (isReverse || NAMES_OF_HOSTS.test(left) || REFUSES.test(behind))
  if (isName) {
    const reason = { points: AGAINST, why: 'a name of a machine', rule: 'machine-name' }
    return { role: 'infrastructure', reasons: [reason] }
  }
  const target = labels.findLast(
    (each) => each.label === 'target' && !isSufferer(each, occurrence.beside),
  )
  if (target !== undefined) return scoreByLabel(target, 'label')
  const clause = context === 'log' ? null : readClause(before, behind)
  if (clause !== null) return clause
  const above = chooseAbove(occurrence, labelsAbove)
  if (above !== undefined) return scoreByLabel(above, 'heading')
  if (context === 'log' && !isRowOfList(occurrence)) {
    return { role: 'unnamed', reasons: [{ points: IN_PROSE, why: 'within a log', rule: 'in-log' }] }
  }
  const called = [...labels, ...labelsAbove].find(
    ({ label }) => label === 'address' || label === 'source',
  )
  if (called === undefined) return { role: 'unnamed', reasons: [] }
  const { word: words } = called
  const reason = { points: CALLED_LINK, why: `label “${words}”`, rule: 'called-link', words }
  return { role: 'unnamed', reasons: [reason] }
}

// `2026-03-09 18:44, 192.0.2.1, https://…` is a row of a list, though it begins as the lines of a
// log do; a request or a field of a log has words, quotes or an equals sign around its link.
const ROW_WORDS_MAX = 4

function isRowOfList({ kind, line, column, end }: Occurrence): boolean {
  if (kind !== 'url' || line.clean.length > 1_000) return false
  const [before, behind] = [line.clean.slice(0, column), line.clean.slice(end)]
  if (!/(?:^|[\s,;|])["']?$/.test(before) || !/^["']?\s*(?:$|[,;|\t])/.test(behind)) return false
  if (!/^[\s>|"']*\d/.test(before) || /[={}[\]]|\b(?:GET|POST|HEAD)\b/.test(before)) return false
  return (`${before} ${behind}`.match(/\p{L}{3,}/gu)?.length ?? 0) <= ROW_WORDS_MAX
}

const SIDE_LENGTH = 120

/** The words before and behind it; before it those of the line above where its sentence began. */
function sidesOf({ line, column, end, beside }: Occurrence): readonly [string, string] {
  const left = line.clean.slice(Math.max(0, column - SIDE_LENGTH), column)
  const own = left.slice(lastLinkEnd(left))
  const before = own.trim().length < beside.length ? beside : own
  return [before, line.clean.slice(end, end + SIDE_LENGTH)]
}

function lastLinkEnd(text: string): number {
  const at = text.lastIndexOf('://')
  if (at === -1) return 0
  const end = text.slice(at).search(/[\s<>"|]/)
  return end === -1 ? 0 : at + end
}

function leftOf({ line, column }: Occurrence): string {
  return line.clean.slice(Math.max(0, column - 30), column)
}

/**
 * A sentence above usually names both sites (`a page that imitates our site: …`), and the reported
 * link follows, unless the sentence begins with the imitated site. A label on the line (`URL: …`)
 * wins over a sentence above. A defanged link is always reported, because harmless links are not
 * defanged.
 */
function chooseAbove(
  occurrence: Occurrence,
  labelsAbove: readonly FoundLabel[],
): FoundLabel | undefined {
  const { labels, isNamed, isUnderTitle, isDefanged, overhead, beside } = occurrence
  if (ABOUT_MAIL.test(overhead)) return undefined
  // The name of a team stands above its sites, without a colon.
  if (!/[:：]\s*$/.test(overhead) && isFooterRow(occurrence.line.clean)) return undefined
  // `Pick a time: …` below a paragraph that merely ends there is no list of what that spoke of.
  if (isNamed && beside !== '' && !isUnderTitle && !/[:：]\s*$/.test(overhead)) return undefined
  const first = chooseLabel(labelsAbove.filter(isOfHeading(occurrence)), true)
  const reported = labelsAbove.find(({ label }) => label === 'reported')
  const above = first !== undefined && first.at < BEGINNING ? first : (reported ?? first)
  if (above === undefined || above.label === 'reported') return above
  // `A page that imitates my bank: …`: what does so follows, and not what it is done to.
  const isPage = occurrence.kind === 'url' && above.label === 'legitimate'
  const deed = isPage ? DOES.exec(overhead)?.[0] : undefined
  if (deed !== undefined && /[:：]\s*$/.test(overhead)) {
    return { label: 'reported', word: deed, at: above.at, end: above.end }
  }
  const isCalled = isNamed && labels.some(({ label }) => label === 'address')
  if (isCalled && !isUnderTitle) return undefined
  return above.label === 'legitimate' && isDefanged ? undefined : above
}

const DOES = compileMeaning('link.does', { text: 'as written', start: 'word', end: 'word' })

// So many characters from its end a sentence speaks of what follows it.
const ENDING = 48

/**
 * In a heading every label is about the lines below; of a sentence only its end is, where the label
 * calls them evidence.
 */
function isOfHeading({ isUnderTitle, overhead, context }: Occurrence) {
  const isSentence = context !== 'table' && !isUnderTitle && overhead.length > 2 * ENDING
  return ({ label, end }: FoundLabel): boolean =>
    label !== 'evidence' || !isSentence || overhead.length - end <= ENDING
}

// `Offending message`, `Reported e-mail:`: a mail is what is reported there; its links are its
// sender's.
const ABOUT_MAIL = new RegExp(
  `^[^\\p{L}]{0,6}(?:\\p{L}{1,20} ){0,3}${sourceOf('link.mail', WRITTEN)}[^\\p{L}]{0,6}$`,
  'iu',
)

// `The original site …`, `Legitimate URL …`.
const BEGINNING = 16

/**
 * In a label with a colon the first word classifies the link; in a sentence the last word does,
 * which is the nearest.
 */
function chooseLabel(labels: readonly FoundLabel[], isNamed: boolean): FoundLabel | undefined {
  const said = labels.filter(({ label }) => SAID_OF_LINKS.has(label))
  return isNamed ? said[0] : said.at(-1)
}

// Alone before a colon, beside `original:`; within a sentence the word says nothing (`a copy of
// this letter`).
const COPY = new RegExp(
  `^\\W{0,4}(?:${sourceOf('link.the-copy', WRITTEN)} )?(${sourceOf('link.copy', WRITTEN)})\\W{0,4}$`,
  'iu',
)

// `copied our login page to …` names where the copy is; `our login page at …` is the original.
const TAKEN_FROM = new RegExp(
  `(?<!\\p{L})${sourceOf('link.copied', WRITTEN)} [^.:;]{1,60} ${sourceOf('link.copied-to', WRITTEN)}[\\s"'<([]{0,4}$`,
  'iu',
)

function scoreByLabel({ label, word }: FoundLabel, what: LabelRule): RoleScore {
  const said = { why: `${what} “${word}”`, rule: LABEL_RULES[what], words: word }
  switch (label) {
    case 'reported':
      return { role: 'reported url', reasons: [{ points: NAMED, ...said }] }
    case 'legitimate':
      return { role: 'legitimate site', reasons: [{ points: AGAINST, ...said }] }
    case 'evidence':
      return { role: 'evidence', reasons: [{ points: AGAINST, ...said }] }
    case 'source':
    case 'target':
    case 'controller':
    case 'infrastructure':
    case 'address':
      return { role: 'target', reasons: [{ points: AGAINST, ...said }] }
  }
}
