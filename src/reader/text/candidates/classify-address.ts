// Classifies an address at one location of a report: the source of the abuse, a target, a relay, a
// name server.

import { sourceOf } from '../../words/compile-words.ts'
import { type FoundLabel, findDirection, type Label } from '../occurrences/find-label.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { type RoleScore, STRONG } from './candidate.ts'
import { LABEL_RULES, type LabelRule } from './label-rules.ts'
import { type OwnHosts, ownerOf } from './own-hosts.ts'
import { isSufferer } from './sufferers.ts'

// Weights. In 95 % of real mails the first public address of the body is the source. A label is
// even more certain, and an address named as a target is never the source. `STRONG` (40) is the
// weight of a clear label alone.
const NAMED = 50
const IN_SUBJECT = 35
const DIRECTED = 40
const CALLED_ADDRESS = 25
const CONTROLLER = 5
const DEFANGED = 15
const ALONE = 10
const FIRST = 20
// Spoken of in passing.
const SAID_OF = -10
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
    all.push({ points: IN_SUBJECT, why: 'in the subject', rule: 'in-subject' })
  }
  if (isFirst && !isAgainst) {
    all.push({ points: FIRST, why: 'the first address of the text', rule: 'first-in-text' })
  }
  if (occurrence.isAlone) all.push({ points: ALONE, why: 'alone in its line', rule: 'alone' })
  if (occurrence.isDefanged) all.push({ points: DEFANGED, why: 'defanged', rule: 'defanged' })
  if (own.relays.has(occurrence.value) && role === 'unnamed') {
    const why = 'a server this very mail came over'
    const reason = { points: AGAINST, why, rule: 'relay-of-this-mail' }
    return { role: 'reporter', reasons: [...all, reason] }
  }
  return { role, reasons: all }
}

const OF_REPORTER: RoleScore = {
  role: 'target',
  reasons: [
    { points: AGAINST, why: 'the address of a host of the reporter', rule: 'host-of-reporter' },
  ],
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

// What stands nearest decides: the form of the line, the words beside it, the words above.
function readRole(occurrence: Occurrence): RoleScore {
  const above = findLabelAbove(occurrence)
  return (
    readForm(occurrence, above) ??
    readWordsBeside(occurrence, above) ??
    readWordsAbove(occurrence, above)
  )
}

function findLabelAbove({ labelsAbove, overhead, context }: Occurrence): FoundLabel | undefined {
  const labels = labelsAbove.filter(
    (label) => !isSufferer(label, overhead) && !isOfEarlierSentence(label, overhead),
  )
  return labels.length === 0 ? undefined : chooseAbove(labels, context === 'table')
}

/** By an arrow, the column of a table, or the output of a tool; null in any other line. */
function readForm(occurrence: Occurrence, above: FoundLabel | undefined): RoleScore | null {
  const { direction, context } = occurrence
  if (occurrence.isPointed && direction !== null) return scoreByDirection(direction, null)
  if (context === 'table' && above !== undefined) return scoreByLabel(above, 'head of its column')
  const machine = findMachineLine(occurrence)
  if (machine !== null) {
    const reason = { points: AGAINST, why: machine, rule: 'output-of-a-tool' }
    return { role: 'infrastructure', reasons: [reason] }
  }
  if (isTraced(occurrence)) {
    const reason = { points: STRONG, why: 'the host that was traced', rule: 'traced-host' }
    return { role: 'unnamed', reasons: [reason] }
  }
  if (isBehindAt(occurrence)) {
    const reason = { points: AGAINST, why: 'the host of an account', rule: 'host-of-account' }
    return { role: 'target', reasons: [reason] }
  }
  return null
}

/** By the words of its own line; null when they say nothing. */
function readWordsBeside(occurrence: Occurrence, above: FoundLabel | undefined): RoleScore | null {
  const { direction, context, isNamed } = occurrence
  const labels = occurrence.labels.filter((label) => !isSufferer(label, occurrence.beside))
  const last = findStrong(labels, 'last')
  const isBeside = last !== undefined && labels.every(({ label }) => label !== 'address')
  if (isNamed && namesSubject(labels, occurrence.beside)) return subjectOf(occurrence.beside)
  if (context !== 'log' && isExcluded(occurrence)) {
    const why = 'the words before it exclude it'
    return { role: 'target', reasons: [{ points: AGAINST, why, rule: 'excluded' }] }
  }
  if (context === 'prose' && isInInstruction(occurrence)) {
    const why = 'in words on how to check it'
    return { role: 'unnamed', reasons: [{ points: SAID_OF, why, rule: 'in-instruction' }] }
  }
  const isNearer = last !== undefined && isBehindDirection(last, occurrence)
  if (direction !== null && !isNearer && !(isBeside && contradicts(last, direction))) {
    return scoreByDirection(direction, tailOf(occurrence.beside))
  }
  // `The name server at 192.0.2.1 answers anybody` may well be what is reported.
  const isSaidOf = context === 'prose' && !isNamed && last?.label === 'infrastructure'
  if (isSaidOf) {
    const { word: words } = last
    const reason = { points: SAID_OF, why: `“${words}”`, rule: 'called-infrastructure', words }
    return { role: 'unnamed', reasons: [reason] }
  }
  if (last !== undefined) return scoreByLabel(last, 'label')
  const called = labels.findLast(({ label }) => label === 'address')
  return called === undefined ? null : readCalledAddress(called, occurrence, above)
}

/** The label `IP: …` says only that it is an address; the words above say whose. */
function readCalledAddress(
  { word }: FoundLabel,
  { isNamed, isUnderTitle }: Occurrence,
  above: FoundLabel | undefined,
): RoleScore {
  // Under the title `Victims` an `IP: …` is a victim. A label ends the effect of a sentence above.
  const isHeaded = !isNamed || isUnderTitle
  if (above !== undefined && isHeaded && TITLES.has(above.label)) {
    return scoreByLabel(above, 'heading')
  }
  if (above?.label === 'source' && isUnderTitle) return scoreByLabel(above, 'heading')
  const why = `label “${word}”`
  const reason = { points: CALLED_ADDRESS, why, rule: 'called-address', words: word }
  return { role: above?.label === 'source' ? 'source' : 'unnamed', reasons: [reason] }
}

function readWordsAbove(
  { labelsAbove, overhead }: Occurrence,
  above: FoundLabel | undefined,
): RoleScore {
  if (namesSubject(labelsAbove, overhead)) return subjectOf(overhead)
  if (findDirection(overhead.replace(/[\s:]*$/, ' ')) === 'from') {
    const why = 'things came from what is listed'
    const words = tailOf(overhead)
    const reason = { points: DIRECTED, why, rule: 'list-of-sources', words }
    return { role: 'source', reasons: [reason] }
  }
  return above === undefined ? { role: 'unnamed', reasons: [] } : scoreByLabel(above, 'heading')
}

/**
 * `Our server is attacked. These are yours:`: the sentence with the colon is about what is listed,
 * not the one before it.
 */
function isOfEarlierSentence({ label, end }: FoundLabel, text: string): boolean {
  if (label !== 'target' && label !== 'infrastructure') return false
  return /[:：]\s*$/.test(text) && /[.!?]\s+\p{Lu}/u.test(text.slice(end))
}

const TITLES = new Set<Label>(['target', 'infrastructure'])

/** `words`: null for an arrow. */
function scoreByDirection(direction: 'from' | 'to', words: string | null): RoleScore {
  const why = `things went ${direction} it${words === null ? ', says an arrow' : ''}`
  const said = words === null ? { why, rule: 'arrow' } : { why, rule: 'from-or-to', words }
  return direction === 'from'
    ? { role: 'source', reasons: [{ points: DIRECTED, ...said }] }
    : { role: 'target', reasons: [{ points: AGAINST, ...said }] }
}

// The words that decide stand at the end of what leads to the address.
const TAIL_LENGTH = 60

function tailOf(text: string): string {
  return text.trim().slice(-TAIL_LENGTH).trim()
}

/**
 * The label stands between the preposition and the address, or behind: `from our server
 * 198.51.100.1`, `by your host 192.0.2.1`, `from 198.51.100.1, our test host`.
 */
function isBehindDirection(last: FoundLabel, { beside }: Occurrence): boolean {
  return findDirection(`${beside.slice(last.at)} `) === null
}

function subjectOf(text: string): RoleScore {
  const why = 'the words before say what it did to somebody'
  const words = tailOf(text)
  return { role: 'source', reasons: [{ points: STRONG, why, rule: 'subject-of-sentence', words }] }
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

// `not from 192.0.2.1 as we wrote`, `Not affected: 192.0.2.1`, `please do not block 192.0.2.1`.
const EXCLUDED = new RegExp(
  `(?<!\\p{L})${sourceOf('address.excluded', { text: 'as written' })}[\\s:"'(]{1,4}$`,
  'iu',
)

function isExcluded({ line, column }: Occurrence): boolean {
  return EXCLUDED.test(line.clean.slice(Math.max(0, column - 60), column))
}

// `You can test with …`, `Sie können das von 192.0.2.1 aus prüfen`: to the end of the sentence an
// address is where to look from, or one to ask.
const INSTRUCTION = new RegExp(
  `(?<!\\p{L})${sourceOf('address.how-to', { text: 'as written' })}(?!\\p{L})`,
  'iu',
)

function isInInstruction({ line, column }: Occurrence): boolean {
  const left = line.clean.slice(Math.max(0, column - 160), column)
  return INSTRUCTION.test(left.split(/[.!?]\s/).at(-1) ?? left)
}

// Output of tools: the way to a host, who was asked for a name, and who refused a mail. A rule of a
// firewall is an example.
const HOP = /^[\s>|]{0,8}\d{1,2}[.:]?\s{1,6}.{0,120}?\d{1,5}(?:\.\d{1,4})? ?ms\b/
const ASKED = /^[\s>|]{0,8};.{0,200}(?:\bSERVER: ?|@)$|^[\s>|]{0,8}Server:\s{1,12}$/
// `$ dig host.example @192.0.2.1`, `$ nslookup host.example 192.0.2.1`: behind a prompt of a shell
// its answer follows; without one it tells how to test a server that is reported itself.
const RESOLVER =
  /^[\s>|]{0,8}[$#%] ?(?:(?:dig|kdig|drill|delv)\s[^@]{0,200}@|(?:host|nslookup)\s(?:-\S{1,30}\s){0,4}[\w.-]{1,253}\.[a-z][\w-]{1,62}\.? {1,4})$/i
const RULE =
  /\b(?:deny|permit|allow|drop|block|reject|pass)\s{1,4}(?:(?:in|out|log|quick|ip|tcp|udp|icmp|any|inet6?|proto|host|source|from)\s{1,4}){0,5}(?:from|source|host)\s{1,4}$|\b(?:iptables|ip6tables|ufw|nft|route)\s[^"'`]{0,80}$/i
// `(host mx.example.org[192.0.2.1] said: 550 …`
const REFUSES = /^\]?(?::\d{1,5})? said: [45]\d\d\b/
const TRACED = /^[\s>|]{0,8}(?:traceroute|tracert|mtr|tracepath)\b.{0,80}$/i

function findMachineLine({ line, column, end, port, context }: Occurrence): string | null {
  const left = line.clean.slice(Math.max(0, column - 240), column)
  if (HOP.test(line.clean.slice(0, 240))) return 'a hop of a traceroute'
  if (RESOLVER.test(left)) return 'the server asked for names'
  const isAsked = ASKED.test(left) && (left.includes(';') || port === 53)
  if (isAsked || line.clean.slice(column, end).endsWith('#53')) return 'the server asked for names'
  if (REFUSES.test(line.clean.slice(end, end + 20))) return 'a mail server that refused a mail'
  return context !== 'log' && RULE.test(left) ? 'part of a rule of a firewall' : null
}

function isTraced({ line, column }: Occurrence): boolean {
  return column <= 100 && TRACED.test(line.clean.slice(0, column))
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

function scoreByLabel({ label, word }: FoundLabel, what: LabelRule): RoleScore {
  const said = { why: `${what} “${word}”`, rule: LABEL_RULES[what], words: word }
  switch (label) {
    case 'source':
      return { role: 'source', reasons: [{ points: NAMED, ...said }] }
    case 'target':
      return { role: 'target', reasons: [{ points: AGAINST, ...said }] }
    case 'infrastructure':
      return { role: 'infrastructure', reasons: [{ points: AGAINST, ...said }] }
    case 'controller':
      // Reported only where no source is: the bots speak to it.
      return { role: 'controller', reasons: [{ points: CONTROLLER, ...said }] }
    case 'address':
    case 'reported':
    case 'legitimate':
    case 'evidence':
      return { role: 'unnamed', reasons: [{ points: CALLED_ADDRESS, ...said }] }
  }
}
