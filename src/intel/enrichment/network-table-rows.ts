// Reads the CSV files of the data packages (first address, last address, value …, addresses as
// decimal numbers) into disjoint segments.

/** The content of a file cannot be read; the message names the file and the line. */
export class NetworkDataError extends Error {
  constructor(file: string, line: number, reason: string, cause?: unknown) {
    super(`${file}, line ${line}: ${reason}.`, { cause })
    this.name = 'NetworkDataError'
  }
}

/** Sorted starts, each with the value from there to the next start; 0 means none. */
export interface NetworkSegments<Address> {
  readonly starts: Address[]
  readonly values: number[]
}

interface Row<Address> {
  readonly first: Address
  readonly last: Address
  readonly value: number
}

/**
 * Parser and arithmetic of one address family: IPv4 as numbers, IPv6 as big integers of 128 bits.
 */
export interface AddressFamily<Address> {
  readonly parse: (text: string) => Address
  readonly next: (address: Address) => Address
  readonly max: Address
}

export const IPV4_FAMILY: AddressFamily<number> = {
  parse: Number,
  next: (address) => address + 1,
  max: 0xffff_ffff,
}
export const IPV6_FAMILY: AddressFamily<bigint> = {
  parse: BigInt,
  next: (address) => address + 1n,
  max: (1n << 128n) - 1n,
}

const NUMBER_PATTERN = /^\d{1,39}$/

/**
 * The segments of a whole file. `valueOf` parses the rest of a row after the two addresses to a
 * number above 0, or 0 when it cannot be read. Throws `NetworkDataError`.
 */
export function readSegments<Address extends number | bigint>(
  file: string,
  text: string,
  family: AddressFamily<Address>,
  valueOf: (rest: string) => number,
): NetworkSegments<Address> {
  const rows: Row<Address>[] = []
  let line = 0
  for (let at = 0; at < text.length; ) {
    line += 1
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const content = text.slice(at, text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end)
    at = end + 1
    if (content !== '') rows.push(readRow(file, line, content, family, valueOf))
  }
  return flatten(inOrder(rows), family)
}

const CARRIAGE_RETURN = 13

function readRow<Address extends number | bigint>(
  file: string,
  line: number,
  content: string,
  family: AddressFamily<Address>,
  valueOf: (rest: string) => number,
): Row<Address> {
  const firstComma = content.indexOf(',')
  const secondComma = content.indexOf(',', firstComma + 1)
  const firstText = content.slice(0, Math.max(firstComma, 0))
  const lastText = content.slice(firstComma + 1, Math.max(secondComma, 0))
  if (!NUMBER_PATTERN.test(firstText) || !NUMBER_PATTERN.test(lastText)) {
    throw new NetworkDataError(file, line, 'the row does not begin with two numbers')
  }
  const first = family.parse(firstText)
  const last = family.parse(lastText)
  if (last < first || last > family.max) {
    throw new NetworkDataError(file, line, 'the addresses are no range of this family')
  }
  const value = valueOf(content.slice(secondComma + 1))
  if (value === 0) throw new NetworkDataError(file, line, 'the value is not understood')
  return { first, last, value }
}

// The published files are sorted, except that of two rows with one start the shorter may come
// first.
function inOrder<Address extends number | bigint>(rows: Row<Address>[]): Row<Address>[] {
  const isOrdered = rows.every((row, at) => {
    const former = rows[at - 1]
    return former === undefined || compareRows(former, row) <= 0
  })
  return isOrdered ? rows : rows.toSorted(compareRows)
}

function compareRows<Address extends number | bigint>(a: Row<Address>, b: Row<Address>): number {
  if (a.first !== b.first) return a.first < b.first ? -1 : 1
  if (a.last !== b.last) return a.last > b.last ? -1 : 1
  return 0
}

/**
 * Rows overlap where a part of a network is registered elsewhere, in 2 % of the country file. The
 * row with the closest start counts for an address; of two with one start, the shorter.
 */
function flatten<Address extends number | bigint>(
  rows: readonly Row<Address>[],
  family: AddressFamily<Address>,
): NetworkSegments<Address> {
  const starts: Address[] = []
  const values: number[] = []
  const emit = (start: Address, value: number): void => {
    if (starts.at(-1) === start) {
      starts.pop()
      values.pop()
    }
    if (values.at(-1) === value) return
    starts.push(start)
    values.push(value)
  }
  // Rows that hold the address reached, the one with the closest start last.
  const open: Row<Address>[] = []
  const hasNewest = (condition: (newest: Row<Address>) => boolean): boolean => {
    const newest = open.at(-1)
    return newest !== undefined && condition(newest)
  }
  // Ends the newest open row, and the rows around it that end no later.
  const close = (): void => {
    const ended = open.pop()
    if (ended === undefined) return
    while (hasNewest((around) => around.last <= ended.last)) open.pop()
    if (ended.last < family.max) emit(family.next(ended.last), open.at(-1)?.value ?? 0)
  }
  for (const row of rows) {
    while (hasNewest(({ last }) => last < row.first)) close()
    emit(row.first, row.value)
    open.push(row)
  }
  while (open.length > 0) close()
  return { starts, values }
}
