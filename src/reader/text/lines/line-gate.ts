// Tells in one pass over a line which of many patterns it may match at all. A log has hundreds of
// lines that hold none of the words the patterns look for, and to try each pattern at each
// character is what costs most.

import { CLASSES, listBeginnings } from './pattern-beginnings.ts'

// Three classes of characters make a number below 32,768, and the table has the patterns that can
// begin so, a bit each.
const BITS = 5
const SIZE = 32 ** 3
const ASCII_END = 0x80
const PATTERNS_MAX = 31
const ALL = -1

/**
 * Answers with the bits of the patterns, in their order: without its bit a pattern does not match
 * the line.
 */
export type LineGate = (line: string) => number

const shared: RegExp[] = []
let sharedGate: LineGate | null = null

/**
 * The bit of a pattern in the gate that all share (`bitsOf`), so that one pass over a line answers
 * for all of them. To be called where the pattern is made, not while a report is read.
 */
export function reserveBit(pattern: RegExp): number {
  shared.push(pattern)
  sharedGate = null
  return 1 << (shared.length - 1)
}

/** The bits of the patterns for which a bit was reserved. */
export function bitsOf(line: string): number {
  sharedGate ??= openGate(shared)
  return sharedGate(line)
}

/** Throws for a pattern that may begin with anything, which would let every line pass. */
export function openGate(patterns: readonly RegExp[]): LineGate {
  if (patterns.length > PATTERNS_MAX) throw new Error('a gate has a bit for each pattern')
  const table = new Int32Array(SIZE)
  for (const [index, { source }] of patterns.entries()) addBeginnings(table, source, 1 << index)
  return (line) => {
    let found = 0
    let key = 0
    let codes = 0
    for (let at = 0; at < line.length; at += 1) {
      const code = line.charCodeAt(at)
      codes |= code
      key = ((key << BITS) | (CLASSES[code] ?? 0)) & (SIZE - 1)
      found |= table[key] ?? 0
    }
    // What begins with the last two characters of the line ends there.
    found |= table[(key << BITS) & (SIZE - 1)] ?? 0
    found |= table[(key << (2 * BITS)) & (SIZE - 1)] ?? 0
    // Capitals of other scripts have other bits.
    return codes < ASCII_END ? found : ALL
  }
}

function addBeginnings(table: Int32Array, source: string, bit: number): void {
  for (const [first, second, third] of listBeginnings(source)) {
    if (first === ALL && second === ALL && third === ALL) {
      throw new Error(`any line may begin ${source.slice(0, 40)}`)
    }
    for (const one of listSet(first)) {
      for (const two of listSet(second)) {
        for (const three of listSet(third)) {
          const key = (one << (2 * BITS)) | (two << BITS) | three
          table[key] = (table[key] ?? 0) | bit
        }
      }
    }
  }
}

function listSet(characters: number): readonly number[] {
  return Array.from({ length: 32 }, (_, bit) => bit).filter(
    (bit) => (characters & (1 << bit)) !== 0,
  )
}
