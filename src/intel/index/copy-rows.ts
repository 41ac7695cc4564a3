// Reads the text format of COPY for facts: subject, two times, a third number, then the columns of
// the origin. The origin's columns repeat in nearly every row, so they are decoded once per
// combination and not once per row.

import type { Subject } from '../../values/range.ts'

export type TakeFact = (subject: Subject, first: number, last: number, extra: number) => void

const NEWLINE = 10
const TAB = '\t'
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

export class CopyRows {
  readonly #openOrigin: (origin: readonly string[]) => TakeFact
  readonly #parseSubject: (text: string) => Subject
  readonly #origins = new Map<string, TakeFact>()
  #rest: Buffer = Buffer.alloc(0)

  /**
   * `openOrigin` is called once per combination of origin columns and gives what takes its facts.
   */
  constructor(
    openOrigin: (origin: readonly string[]) => TakeFact,
    parseSubject: (text: string) => Subject,
  ) {
    this.#openOrigin = openOrigin
    this.#parseSubject = parseSubject
  }

  /** Takes bytes as they come; a row may be cut anywhere. */
  write(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    // A newline inside a value is written as an escape, so a newline byte always ends a row.
    const end = bytes.lastIndexOf(NEWLINE) + 1
    this.#rest = bytes.subarray(end)
    if (end === 0) return
    const text = bytes.toString('utf8', 0, end)
    for (let at = 0; at < text.length; ) at = this.#readRow(text, at)
  }

  #readRow(text: string, start: number): number {
    const end = text.indexOf('\n', start)
    const afterSubject = text.indexOf(TAB, start)
    const afterFirst = text.indexOf(TAB, afterSubject + 1)
    const afterLast = text.indexOf(TAB, afterFirst + 1)
    const afterExtra = text.indexOf(TAB, afterLast + 1)
    const take = this.#takeFor(text.slice(afterExtra + 1, end))
    take(
      this.#parseSubject(text.slice(start, afterSubject)),
      Number(text.slice(afterSubject + 1, afterFirst)),
      Number(text.slice(afterFirst + 1, afterLast)),
      Number(text.slice(afterLast + 1, afterExtra)),
    )
    return end + 1
  }

  #takeFor(origin: string): TakeFact {
    const known = this.#origins.get(origin)
    if (known !== undefined) return known
    const take = this.#openOrigin(origin.split(TAB).map(unescapeCopy))
    this.#origins.set(origin, take)
    return take
  }
}

// The columns read here are never null, so the mark for null does not occur.
function unescapeCopy(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
}
