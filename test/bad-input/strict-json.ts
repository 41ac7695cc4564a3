// RFC 8259 read by its grammar, over UTF-8 that has to be valid: the yardstick for what the service
// takes as JSON. It shares nothing with the parser of the service, and any depth is read.

interface Container {
  readonly list: unknown[] | null
  readonly members: Map<string, unknown>
  name: string
}

const SPACE = /[ \t\n\r]*/y
// oxlint-disable-next-line eslint/no-control-regex -- they are what is looked for
const STRING = /"(?:[^"\\\u0000-\u001F]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** The value of the bytes; null when they are no JSON text. One byte order mark may come first. */
export function readStrictly(bytes: Buffer): { readonly value: unknown } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // Section 8.1: a reader may ignore the mark.
    return new Reader(text.startsWith('\uFEFF') ? text.slice(1) : text).readDocument()
  } catch {
    return null
  }
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readDocument(): { readonly value: unknown } | null {
    const open: Container[] = []
    for (;;) {
      const begun = this.#beginValue()
      if (begun === null) return null
      if (begun.kind === 'container') {
        open.push(begun.container)
        continue
      }
      const ended = this.#endValues(open, begun.value)
      if (ended === 'next value') continue
      return ended
    }
  }

  /** A whole value, or the beginning of a list or an object that is not empty. */
  #beginValue():
    | { readonly kind: 'value'; readonly value: unknown }
    | { readonly kind: 'container'; readonly container: Container }
    | null {
    this.#match(SPACE)
    if (this.#take('[')) {
      this.#match(SPACE)
      if (this.#take(']')) return { kind: 'value', value: [] }
      return { kind: 'container', container: { list: [], members: new Map(), name: '' } }
    }
    if (this.#take('{')) {
      this.#match(SPACE)
      if (this.#take('}')) return { kind: 'value', value: {} }
      const name = this.#readName()
      if (name === null) return null
      return { kind: 'container', container: { list: null, members: new Map(), name } }
    }
    return this.#readScalar()
  }

  /** Puts a value into what it ends, as far outwards as brackets close. */
  #endValues(open: Container[], first: unknown): 'next value' | { readonly value: unknown } | null {
    let value = first
    for (;;) {
      this.#match(SPACE)
      const top = open.at(-1)
      if (top === undefined) return this.#at === this.#text.length ? { value } : null
      if (top.list === null) top.members.set(top.name, value)
      else top.list.push(value)
      if (this.#take(',')) {
        if (top.list !== null) return 'next value'
        this.#match(SPACE)
        const name = this.#readName()
        if (name === null) return null
        top.name = name
        return 'next value'
      }
      if (!this.#take(top.list === null ? '}' : ']')) return null
      open.pop()
      value = top.list ?? Object.fromEntries(top.members)
    }
  }

  #readName(): string | null {
    const text = this.#match(STRING)
    this.#match(SPACE)
    return text === '' || !this.#take(':') ? null : unescapeText(text)
  }

  #readScalar(): { readonly kind: 'value'; readonly value: unknown } | null {
    const text = this.#match(STRING)
    if (text !== '') return { kind: 'value', value: unescapeText(text) }
    const digits = this.#match(NUMBER)
    if (digits !== '') return { kind: 'value', value: Number(digits) }
    for (const [literal, value] of LITERALS) {
      if (this.#take(literal)) return { kind: 'value', value }
    }
    return null
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }
}

function unescapeText(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, code: string | undefined, one: string) =>
      code === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
    )
}
