// Rows out of an XLSX workbook (ECMA-376), whose zip entries are parts of the mail by now: shared strings and sheets, read as streams
// of tags because a sheet of 10,000 rows has too many elements for a tree.

import { Parser } from 'htmlparser2'
import type { MailPart } from '../mail/mail.ts'
import { MACHINE_EVENTS_MAX } from './machine-report.ts'
import { readPartText } from './part-text.ts'
import type { TableRow } from './table-columns.ts'

export interface Sheet {
  /** Name of the workbook's file; empty when the workbook came alone. */
  readonly fileName: string
  readonly part: string
  readonly rows: readonly TableRow[]
  readonly hasMore: boolean
}

const SHEET = /^(.*?)\/?xl\/worksheets\/sheet(\d{1,4})\.xml$/i
// Data stands in the first sheets; the others explain or sum up.
const SHEETS_MAX = 5
const ROWS_MAX = MACHINE_EVENTS_MAX + 100
const COLUMNS_MAX = 200
// Every cell of the largest sheet could have a string of its own.
const STRINGS_MAX = 1_000_000

/** The sheets of every workbook among the parts, in their order. */
export function readSheets(parts: readonly MailPart[]): readonly Sheet[] {
  const sheets = parts.flatMap((part) => {
    const match = SHEET.exec(part.fileName ?? '')
    return match === null ? [] : [{ part, folder: match[1] ?? '', number: Number(match[2]) }]
  })
  const chosen = sheets.toSorted((left, right) => left.number - right.number).slice(0, SHEETS_MAX)
  const strings = new Map<string, readonly string[]>()
  return chosen.flatMap(({ part, folder, number }) => {
    const known = strings.get(folder) ?? readSharedStrings(parts, folder)
    strings.set(folder, known)
    const text = readPartText(part)
    if (text === null) return []
    const name = folder === '' ? 'sheet' : `attachment ${folder}, sheet`
    return [{ fileName: folder, part: `${name} ${number}`, ...readSheetRows(text, known) }]
  })
}

function readSharedStrings(parts: readonly MailPart[], folder: string): readonly string[] {
  const name = `${folder === '' ? '' : `${folder}/`}xl/sharedStrings.xml`.toLowerCase()
  const part = parts.find((each) => each.fileName?.toLowerCase() === name)
  const text = part === undefined ? null : readPartText(part)
  const strings: string[] = []
  if (text === null) return strings
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
  return { rows: reader.rows.slice(0, ROWS_MAX), hasMore: reader.rows.length > ROWS_MAX }
}

interface TagHandler {
  readonly open: (tag: string, attributes: Readonly<Record<string, string>>) => void
  readonly text: (chunk: string) => void
  /** False ends the walk. */
  readonly close: (tag: string) => boolean
}

class Enough extends Error {}

// Sheets nest five deep; what nests deeper is no sheet and would cost (the parser searches its stack at each end tag).
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
    return this.rows.length <= ROWS_MAX
  }

  #placeCell(): void {
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
