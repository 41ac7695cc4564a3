// What the surroundings of an address or link in its line say about it.

import { sourceOf } from '../../words/compile-words.ts'
import { askOnce } from '../ask-once.ts'
import { isAccessLog, isLogLine } from '../lines/log-line.ts'
import type { Spotted } from '../lines/scan-line.ts'
import type { TextLine } from '../lines/text-lines.ts'
import type { Above } from './above.ts'
import { type FoundLabel, findDirection, findLabelBehind, findLabels } from './find-label.ts'
import { countWords, shapeOf } from './line-shape.ts'
import { isRow } from './list-row.ts'
import type { Occurrence } from './occurrence.ts'
import { findColumn, findFieldName } from './table-heads.ts'
import { findOwner, isSeenBy } from './whose-side.ts'

export interface Described {
  readonly occurrence: Occurrence
  /** The next of an enumeration: it is what the one before is. */
  readonly isNext: boolean
}

/** What holds for a whole line. */
interface LineView {
  readonly line: TextLine
  readonly spotted: readonly Spotted[]
  readonly above: Above
  /** Of the line before, where a sentence runs on from it. */
  readonly tail: string
  readonly isLog: boolean
  readonly isList: boolean
  readonly isWordless: boolean
  /** Asked for only where no label says more. */
  readonly shape: () => string
}

const LIST_WORDS_MAX = 3

/** What is said of each that was found in the line; null for what is told by the one before. */
export function describeLine(
  line: TextLine,
  spotted: readonly Spotted[],
  above: Above,
  tail: string,
): readonly (Described | null)[] {
  const rest = restOf(line.clean, spotted)
  const words = countWords(rest)
  const isRemarked = isRow(line.clean, spotted)
  const view: LineView = {
    line,
    spotted,
    above,
    tail,
    isLog: line.kind !== 'subject' && isLogLine(line.clean),
    isList: words <= LIST_WORDS_MAX || isRemarked,
    isWordless: words === 0,
    // The remarks of a list differ.
    shape: isRemarked && spotted.length === 1 ? () => 'row' : askOnce(() => shapeOf(rest)),
  }
  const described: (Described | null)[] = []
  let previous: Occurrence | undefined
  for (let at = 0; at < spotted.length; at += 1) {
    const one = describeOne(view, at, previous)
    described.push(one)
    previous = one?.occurrence ?? previous
  }
  return described
}

function describeOne(
  view: LineView,
  at: number,
  previous: Occurrence | undefined,
): Described | null {
  const { line, spotted, above, isLog, isList, shape } = view
  const each = spotted[at]
  if (each === undefined) return null
  const before = spotted[at - 1]
  const own = line.clean.slice(before?.end ?? 0, each.column)
  const left = leftOf(view, at)
  if (isLinkBehindText(each, before, left)) {
    const isPage = previous !== undefined && isSameHost(each, before)
    return isPage ? { occurrence: { ...previous, ...each }, isNext: true } : null
  }
  const right = line.clean.slice(each.end, spotted[at + 1]?.column ?? each.end + 80)
  const pointed = readArrow(view, at, left, right)
  // An arrow splits its row: it is no column, and the columns are not those of the heads.
  const table = pointed === null ? above.table : null
  const column = table === null ? null : findColumn(table, line.clean, each.column)
  const head = column === null ? undefined : table?.heads[column]
  const found = {
    ...each,
    line,
    context: contextOf(line, isLog, head !== undefined, isList),
    isDefanged: isDefanged(line, each),
    isAlone: spotted.length === 1 && view.isWordless,
  }
  const isNext = head === undefined && previous?.kind === each.kind && AND.test(own)
  if (isNext) return { occurrence: { ...previous, ...found }, isNext: true }
  const beside = besideOf(left).slice(-LABEL_TEXT_MAX)
  const behind = findLabelBehind(right).map((label) => shiftBehind(label, beside.length))
  // `Malicious traffic between 192.0.2.1 and 192.0.2.2` says the same of both.
  const said = BETWEEN.test(left) ? behind : [...above.labelsOf(beside), ...behind]
  const labels = said.length > 0 || isLog ? said : findOwner(line.clean, each, beside.length)
  const isUnderHeading = isList && above.heading !== null && above.heading.line !== line
  const heading = isUnderHeading ? (above.heading?.text ?? '') : ''
  const sort = sortOf(each)
  const nth = `${sort} ${spotted.slice(0, at).filter((one) => sortOf(one) === sort).length}`
  const overhead = (head ?? heading).slice(0, LABEL_TEXT_MAX)
  const occurrence: Occurrence = {
    ...found,
    beside,
    labels,
    isNamed: /[:：=|]\s*["'<([]{0,2}\s*$/.test(left),
    overhead,
    labelsAbove: above.labelsOf(overhead),
    isUnderTitle: head === undefined && isUnderHeading && above.heading?.isTitle === true,
    holder: findHolder(line, spotted, at),
    direction: pointed ?? readDirection(view, at, left),
    isPointed: pointed !== null,
    group: groupOf({ line, shape, at, nth, column, labels, beside, above, heading }),
  }
  return { occurrence, isNext: false }
}

const BETWEEN = new RegExp(
  `(?<!\\p{L})${sourceOf('direction.between', { text: 'as written' })}[^.:;\\d]{0,25}$`,
  'iu',
)

/** What stands behind is nearer than every word before. */
function shiftBehind(label: FoundLabel, by: number): FoundLabel {
  return { ...label, at: label.at + by, end: label.end + by }
}

const OPENED = /^\s?[([]{1,2}\s?(?:ip:?\s)?$/i
// The words of its own say more: of the line before only the last few.
const RUN_ON_LENGTH = 40
// The line goes on in the middle of a sentence.
const GOES_ON = /^\s*\p{Ll}[^:：|=]*$/u

/**
 * What stands before it and belongs to it. An address in brackets behind a host is what the words
 * before the host say.
 */
function leftOf({ line, spotted, tail }: LineView, at: number): string {
  const isHeld = isBracketed(line, spotted, at - 1)
  const first = isHeld ? at - 1 : at
  const from = spotted[first - 1]?.end ?? 0
  const own = line.clean.slice(from, spotted[first]?.column ?? 0)
  if (first > 0) return own
  if (!/[\p{L}\d]/u.test(own)) return `${tail}${own}`
  return GOES_ON.test(own) ? `${tail.slice(-RUN_ON_LENGTH)}${own}` : own
}

/** Whether the next one stands in brackets behind this host: `mail.example.org [192.0.2.1]`. */
function isBracketed(line: TextLine, spotted: readonly Spotted[], at: number): boolean {
  const [one, next] = [spotted[at], spotted[at + 1]]
  if (one === undefined || next === undefined || next.kind !== 'ip') return false
  const isHost = one.kind === 'host' || one.kind === 'url'
  return isHost && OPENED.test(line.clean.slice(one.end, next.column))
}

/** The host beside an address, one of the two in brackets. */
export function findHolder(line: TextLine, spotted: readonly Spotted[], at: number): string | null {
  const [before, each, next] = [spotted[at - 1], spotted[at], spotted[at + 1]]
  if (each?.kind !== 'ip') return null
  if (before !== undefined && isBracketed(line, spotted, at - 1)) {
    return before.host ?? before.value
  }
  const isBehind = next?.kind === 'host' && OPENED.test(line.clean.slice(each.end, next.column))
  return isBehind ? next.value : null
}

// `192.0.2.1, 192.0.2.2 and 192.0.2.3`: what is said of the first is said of all. A comma alone may
// part the columns of a row.
const WRITTEN = { text: 'as written' } as const
const AND_WORDS = sourceOf('and', WRITTEN)
const AND = new RegExp(
  `^["'>)\\]]{0,3}\\s{0,3}(?:[,;&/+] {1,3}|,? ?${AND_WORDS} |[、，])["'<([]{0,3}$`,
  'iu',
)

// As far as labels are looked for.
const LABEL_TEXT_MAX = 160

function contextOf(
  line: TextLine,
  isLog: boolean,
  isTable: boolean,
  isList: boolean,
): Occurrence['context'] {
  if (line.kind === 'subject') return 'subject'
  if (isTable) return 'table'
  if (isLog || line.kind === 'attachment') return 'log'
  return isList ? 'list' : 'prose'
}

/**
 * `click here <https://…>`: when the text is itself a link, it is that one, and the other is where
 * a gateway leads it.
 */
function isLinkBehindText(each: Spotted, before: Spotted | undefined, left: string): boolean {
  const isText = before !== undefined && (before.kind === 'url' || before.kind === 'host')
  return isText && each.kind === 'url' && /^\s?<$/.test(left)
}

/** `shop.example<https://shop.example/login>`: the page is what the words before its host say. */
function isSameHost({ host }: Spotted, before: Spotted | undefined): boolean {
  const isBare = before?.kind === 'host'
  return isBare && host?.replace(/^www\./, '') === before.value.replace(/^www\./, '')
}

/** Written so that nobody opens it by accident. */
export function isDefanged({ raw }: TextLine, each: Spotted): boolean {
  return !raw.includes(plainStart(each))
}

// The dot of a host or address is what reporters replace; the scheme of a link as well.
function plainStart({ kind, text, host }: Spotted): string {
  if (kind !== 'url') return text
  const scheme = /^[a-z]+:\/\//i.exec(text)?.[0] ?? ''
  return `${scheme}${host === null ? '' : text.slice(scheme.length).split(/[/?#:]/, 1)[0]}`
}

/** Of a row of two cells the name of its field, where the words of the second say nothing. */
function besideOf(left: string): string {
  const key = KEY_OF_ROW.exec(left.slice(-200))?.[1]
  if (key !== undefined) return key
  const clause = clauseOf(left)
  if (!left.includes('|') || findLabels(clause).length > 0) return clause
  return findFieldName(left) ?? clause
}

// `… devname="FG100" dstip=192.0.2.1`: of fields with their values each key is about its own value.
const KEY_OF_ROW = /\w=[^\s=]{1,80}[^=]{0,40}[\s,;]["']?([\w.-]{2,40})["']?=["'[]{0,2}$/

/** The words that belong to what follows them: since the last sentence or comma. */
function clauseOf(left: string): string {
  const text = left.slice(-200).replace(/[\s|:：=\-–>([{<"'*•]+$/, '')
  return text.split(/[;,。、|]|[.!?](?=\s)|\]\s/).at(-1) ?? ''
}

// Between two addresses with their ports: `192.0.2.1 59547 -> 198.51.100.1 22`.
const ARROW = '-{1,2}>|={1,2}>|→|⇒|➔|>'
const BACK = '<-{1,2}|<={1,2}|←|⇐|<'
const PORT = String.raw`(?:[:.#/]\d{1,5}|\s{1,12}\d{1,5}|\s{0,3}[[(]\d{1,5}[\])])?[\])"']{0,2}(?:\s{1,6}[A-Za-z]{2,5})?`
const ARROW_BETWEEN = new RegExp(`^${PORT}\\s{0,12}(?:(${ARROW})|(${BACK}))\\s{0,12}[[("']{0,2}$`)
const ARROW_TO_TEXT = /^(?:[:.#]\d{1,5}|\/\d{1,5})?\)?\s{0,6}(?:-{1,2}>|=>|→|>|⇒)\s{0,6}\[?\S/
const ARROW_FROM_TEXT = /(?:-{1,2}>|=>|→|\s>|⇒)\s{0,6}\[?$/

/** The direction that an arrow beside an address gives; null without one. */
function readArrow(
  { line, spotted }: LineView,
  at: number,
  left: string,
  right: string,
): Occurrence['direction'] {
  const [before, each, next] = [spotted[at - 1], spotted[at], spotted[at + 1]]
  if (each === undefined || !isAddress(each)) return null
  if (before !== undefined && isAddress(before)) {
    const [, forward, back] = ARROW_BETWEEN.exec(line.clean.slice(before.end, each.column)) ?? []
    if (forward !== undefined) return 'to'
    if (back !== undefined) return 'from'
  }
  if (next !== undefined && isAddress(next)) {
    const [, forward, back] = ARROW_BETWEEN.exec(right) ?? []
    if (forward !== undefined) return 'from'
    if (back !== undefined) return 'to'
    return null
  }
  if (at > 0 && ARROW_FROM_TEXT.test(left)) return 'to'
  return ARROW_TO_TEXT.test(right) && /\d|:/.test(line.clean.slice(each.end)) ? 'from' : null
}

function isAddress({ kind }: Spotted): boolean {
  return kind === 'ip' || kind === 'range'
}

// `belongs to`, `with regard to` and the like lead to no target.
const NO_TARGET = new RegExp(
  `\\b${sourceOf('no-target', WRITTEN)}\\w{0,8} ${sourceOf('no-target.to', WRITTEN)}\\b[^.]{0,40}$`,
  'i',
)

function readDirection(
  { line, spotted, isLog }: LineView,
  at: number,
  left: string,
): Occurrence['direction'] {
  const each = spotted[at]
  if (each === undefined) return null
  if (isLog && at === 0 && isAddress(each) && isAccessLog(line.clean) && each.column < 60) {
    return 'from'
  }
  const direction = findDirection(left)
  if (LOG_OF.test(left.slice(-100))) return 'to'
  if (direction === 'from' && isSeenBy(left)) return 'to'
  return direction === 'to' && NO_TARGET.test(left.slice(-80)) ? null : direction
}

// `Logs are from 192.0.2.1` names who wrote them down.
const LOG_OF = new RegExp(`(?<!\\p{L})${sourceOf('log-of', WRITTEN)}[^.:;\\d]{0,25}$`, 'iu')

// In a list of sites some are bare hosts and some are links.
function sortOf({ kind }: Spotted): Spotted['kind'] {
  return kind === 'host' ? 'url' : kind
}

interface GroupInput {
  readonly line: TextLine
  readonly shape: () => string
  readonly at: number
  /** Its kind, and how many of that stand before it in the line. */
  readonly nth: string
  readonly column: number | null
  readonly labels: readonly FoundLabel[]
  readonly beside: string
  readonly above: Above
  readonly heading: string
}

function groupOf({
  line,
  shape,
  at,
  nth,
  column,
  labels,
  beside,
  above,
  heading,
}: GroupInput): string {
  if (column !== null) return `table ${above.table?.index ?? 0} ${column}`
  if (labels.length > 0) {
    const words = beside.slice(-40).toLowerCase()
    // `Address: …` below `Attacker` is another one than below `Victim`.
    const title = above.heading?.isTitle === true ? above.labelsOf(heading).at(0)?.label : undefined
    return `label ${words.replaceAll(/[^\p{L}]+/gu, ' ')}${title ?? ''}`
  }
  // What ends with a colon announces a list, whatever its lines look like.
  const isList = /:\s*$/.test(heading)
  if (heading !== '') {
    return `under ${above.heading?.line.index ?? 0} ${isList ? '' : shape()} ${nth}`
  }
  return `like ${line.kind} ${shape()} ${at}`
}

// Whether a line is a row of a list shows within these characters.
const REST_LENGTH_MAX = 400

/** The line with a mark such as `<ip>` in place of each that was found (line-shape.ts). */
function restOf(text: string, spotted: readonly Spotted[]): string {
  let rest = ''
  let from = 0
  for (const { column, end, kind } of spotted) {
    rest += `${text.slice(from, column)}<${kind === 'host' ? 'url' : kind}>`
    from = end
  }
  return (rest + text.slice(from)).slice(0, REST_LENGTH_MAX)
}
