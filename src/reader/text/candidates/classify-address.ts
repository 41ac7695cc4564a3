// Classifies an address at one location of a report: the source of the abuse, a target, a relay, a
// name server.

import { sourceOf } from '../../words/compile-words.ts'
import type { Label } from '../occurrences/find-label.ts'
import { type FoundLabel, findDirection } from '../occurrences/find-label.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { type Reason, type Role, type RoleScore, STRONG } from './candidate.ts'
import { type OwnHosts, ownerOf } from './own-hosts.ts'
import { isSufferer } from './sufferers.ts'

// Weights. In 95 % of real mails the first public address of the body is the source. A label is
// even more certain, and an address named as a target is never the source. `STRONG` (40) is the
// weight of a clear label alone.
const NAMED = 50
const IN_SUBJECT = 35
const DIRECTED = 40
const CALLED_ADDRESS = 25
const DEFANGED = 15
const ALONE = 10
const FIRST = 20
const AGAINST = -60

/** `isFirst`: it is the first public address of what the reporter wrote. */
export function classifyAddress(
  occurrence: Occurrence,
  own: OwnHosts,
  isFirst: boolean,
): RoleScore {
  const { role, reasons } = isOfReporter(occurrence, own) ? OF_REPORTER : readRole(occurrence)
  const all = [...reasons]
  const isAgainst = role === 'target' || role === 'infrastructure'
  if (occurrence.context === 'subject' && !isAgainst) {
    all.push({ points: IN_SUBJECT, why: 'in the subject' })
  }
  if (isFirst && !isAgainst) all.push({ points: FIRST, why: 'the first address of the text' })
  if (occurrence.isAlone) all.push({ points: ALONE, why: 'alone in its line' })
  if (occurrence.isDefanged) all.push({ points: DEFANGED, why: 'defanged' })
  if (own.relays.has(occurrence.value) && role === 'unnamed') {
    const why = 'a server this very mail came over'
    return { role: 'reporter', reasons: [...all, { points: AGAINST, why }] }
  }
  return { role, reasons: all }
}

const OF_REPORTER: RoleScore = {
  role: 'target',
  reasons: [{ points: AGAINST, why: 'the address of a host of the reporter' }],
}

/**
 * `our gateway mail.reporter.example [192.0.2.1]`. When reporter and recipient are the same
 * organisation, the host may be a customer's.
 */
function isOfReporter({ holder, labels, direction }: Occurrence, own: OwnHosts): boolean {
  if (holder === null || ownerOf(holder, own) !== 'reporter') return false
  if (ownerOf(holder, { ...own, reporter: new Set() }) === 'recipient') return false
  return direction !== 'from' && labels.every(({ label }) => label !== 'source')
}

function readRole(occurrence: Occurrence): RoleScore {
  const { labelsAbove, direction, context, isNamed, isUnderTitle } = occurrence
  const labels = occurrence.labels.filter((label) => !isSufferer(label, occurrence.beside))
  const last = findStrong(labels, 'last')
  const overhead = labelsAbove.filter((label) => !isSufferer(label, occurrence.overhead))
  const above = overhead.length === 0 ? undefined : chooseAbove(overhead, context === 'table')
  if (context === 'table' && above !== undefined) return scoreByLabel(above, 'head of its column')
  if (isBehindAt(occurrence)) {
    return { role: 'target', reasons: [{ points: AGAINST, why: 'the host of an account' }] }
  }
  const isBeside = last !== undefined && labels.every(({ label }) => label !== 'address')
  if (isNamed && namesSubject(labels, occurrence.beside)) return SUBJECT
  if (direction !== null && !(isBeside && contradicts(last, direction))) {
    const [role, points]: [Role, number] =
      direction === 'from' ? ['source', DIRECTED] : ['target', AGAINST]
    return { role, reasons: [{ points, why: `things went ${direction} it` }] }
  }
  if (last !== undefined) return scoreByLabel(last, 'label')
  if (labels.some(({ label }) => label === 'address')) {
    const word = labels.findLast(({ label }) => label === 'address')?.word ?? ''
    const reasons: Reason[] = [{ points: CALLED_ADDRESS, why: `label “${word}”` }]
    // Under the title `Victims` an `IP: …` is a victim. A label ends the effect of a sentence
    // above.
    const isHeaded = !isNamed || isUnderTitle
    if (above?.label === 'target' && isHeaded) return scoreByLabel(above, 'heading')
    return { role: above?.label === 'source' ? 'source' : 'unnamed', reasons }
  }
  if (namesSubject(labelsAbove, occurrence.overhead)) return SUBJECT
  if (findDirection(occurrence.overhead.replace(/[\s:]*$/, ' ')) === 'from') {
    return {
      role: 'source',
      reasons: [{ points: DIRECTED, why: 'things came from what is listed' }],
    }
  }
  if (above !== undefined) return scoreByLabel(above, 'heading')
  return { role: 'unnamed', reasons: [] }
}

const SUBJECT: RoleScore = {
  role: 'source',
  reasons: [{ points: STRONG, why: 'the words before say what it did to somebody' }],
}

// `IP address of our server` names our server; `IP addresses that hit our server` names them.
const FILLERS = new RegExp(
  `(?<!\\p{L})${sourceOf('filler', { text: 'as written' })}(?!\\p{L})`,
  'gu',
)

const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2}/

/**
 * True when the sentence speaks of addresses and says something about them before it comes to the
 * target.
 */
function namesSubject(labels: readonly FoundLabel[], text: string): boolean {
  const target = labels.find(({ label }) => label === 'target')
  if (target === undefined) return false
  const subject = labels.findLast(
    ({ label, end }) => (label === 'address' || label === 'source') && end <= target.at,
  )
  if (subject === undefined) return false
  const isSentence = text.split(/\s+/).length >= 5 || (UNSPACED.test(text) && text.length >= 12)
  if (!isSentence) return false
  const between = text.slice(subject.end, target.at).toLowerCase().replaceAll(FILLERS, ' ')
  return /\p{L}{3,}/u.test(between) || UNSPACED.test(between)
}

// `root@192.0.2.1` and `sip:100@192.0.2.1` are accounts under attack.
function isBehindAt({ line, column }: Occurrence): boolean {
  return /\w@\[?$/.test(line.clean.slice(Math.max(0, column - 10), column))
}

// `our scans from 192.0.2.1`: the preposition is part of what the label says.
function contradicts(label: FoundLabel, direction: 'from' | 'to'): boolean {
  return direction === 'from' && label.label === 'target' && label.word.endsWith(' from')
}

const STRONG_LABELS = new Set<Label>(['source', 'target', 'controller', 'infrastructure'])

function findStrong(
  labels: readonly FoundLabel[],
  which: 'first' | 'last',
): FoundLabel | undefined {
  const strong = labels.filter(({ label }) => STRONG_LABELS.has(label))
  if (which === 'first') return strong[0]
  // Of two labels that end at the same position the longer one counts.
  return strong.reduce<FoundLabel | undefined>(
    (best, each) => (best === undefined || each.end > best.end ? each : best),
    undefined,
  )
}

/**
 * The heading of a list of addresses usually names both sides (`these hosts attacked our servers`),
 * and the list is of sources. It is of targets only when the heading begins with the target.
 */
function chooseAbove(labels: readonly FoundLabel[], isColumn: boolean): FoundLabel | undefined {
  const first = findStrong(labels, 'first')
  if (first === undefined) return labels.find(({ label }) => label === 'address')
  if (isColumn || first.at < 16) return first
  return labels.find(({ label }) => label === 'source') ?? first
}

function scoreByLabel({ label, word }: FoundLabel, what: string): RoleScore {
  const why = `${what} “${word}”`
  switch (label) {
    case 'source':
      return { role: 'source', reasons: [{ points: NAMED, why }] }
    case 'target':
      return { role: 'target', reasons: [{ points: AGAINST, why }] }
    case 'infrastructure':
      return { role: 'infrastructure', reasons: [{ points: AGAINST, why }] }
    case 'controller':
      return { role: 'controller', reasons: [{ points: 5, why }] }
    case 'address':
    case 'reported':
    case 'legitimate':
    case 'evidence':
      return { role: 'unnamed', reasons: [{ points: CALLED_ADDRESS, why }] }
  }
}
