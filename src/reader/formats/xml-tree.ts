// XML as reporters really send it, read leniently into a small tree: undefined entities stay text,
// what is left open is closed, document types and their entities are not read. Bounded in elements
// and depth, so a hostile document costs no more than its length.

import { Parser } from 'htmlparser2'

export interface XmlElement {
  /** Lower case, without the namespace prefix. */
  readonly name: string
  /** By lower-case name without prefix. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The text directly in the element, including CDATA, without surrounding space. */
  readonly text: string
  /** Line of its start tag, from 1. */
  readonly line: number
}

export type XmlResult =
  /** `root` has no name; the document's own root is among its children. */
  { readonly kind: 'tree'; readonly root: XmlElement } | { readonly kind: 'too_large' }

// The largest honest document is an aggregate report of 10,000 rows with some 25 elements each.
const NODES_MAX = 300_000
// Documents of the formats we know nest up to 12 deep.
const DEPTH_MAX = 64
const ATTRIBUTES_MAX = 50
// Each element has text before and after it; an entity ends a chunk of text.
const CHUNKS_MAX = 1_000_000

interface OpenElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  text: string
  readonly line: number
}

class TooLarge extends Error {}

/** Never throws for what the text holds. */
export function parseXmlTree(text: string): XmlResult {
  const builder = new TreeBuilder(text)
  try {
    return { kind: 'tree', root: builder.build() }
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large' }
    throw error
  }
}

class TreeBuilder {
  readonly #text: string
  readonly #stack: OpenElement[] = []
  #nodes = 0
  #chunks = 0
  #attributes = 0
  /** The end of the line that is counted; the length of the text in the last one. */
  #newline: number
  #line = 1

  constructor(text: string) {
    this.#text = text
    this.#newline = this.#findNewline(0)
  }

  build(): XmlElement {
    const root = {
      name: '',
      attributes: new Map<string, string>(),
      children: [],
      text: '',
      line: 1,
    }
    this.#stack.push(root)
    const parser: Parser = new Parser(
      {
        onopentagname: () => {
          this.#attributes = 0
        },
        onattribute: () => {
          this.#attributes += 1
          if (this.#attributes > ATTRIBUTES_MAX) throw new TooLarge()
        },
        onopentag: (name, attributes) => this.#open(name, attributes, parser.startIndex),
        ontext: (text) => this.#addText(text),
        onclosetag: () => this.#close(),
      },
      { xmlMode: true, decodeEntities: true },
    )
    parser.end(this.#text)
    while (this.#stack.length > 1) this.#close()
    return seal(root)
  }

  #open(name: string, attributes: Readonly<Record<string, string>>, offset: number): void {
    this.#nodes += 1
    if (this.#nodes > NODES_MAX || this.#stack.length > DEPTH_MAX) throw new TooLarge()
    this.#stack.push({
      name: localName(name),
      attributes: readAttributes(attributes),
      children: [],
      text: '',
      line: this.#lineAt(offset),
    })
  }

  #addText(text: string): void {
    this.#chunks += 1
    if (this.#chunks > CHUNKS_MAX) throw new TooLarge()
    const top = this.#stack.at(-1)
    if (top !== undefined) top.text += text
  }

  #close(): void {
    const element = this.#stack.pop()
    if (element !== undefined) this.#stack.at(-1)?.children.push(seal(element))
  }

  // Start tags come in the order of the text, so each newline is looked for once.
  #lineAt(offset: number): number {
    while (this.#newline < offset) {
      this.#line += 1
      this.#newline = this.#findNewline(this.#newline + 1)
    }
    return this.#line
  }

  #findNewline(from: number): number {
    const newline = this.#text.indexOf('\n', from)
    return newline === -1 ? this.#text.length : newline
  }
}

function seal(element: OpenElement): XmlElement {
  return { ...element, text: element.text.trim() }
}

function readAttributes(attributes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const entries = Object.entries(attributes)
  return new Map(entries.map(([name, value]) => [localName(name), value.trim()]))
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase()
}

/** The first child of that name (lower case). */
export function findChild(element: XmlElement | null, name: string): XmlElement | null {
  return element?.children.find((child) => child.name === name) ?? null
}

export function listChildren(element: XmlElement | null, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

/** Text of the element that the steps lead to; null when there is none or it is empty. */
export function textAt(element: XmlElement | null, ...steps: readonly string[]): string | null {
  let place = element
  for (const step of steps) place = findChild(place, step)
  return place === null || place.text === '' ? null : place.text
}

/**
 * Every element of that name at any depth, in the order of the document, not looking inside a
 * match.
 */
export function listDescendants(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) =>
    child.name === name ? [child] : listDescendants(child, name),
  )
}
