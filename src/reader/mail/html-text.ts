// Converts HTML to the lines that a person would read. It uses the tokenizer of htmlparser2 and not
// the parser, whose stack of open elements takes 13.5 s for 100,000 nested `<div>`. The tokenizer
// is linear.

import { Tokenizer } from 'htmlparser2'
import { HtmlLines } from './html-lines.ts'
import { READING_LIMITS } from './reading-limits.ts'

// Markup is several times longer than its text.
const MARKUP_PER_TEXT = 6
const LINK_TEXT_LENGTH_MAX = 2_000
const ATTRIBUTE_LENGTH_MAX = 4_000

const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol option p section summary tbody tfoot thead ul caption'.split(
    ' ',
  ),
)
const UNSEEN: ReadonlySet<string> = new Set(['style', 'script', 'title', 'template', 'noembed'])
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'style', 'hidden', 'type', 'class'])
// Nobody sees it, and programs that look for spam should.
const NOT_SHOWN =
  /display\s{0,5}:\s{0,5}none|mso-hide\s{0,5}:\s{0,5}all|visibility\s{0,5}:\s{0,5}(?:hidden|collapse)|(?:font-size|opacity)\s{0,5}:\s{0,5}0(?:\.0{1,4})?(?:px|pt|em|rem|%)?\s{0,5}(?:;|!|$)/i
// A style that makes a block of an inline element.
const SHOWN_APART = /display\s{0,5}:\s{0,5}(?:block|flex|grid|table|list-item|inline-block)/i
const ZERO_WIDTH = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

const NEW_TEXT = /^(?:[Hh][^\s:/]{2,3}[Pp][Ss]?:\/\/|\p{Lu}\p{Ll}{0,30}\s)/u

export interface HtmlText {
  readonly lines: readonly string[]
  /** True when the text is longer than was read. */
  readonly isCut: boolean
}

/** At most `lengthMax` characters of text. Never throws. */
export function readHtml(html: string, lengthMax: number = READING_LIMITS.textLengthMax): HtmlText {
  const bounded = html.slice(0, lengthMax * MARKUP_PER_TEXT)
  const first = new HtmlReader(bounded, lengthMax, true)
  const lines = first.read()
  // A hidden element that is never closed is a mistake of the page; it must not hide the rest.
  const reader = first.isHiding ? new HtmlReader(bounded, lengthMax, false) : first
  const seen = reader === first ? lines : reader.read()
  return { lines: seen, isCut: bounded.length < html.length || reader.isFull }
}

function nothing(): void {
  // Comments and declarations are not visible.
}

class HtmlReader {
  readonly #html: string
  readonly #lines: HtmlLines
  readonly #hides: boolean
  #name = ''
  #attributeName = ''
  #attributeValue = ''
  #attributes = new Map<string, string>()
  /** The element that hides what is within, and how many of its name are open in it. */
  #hidden: { readonly name: string; depth: number } | null = null
  #isPreformatted = false
  /** A tag of any element stands between the text before and the next text. */
  #isAtEdge = false
  /** The end of a link does. */
  #isBehindLink = false
  #link: { readonly href: string; text: string } | null = null
  /** For each open blockquote, innermost last, whether it is a quoted thread. */
  readonly #quotes: boolean[] = []

  constructor(html: string, lengthMax: number, hides: boolean) {
    this.#html = html
    this.#lines = new HtmlLines(lengthMax)
    this.#hides = hides
  }

  get isHiding(): boolean {
    return this.#hidden !== null
  }

  get isFull(): boolean {
    return this.#lines.isFull
  }

  read(): readonly string[] {
    const slice = (start: number, end: number): string => this.#html.slice(start, end)
    const tokenizer = new Tokenizer(
      { xmlMode: false, decodeEntities: true },
      {
        ontext: (start, end) => this.#addText(slice(start, end)),
        ontextentity: (codepoint) => this.#addText(String.fromCodePoint(codepoint)),
        onopentagname: (start, end) => {
          this.#name = slice(start, end).toLowerCase()
          this.#attributes = new Map()
        },
        onattribname: (start, end) => {
          this.#attributeName = slice(start, Math.min(end, start + 100)).toLowerCase()
          this.#attributeValue = ''
        },
        onattribdata: (start, end) => this.#addToAttribute(slice(start, end)),
        onattribentity: (codepoint) => this.#addToAttribute(String.fromCodePoint(codepoint)),
        onattribend: () => this.#keepAttribute(),
        onopentagend: () => this.#open(),
        onselfclosingtag: () => this.#open(),
        onclosetag: (start, end) => this.#close(slice(start, end).trim().toLowerCase()),
        oncdata: nothing,
        oncomment: nothing,
        ondeclaration: nothing,
        onprocessinginstruction: nothing,
        onend: nothing,
      },
    )
    tokenizer.write(this.#html)
    tokenizer.end()
    this.#closeLink()
    return this.#lines.finish()
  }

  #addToAttribute(piece: string): void {
    if (!KEPT_ATTRIBUTES.has(this.#attributeName)) return
    if (this.#attributeValue.length < ATTRIBUTE_LENGTH_MAX) this.#attributeValue += piece
  }

  #keepAttribute(): void {
    const name = this.#attributeName
    if (!KEPT_ATTRIBUTES.has(name) || this.#attributes.has(name)) return
    this.#attributes.set(name, this.#attributeValue.slice(0, ATTRIBUTE_LENGTH_MAX))
  }

  #addText(raw: string): void {
    if (this.#hidden !== null || this.#lines.isFull) return
    const text = raw.replaceAll(ZERO_WIDTH, '')
    this.#partLinks(text)
    const link = this.#link
    if (link !== null && link.text.length < LINK_TEXT_LENGTH_MAX) link.text += text
    if (this.#isPreformatted) this.#lines.addLines(text)
    else this.#lines.addText(text)
  }

  /**
   * A link ends where its element ends, and another link or a capital letter begins a new text;
   * other elements stand within a link (`https://<b>bad</b>.example`).
   */
  #partLinks(text: string): void {
    const isBehindLink = this.#isBehindLink
    const isAtEdge = this.#isAtEdge
    this.#isBehindLink = false
    this.#isAtEdge = false
    const isApart = isBehindLink ? /^[\p{L}\d]/u.test(text) : isAtEdge && NEW_TEXT.test(text)
    if (isApart && this.#lines.endsWithLink) this.#lines.addText(' ')
  }

  #open(): void {
    const name = this.#name
    this.#isAtEdge = true
    if (this.#hidden !== null) {
      if (name === this.#hidden.name) this.#hidden.depth += 1
      return
    }
    if (this.#isHidden(name)) {
      this.#hidden = { name, depth: 1 }
      return
    }
    switch (name) {
      case 'br':
        this.#lines.addBreak()
        break
      case 'table':
        this.#lines.openTable()
        break
      case 'tr':
        this.#lines.openRow()
        break
      case 'td':
      case 'th':
        this.#lines.openCell()
        break
      case 'pre':
        this.#lines.breakLine()
        this.#isPreformatted = true
        break
      case 'a':
        this.#closeLink()
        this.#link = { href: (this.#attributes.get('href') ?? '').trim(), text: '' }
        break
      case 'blockquote':
        this.#openQuote()
        break
      default:
        if (BLOCKS.has(name) || this.#isShownApart()) this.#lines.breakLine()
    }
  }

  #isShownApart(): boolean {
    const style = this.#attributes.get('style')
    return style !== undefined && SHOWN_APART.test(style)
  }

  #close(name: string): void {
    if (this.#hidden !== null) {
      if (name !== this.#hidden.name) return
      this.#hidden.depth -= 1
      if (this.#hidden.depth === 0) this.#hidden = null
      return
    }
    this.#isAtEdge = true
    switch (name) {
      case 'table':
        this.#lines.closeTable()
        break
      case 'tr':
        this.#lines.openRow()
        break
      case 'td':
      case 'th':
        this.#lines.breakLine()
        break
      case 'pre':
        this.#lines.breakLine()
        this.#isPreformatted = false
        break
      case 'a':
        this.#closeLink()
        this.#isBehindLink = true
        break
      case 'blockquote':
        if (this.#quotes.pop() === true) this.#lines.closeQuote()
        else this.#lines.breakLine()
        break
      default:
        if (BLOCKS.has(name)) this.#lines.breakLine()
    }
  }

  #isHidden(name: string): boolean {
    if (UNSEEN.has(name)) return true
    if (!this.#hides || VOID.has(name)) return false
    if (this.#attributes.has('hidden')) return true
    const style = this.#attributes.get('style') ?? ''
    return NOT_SHOWN.test(style)
  }

  // Indented text is quoted by the same element; a mail program says that it is a thread.
  #openQuote(): void {
    const type = this.#attributes.get('type')?.toLowerCase()
    const isThread = type === 'cite' || /quote|cite/i.test(this.#attributes.get('class') ?? '')
    this.#quotes.push(isThread)
    if (isThread) this.#lines.openQuote()
    else this.#lines.breakLine()
  }

  #closeLink(): void {
    if (this.#link === null) return
    const { href, text } = this.#link
    this.#link = null
    const target = describeTarget(href, text)
    if (target !== null && !this.#lines.isFull) this.#lines.addText(` <${target}>`)
  }
}

/** The target of a link; null when the text of the link already shows it. */
function describeTarget(href: string, text: string): string | null {
  if (/^(?:#|javascript:|cid:|tel:|data:|about:)/i.test(href) || href === '') return null
  const target = href.replace(/^mailto:/i, '')
  return sameText(text).includes(sameText(target)) ? null : target
}

function sameText(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]{2,6}:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '')
}
