// Writes small MMDB files for tests, after the public description of the format (version 2.0): a
// search tree, a data section, and metadata at the end.

import assert from 'node:assert/strict'
import { parseItem } from '../src/values/item.ts'

type MmdbValue = string | number | { readonly [name: string]: MmdbValue }

export interface MmdbFile {
  readonly ipVersion: 4 | 6
  readonly recordBits: 24 | 28 | 32
  readonly madeAt: string
  /** Networks such as 192.0.2.0/24, the wider before the narrower. */
  readonly rows: readonly (readonly [network: string, record: MmdbValue])[]
}

interface Branch {
  readonly kind: 'branch'
  readonly sides: [Side, Side]
}
type Side = Branch | { readonly kind: 'leaf'; readonly record: number } | null

const SEPARATOR = Buffer.alloc(16)
const METADATA_MARK = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1')

export function buildMmdb({ ipVersion, recordBits, madeAt, rows }: MmdbFile): Buffer {
  const root = createBranch()
  for (const [at, [network]] of rows.entries()) put(root, readBits(network, ipVersion), at)
  const branches = listBranches(root)
  const numbers = new Map(branches.map((branch, at) => [branch, at]))
  const offsets: number[] = []
  let size = 0
  const data = rows.map(([, record]) => {
    offsets.push(size)
    const bytes = encode(record)
    size += bytes.length
    return bytes
  })
  const pointerOf = (side: Side): number => {
    if (side === null) return branches.length
    if (side.kind === 'branch') return numbers.get(side) ?? assert.fail('a branch without a number')
    return branches.length + SEPARATOR.length + (offsets[side.record] ?? 0)
  }
  const tree = branches.map(({ sides: [left, right] }) =>
    packPair(pointerOf(left), pointerOf(right), recordBits),
  )
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Date.parse(madeAt) / 1000,
    database_type: 'Casework-Test',
    ip_version: ipVersion,
    node_count: branches.length,
    record_size: recordBits,
  })
  return Buffer.concat([...tree, SEPARATOR, ...data, METADATA_MARK, metadata])
}

function createBranch(): Branch {
  return { kind: 'branch', sides: [null, null] }
}

function put(root: Branch, bits: string, record: number): void {
  let branch = root
  for (const bit of bits.slice(0, -1)) {
    const side = Number(bit)
    const present = branch.sides[side] ?? null
    const next = present?.kind === 'branch' ? present : createBranch()
    // A narrower network divides the wider one.
    if (present?.kind === 'leaf') next.sides.fill(present)
    branch.sides[side] = next
    branch = next
  }
  branch.sides[Number(bits.at(-1))] = { kind: 'leaf', record }
}

function listBranches(root: Branch): readonly Branch[] {
  const found = [root]
  for (const { sides } of found) {
    for (const side of sides) if (side?.kind === 'branch') found.push(side)
  }
  return found
}

function readBits(network: string, ipVersion: 4 | 6): string {
  const [address = '', bits = ''] = network.split('/')
  const item = parseItem(address)
  if (item?.kind === 'ipv4') {
    const text = item.value.toString(2).padStart(32, '0').slice(0, Number(bits))
    return ipVersion === 4 ? text : '0'.repeat(96) + text
  }
  assert(item?.kind === 'ipv6', network)
  const all = item.words.map((word) => word.toString(2).padStart(32, '0')).join('')
  return all.slice(0, Number(bits))
}

function packPair(left: number, right: number, recordBits: 24 | 28 | 32): Buffer {
  const pair = (BigInt(left) << BigInt(recordBits)) | BigInt(right)
  const hex = pair.toString(16).padStart(recordBits / 2, '0')
  if (recordBits !== 28) return Buffer.from(hex, 'hex')
  // The high half bytes of both stand together in the middle.
  const [leftHex, rightHex] = [hex.slice(0, 7), hex.slice(7)]
  const middle = `${leftHex.slice(0, 1)}${rightHex.slice(0, 1)}`
  return Buffer.from(`${leftHex.slice(1)}${middle}${rightHex.slice(1)}`, 'hex')
}

const TYPES = { text: 2, uint32: 6, map: 7 }

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(TYPES.text, bytes.length), bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(TYPES.uint32, bytes.length), bytes])
  }
  const entries = Object.entries(value)
  const parts = entries.flatMap(([name, member]) => [encode(name), encode(member)])
  return Buffer.concat([control(TYPES.map, entries.length), ...parts])
}

function control(type: number, size: number): Buffer {
  assert(size < 285, 'a text or map of 285 or more is not written here')
  return size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29])
}
