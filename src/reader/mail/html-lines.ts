// Builds lines from a stream of HTML: a block has its own lines, a table row is one line with ` | `
// between its cells, and quoted threads are marked with `> `. Every operation takes amortised
// constant time.

// Layout tables nest a few deep; below this a table is only a block, so that unwinding stays
// linear.
const TABLE_DEPTH_MAX = 20
const QUOTE_DEPTH_MAX = 5
// A cell of more lines is a column of a layout, not a value.
const CELL_LINES_MAX = 3
const ROW_LENGTH_MAX = 2_000
// A link in more pieces or of more characters needs no blank behind it.
const LAST_PIECES = 8
const LINK_LENGTH_MAX = 500

interface Table {
  /** Null between rows. */
  cells: string[][] | null
}

export class HtmlLines {
  readonly #lines: string[] = []
  readonly #tables: Table[] = []
  readonly #lengthMax: number
  #length = 0
  // The current line in pieces; there may be a million of them.
  #pieces: string[] = []
  #hasInk = false
  #endsBlank = true
  /** Number of open tables that are nested too deep to be read as tables. */
  #flatTables = 0
  #quoteDepth = 0

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax
  }

  get isFull(): boolean {
    return this.#length >= this.#lengthMax
  }

  /** Whether the last word of the line is a link, however it is defanged. */
  get endsWithLink(): boolean {
    const last = this.#pieces.slice(-LAST_PIECES).join('').slice(-LINK_LENGTH_MAX)
    return /:\]?\/\/[^\s<>]{3,400}$/.test(last)
  }

  /** Adds text; white space collapses to one blank, as in HTML. */
  addText(text: string): void {
    const collapsed = text.replaceAll(/\s+/g, ' ')
    this.#addPiece(this.#endsBlank ? collapsed.trimStart() : collapsed)
  }

  /** Adds preformatted text unchanged. */
  addLines(text: string): void {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) this.#emitLine()
      if (this.isFull) return
      this.#addPiece(line)
    }
  }

  /** Ends the line if there is one. */
  breakLine(): void {
    if (this.#hasInk) this.#emitLine()
    this.#startLine()
  }

  /** Ends the line, also when it is empty. */
  addBreak(): void {
    if (!this.isFull) this.#emitLine()
  }

  openQuote(): void {
    this.breakLine()
    this.#quoteDepth += 1
  }

  closeQuote(): void {
    this.breakLine()
    this.#quoteDepth = Math.max(0, this.#quoteDepth - 1)
  }

  openTable(): void {
    this.breakLine()
    if (this.#tables.length < TABLE_DEPTH_MAX) this.#tables.push({ cells: null })
    else this.#flatTables += 1
  }

  closeTable(): void {
    this.breakLine()
    if (this.#flatTables > 0) {
      this.#flatTables -= 1
      return
    }
    this.#endRow()
    this.#tables.pop()
  }

  openRow(): void {
    this.breakLine()
    if (this.#flatTables === 0) this.#endRow()
  }

  openCell(): void {
    this.breakLine()
    const table = this.#tables.at(-1)
    if (table === undefined || this.#flatTables > 0) return
    table.cells ??= []
    table.cells.push([])
  }

  /** Nothing may be added after. */
  finish(): readonly string[] {
    this.breakLine()
    this.#flatTables = 0
    while (this.#tables.length > 0) this.closeTable()
    return this.#lines
  }

  #addPiece(text: string): void {
    const piece = text.slice(0, Math.max(0, this.#lengthMax - this.#length))
    if (piece === '') return
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#hasInk ||= piece.trim() !== ''
    this.#endsBlank = piece.endsWith(' ')
  }

  #startLine(): void {
    this.#pieces = []
    this.#hasInk = false
    this.#endsBlank = true
  }

  #emitLine(): void {
    const quote = '> '.repeat(Math.min(this.#quoteDepth, QUOTE_DEPTH_MAX))
    this.#sink(this.#tables.length).push(quote + this.#pieces.join('').trimEnd())
    this.#length += 1
    this.#startLine()
  }

  /** Where lines go that stand within the first `depth` tables. */
  #sink(depth: number): string[] {
    for (let index = depth - 1; index >= 0; index -= 1) {
      const cell = this.#tables[index]?.cells?.at(-1)
      if (cell !== undefined) return cell
    }
    return this.#lines
  }

  #endRow(): void {
    const table = this.#tables.at(-1)
    if (table === undefined || table.cells === null) return
    const cells = table.cells.map((cell) => cell.filter((line) => line.trim() !== ''))
    table.cells = null
    const sink = this.#sink(this.#tables.length - 1)
    const filled = cells.filter((cell) => cell.length > 0)
    const length = filled.reduce(
      (sum, cell) => sum + cell.reduce((all, line) => all + line.length, 0),
      0,
    )
    const isValues = filled.length > 1 && filled.every((cell) => cell.length <= CELL_LINES_MAX)
    const isRow = isValues && length <= ROW_LENGTH_MAX
    const lines = isRow ? [cells.map((cell) => cell.join(' ')).join(' | ')] : filled.flat()
    for (const line of lines) sink.push(line)
  }
}
