// Reads the rows of an XLSX workbook (ECMA-376). Shared strings and sheets are read as streams of
// tags, because a sheet of 10,000 rows has too many elements for a tree.

import { Parser } from 'htmlparser2'
import { looksLikeOffice } from '../archive/office-file.ts'
import { openArchive } from '../archive/open-archive.ts'
import type { MailPart } from '../mail/mail.ts'
import { READING_LIMITS } from '../mail/reading-limits.ts'
import { MACHINE_EVENTS_MAX } from './machine-report.ts'
import { namePart } from './part-text.ts'
import type { TableRow } from './table-columns.ts'

export interface Sheet {
  /** As a finding names it. */
  readonly part: string
  readonly rows: readonly TableRow[]
  readonly hasMore: boolean
}

export type WorkbookResult =
  | { readonly kind: 'sheets'; readonly sheets: readonly Sheet[] }
  /** A public sentence: it breaks a limit of archives. */
  | { readonly kind: 'refused'; readonly reason: string }

const SHEET = /^xl\/worksheets\/sheet(\d{1,4})\.xml$/i
const STRINGS = /^xl\/sharedStrings\.xml$/i
// Data stands in the first sheets; the others explain or sum up.
export const SHEETS_MAX = 5
const ROWS_MAX = MACHINE_EVENTS_MAX + 100
const COLUMNS_MAX = 200
// 10,000 rows of 60 columns.
const CELLS_MAX = 600_000
// Every cell of the largest sheet could have a string of its own.
const STRINGS_MAX = 1_000_000

/** Null when the part is no workbook. */
export function readWorkbook(part: MailPart): WorkbookResult | null {
  if (!looksLikeOffice(part)) return null
  const archive = openArchive(part.bytes, part.fileName, READING_LIMITS.archive, isNeeded)
  if (archive === null) return null
  if (archive.refusal !== null) return { kind: 'refused', reason: archive.refusal }
  const sheets = archive.entries.flatMap(({ path, bytes }) => {
    const number = SHEET.exec(path)?.[1]
    return number === undefined ? [] : [{ number: Number(number), bytes }]
  })
  if (sheets.length === 0) return null
  const strings = archive.entries.find(({ path }) => STRINGS.test(path))
  const shared = strings === undefined ? [] : readSharedStrings(decode(strings.bytes))
  const chosen = sheets.toSorted((left, right) => left.number - right.number).slice(0, SHEETS_MAX)
  return {
    kind: 'sheets',
    sheets: chosen.map(({ number, bytes }) => ({
      part: `${namePart(part)}, sheet ${number}`,
      ...readSheetRows(decode(bytes), shared),
    })),
  }
}

/** Without opening one; 0 for what is no workbook. */
export function countSheets(part: MailPart): number {
  if (!looksLikeOffice(part)) return 0
  let count = 0
  openArchive(part.bytes, part.fileName, READING_LIMITS.archive, (path) => {
    if (SHEET.test(path)) count += 1
    return false
  })
  return count
}

function isNeeded(path: string): boolean {
  return SHEET.test(path) || STRINGS.test(path)
}

// ECMA-376 has UTF-8 or UTF-16; every known program writes the former.
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes)
}

/** Exported for its test. */
export function readSharedStrings(text: string): readonly string[] {
  const strings: string[] = []
  let current = ''
  let isText = false
  // `<si>` is one string, of one `<t>` or of several runs; `<rPh>` holds how it is pronounced.
  let isPhonetic = false
  walk(text, {
    open: (tag) => {
      if (tag === 'si') current = ''
      if (tag === 'rph') isPhonetic = true
      isText = tag === 't' && !isPhonetic
    },
    text: (chunk) => {
      if (isText) current += chunk
    },
    close: (tag) => {
      if (tag === 't') isText = false
      if (tag === 'rph') isPhonetic = false
      if (tag === 'si') strings.push(current)
      return strings.length < STRINGS_MAX
    },
  })
  return strings
}

/** Exported for its test. */
export function readSheetRows(
  text: string,
  strings: readonly string[],
): Pick<Sheet, 'rows' | 'hasMore'> {
  const reader = new SheetReader(strings)
  walk(text, reader)
  return { rows: reader.rows.slice(0, ROWS_MAX), hasMore: reader.hasMore }
}

interface TagHandler {
  readonly open: (tag: string, attributes: Readonly<Record<string, string>>) => void
  readonly text: (chunk: string) => void
  /** False ends the walk. */
  readonly close: (tag: string) => boolean
}

class Enough extends Error {}

// Sheets nest five deep; what nests deeper is no sheet and would cost (the parser searches its
// stack at each end tag).
const DEPTH_MAX = 20

function walk(text: string, handler: TagHandler): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1
        if (depth > DEPTH_MAX) throw new Enough()
        handler.open(localName(name), attributes)
      },
      ontext: handler.text,
      onclosetag: (name) => {
        depth -= 1
        if (!handler.close(localName(name))) throw new Enough()
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  try {
    parser.end(text)
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase()
}

class SheetReader implements TagHandler {
  readonly rows: TableRow[] = []
  readonly #strings: readonly string[]
  #cells: string[] = []
  #line = 0
  #count = 0
  #column = 0
  #type = 'n'
  #value = ''
  #isValue = false

  constructor(strings: readonly string[]) {
    this.#strings = strings
  }

  readonly open = (tag: string, attributes: Readonly<Record<string, string>>): void => {
    if (tag === 'row') {
      this.#cells = []
      this.#column = 0
      this.#line = readRowNumber(attributes['r']) ?? this.#line + 1
    } else if (tag === 'c') {
      this.#column = readColumn(attributes['r']) ?? this.#column
      this.#type = attributes['t'] ?? 'n'
      this.#value = ''
    } else {
      this.#isValue = tag === 'v' || tag === 't'
    }
  }

  readonly text = (chunk: string): void => {
    if (this.#isValue) this.#value += chunk
  }

  readonly close = (tag: string): boolean => {
    if (tag === 'v' || tag === 't') this.#isValue = false
    if (tag === 'c') this.#placeCell()
    if (tag === 'row' && this.#cells.some((cell) => cell !== '')) {
      this.rows.push({ cells: Array.from(this.#cells, (cell) => cell ?? ''), line: this.#line })
    }
    return !this.hasMore
  }

  get hasMore(): boolean {
    return this.rows.length > ROWS_MAX || this.#count > CELLS_MAX
  }

  #placeCell(): void {
    this.#count += 1
    if (this.#column < COLUMNS_MAX) this.#cells[this.#column] = this.#readValue()
    this.#column += 1
  }

  #readValue(): string {
    if (this.#type !== 's') return this.#value
    return /^\d{1,7}$/.test(this.#value) ? (this.#strings[Number(this.#value)] ?? '') : ''
  }
}

function readRowNumber(reference: string | undefined): number | null {
  return reference !== undefined && /^\d{1,7}$/.test(reference) ? Number(reference) : null
}

// `B7` is the second column: letters count in base 26 without a zero.
function readColumn(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1]
  if (letters === undefined) return null
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
