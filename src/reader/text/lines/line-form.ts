// Lines that differ in numbers only have the same form. A report is often a log of thousands of
// them, and what a pattern says about one it says about all, so it is asked once for each form.

import type { ReadableText } from '../../mail/mail.ts'
import { bitsOf } from './line-gate.ts'

const LINE_FEED = 0x0a
const ZERO = 0x30
const NINE = 0x39
// A number of this many digits may be a time, which its first digit tells.
const TIME_DIGITS = 10

/**
 * What a line is without its numbers. Lines of a text that are alike share one, so that answers can
 * be kept by it.
 */
export class Form {
  readonly text: string
  #bits: number | null = null

  constructor(text: string) {
    this.text = text
  }

  /** False when the pattern of that bit (`reserveBit`) does not match the form. */
  mayHold(bit: number): boolean {
    this.#bits ??= bitsOf(this.text)
    return (this.#bits & bit) !== 0
  }
}

export const EMPTY_FORM = new Form('')

/**
 * The lines with every digit as 0, so that columns stay, but for the digits behind a letter (`c2`,
 * `ipv6`, `ssh2`) and the first one of a long number.
 */
export function listForms(lines: readonly string[]): readonly Form[] {
  const known = new Map([['', EMPTY_FORM]])
  return maskLines(lines).map((text) => {
    const form = known.get(text) ?? new Form(text)
    known.set(text, form)
    return form
  })
}

function maskLines(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n')
  // Bytes are masked faster than a string, and most texts have one for each character.
  const codes = isLatin1(text) ? new Uint8Array(text.length) : new Uint16Array(text.length)
  const encoding = codes.BYTES_PER_ELEMENT === 1 ? 'latin1' : 'utf16le'
  const bytes = Buffer.from(codes.buffer)
  bytes.write(text, encoding)
  maskDigits(codes)
  const forms = bytes.toString(encoding).split('\n')
  // A line that holds a line feed would shift all behind it.
  return forms.length === Math.max(1, lines.length) ? forms.slice(0, lines.length) : lines
}

function isLatin1(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text)
}

function maskDigits(codes: Uint8Array | Uint16Array): void {
  let before = LINE_FEED
  let first = 0
  let length = 0
  let isKept = false
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code < ZERO || code > NINE) {
      before = code
      length = 0
      continue
    }
    if (length === 0) {
      first = code
      isKept = isLetterCode(before)
    }
    length += 1
    if (isKept) continue
    codes[at] = ZERO
    if (length === TIME_DIGITS) codes[at + 1 - TIME_DIGITS] = first
  }
}

// What is no letter beyond ASCII keeps the digits behind it as well, which does no harm.
function isLetterCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code >= 0x80
}

/** A text whose lines were outlined before. */
export interface OutlinedText extends ReadableText {
  readonly forms?: readonly Form[]
}

export function formsOf({ lines, forms }: OutlinedText): readonly Form[] {
  return forms ?? listForms(lines)
}

/**
 * Gives the answer for a line by its form; `ask` is a question whose answer no digit changes that a
 * form leaves out.
 */
export function askForms<Answer>(ask: (line: string, form: Form) => Answer): AskForm<Answer> {
  return askOnce((form) => ask(form.text, form))
}

type AskForm<Answer> = (form: Form) => Answer

/** Asks once for each key. */
export function askOnce<Key, Answer>(ask: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new Map<Key, Answer>()
  return (key) => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = ask(key)
    answers.set(key, answer)
    return answer
  }
}

/**
 * The pattern with any digit in place of those it names, for forms: it matches the form of every
 * line that the pattern matches. Not for patterns that refuse a digit by a look-ahead or
 * look-behind.
 */
export function relaxDigits({ source, flags }: RegExp): RegExp {
  const relaxed = source.replaceAll(
    /\{[\d,]+\}|\\u[\da-f]{4}|\\.|\[(?:\\.|[^\]\\])*\]|\d/gi,
    (piece: string): string => {
      if (piece.startsWith('[')) return namesDigit(piece) ? `${piece.slice(0, -1)}\\d]` : piece
      return /^\d$/.test(piece) ? '\\d' : piece
    },
  )
  return new RegExp(relaxed, flags.replace('g', ''))
}

function namesDigit(characters: string): boolean {
  return /\d/.test(characters.replaceAll(/\\u[\da-f]{4}|\\./gi, ''))
}
