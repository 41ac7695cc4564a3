// Parts what the author of an answer wrote from the mail that he quotes.

export interface PartedText {
  readonly own: string
  readonly quoted: string
}

const QUOTE = /^\s{0,3}>/
// `On 1 May 2026, Ann wrote:`, in the languages of mail programs, on one line or on two.
const WROTE =
  /(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal\(?a?\)?|napisał\(?a?\)?|kirjoitti|írta|пишет|написал\(?а?\)?)\s?[^:\n]{0,200}:\s{0,3}$/i
const ORIGINAL =
  /^\s{0,3}[-_]{2,}\s{0,3}(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|forwarded message|weitergeleitete nachricht)\s{0,3}[-_]{2,}/i
const RULE = /^_{10,}\s{0,3}$/
// The head of a quoted mail as Outlook writes it.
const HEAD = /^\s{0,3}\*?(?:from|von|de|da|van|från|fra|od|от)\s?:\*?\s\S/i
const HEAD_NEXT =
  /^\s{0,3}\*?(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|to|an|à|para|a|aan|skickat|sendt|wysłano|отправлено)\s?:\*?\s/i
const HEAD_LINES = 3
// A line of `wrote:` may be wrapped.
const WRAPPED_LINES = 3

export function splitQuote(lines: readonly string[]): PartedText {
  const firstQuote = lines.findIndex((line) => QUOTE.test(line))
  const head = lines.findIndex((_, at) => isHead(lines, at))
  if (head >= 0 && (firstQuote < 0 || head < firstQuote)) {
    return join(lines.slice(0, head), lines.slice(head))
  }
  if (firstQuote < 0) return splitUnmarked(lines)
  const begin = findIntroduction(lines, firstQuote)
  const lastQuote = lines.findLastIndex((line) => QUOTE.test(line))
  const between = lines.slice(firstQuote, lastQuote + 1)
  const isMixed = between.some((line) => !QUOTE.test(line) && line.trim() !== '')
  // Remarks between the lines of a quote mean nothing without them.
  if (isMixed) return join(lines, [])
  return join(
    [...lines.slice(0, begin), ...lines.slice(lastQuote + 1)],
    lines.slice(begin, lastQuote + 1),
  )
}

function join(own: readonly string[], quoted: readonly string[]): PartedText {
  return { own: own.join('\n').trim(), quoted: quoted.join('\n').trim() }
}

function isHead(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (ORIGINAL.test(line)) return true
  if (RULE.test(line)) return HEAD.test(nextText(lines, at + 1))
  return (
    HEAD.test(line) && lines.slice(at + 1, at + 1 + HEAD_LINES).some((next) => HEAD_NEXT.test(next))
  )
}

function nextText(lines: readonly string[], from: number): string {
  return lines.slice(from, from + 2).find((line) => line.trim() !== '') ?? ''
}

/** Where the line that introduces the quote begins; the quote itself when there is none. */
function findIntroduction(lines: readonly string[], quote: number): number {
  let end = quote - 1
  while (end >= 0 && (lines[end] ?? '').trim() === '') end -= 1
  if (!WROTE.test(lines[end] ?? '')) return quote
  let begin = end
  while (begin > 0 && end - begin < WRAPPED_LINES - 1 && (lines[begin - 1] ?? '').trim() !== '') {
    begin -= 1
  }
  // A wrapped introduction stands alone; lines of the author above it are not part of it.
  const isAlone = begin === 0 || (lines[begin - 1] ?? '').trim() === ''
  return isAlone ? begin : end
}

// Some programs quote without marks.
function splitUnmarked(lines: readonly string[]): PartedText {
  const at = lines.findIndex((line) => WROTE.test(line) && /\d{4}|@/.test(line))
  return at <= 0 ? join(lines, []) : join(lines.slice(0, at), lines.slice(at))
}
