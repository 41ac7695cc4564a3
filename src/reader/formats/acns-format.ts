// Finds ACNS notices wherever a mail carries them: between markers in the text, unmarked, in
// PGP-signed text, attached, several in one.

import type { MailFormat, MailReport } from '../mail-format.ts'
import type { ReportResult } from '../reading.ts'
import { type AcnsNotice, readAcnsNotice } from './acns-notice.ts'
import { buildResult } from './machine-report.ts'
import { namePart, readPartText } from './part-text.ts'
import { findChild, parseXmlTree } from './xml-tree.ts'

const FORMAT = 'acns'

// The largest bundles have some hundred notices.
const NOTICES_MAX = 1_000

export const ACNS_FORMAT: MailFormat = { name: FORMAT, read: readAcns }

function readAcns(report: MailReport): ReportResult | null {
  const found = findNotices(report)
  if (found === null) {
    const reason = `The report has more than ${NOTICES_MAX} copyright notices, or one that is too large or nests too deep to be read.`
    return { kind: 'unreadable', reason }
  }
  if (found.length === 0) return null
  const [first] = found
  const drafts = found.flatMap((notice) => notice.drafts)
  return buildResult(
    {
      format: FORMAT,
      reportId: found.length === 1 ? (first?.caseId?.slice(0, 200) ?? null) : null,
      reporter: first?.complainant ?? null,
      drafts,
      // What was not read first: more are not kept than a person reads.
      passedOver: found
        .flatMap((notice) => notice.passedOver)
        .toSorted((left, right) => Number(left.field !== '') - Number(right.field !== '')),
      emptyReason: explainNothing(found),
    },
    report,
  )
}

function explainNothing(notices: readonly AcnsNotice[]): string {
  const passedOver = notices.flatMap((notice) => notice.passedOver)
  const reason = passedOver.find(({ field }) => field !== '')?.reason
  return reason ?? 'The copyright notice names no source, so nobody is accused.'
}

interface Place {
  readonly part: string
  readonly lineBefore: number
}

/** Each notice once, however often the mail repeats it; null when there is too much. */
function findNotices(report: MailReport): readonly AcnsNotice[] | null {
  const notices = new Map<string, AcnsNotice>()
  for (const { part, text } of listTexts(report)) {
    const spans = listSpans(text)
    if (spans.length > NOTICES_MAX) return null
    for (const span of spans) {
      const read = readSpan(span, { part, lineBefore: span.lineBefore })
      if (read === null) return null
      for (const notice of read) {
        const key = identify(notice)
        if (!notices.has(key)) notices.set(key, notice)
      }
    }
    if (notices.size > NOTICES_MAX) return null
  }
  return [...notices.values()]
}

// The same notice often comes in the text and attached. Without a case its address and time tell it
// apart.
function identify(notice: AcnsNotice): string {
  const sources = notice.drafts.map((draft) => `${draft.ip} ${draft.url} ${draft.atMs}`)
  return JSON.stringify([notice.caseId, sources])
}

interface NamedText {
  readonly part: string
  readonly text: string
}

// Readable texts come first: there armour and HTML are undone. The parts themselves are for XML
// that came as a file, and for tags that stand in HTML as if they were its own.
function* listTexts({ texts, mail }: MailReport): Generator<NamedText> {
  for (const { part, lines } of texts) {
    const text = lines.join('\n')
    if (START.test(text)) yield { part, text: unquote(text) }
  }
  for (const part of mail.parts) {
    const text = readPartText(part)
    if (text !== null && START.test(text)) yield { part: namePart(part), text: unquote(text) }
  }
}

const START = /<(?:\w{1,40}:)?Infringement[\s>]/i

// Forwarded text bears "> " before each line.
function unquote(text: string): string {
  return /^>[ >]*<(?:\w{1,40}:)?Infringement[\s>]/im.test(text)
    ? text.replaceAll(/^>[> ]*/gm, '')
    : text
}

interface Span {
  readonly text: string
  readonly lineBefore: number
}

const STARTS = /<(?:\w{1,40}:)?Infringement[\s>]/gi
const END = /<\/(?:\w{1,40}:)?Infringement\s{0,20}>|^-{1,5}[ -]{0,10}End ACNS XML/im

/**
 * From one start tag to its end tag; a notice that was cut off reaches to the next one or to the
 * end.
 */
function listSpans(text: string): readonly Span[] {
  const starts = [...text.matchAll(STARTS)].map((match) => match.index)
  let newline = text.indexOf('\n')
  let lines = 0
  return starts.slice(0, NOTICES_MAX + 1).map((start, index) => {
    while (newline !== -1 && newline < start) {
      lines += 1
      newline = text.indexOf('\n', newline + 1)
    }
    const reach = text.slice(start, starts[index + 1] ?? text.length)
    const end = END.exec(reach)
    return { text: end === null ? reach : reach.slice(0, end.index), lineBefore: lines }
  })
}

function readSpan(span: Span, place: Place): readonly AcnsNotice[] | null {
  const xml = parseXmlTree(span.text)
  if (xml.kind === 'too_large') return null
  const root = findChild(xml.root, 'infringement')
  if (root === null) return []
  const isNotice = ['case', 'source', 'complainant'].some((name) => findChild(root, name) !== null)
  if (!isNotice) return []
  return [readAcnsNotice(root, place)]
}
