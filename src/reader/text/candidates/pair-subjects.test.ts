import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { array, assert as assertProperty, integer, property } from 'fast-check'
import type { Candidate } from './candidate.ts'
import { pairSubjects } from './pair-subjects.ts'

let reads = 0

/** A candidate that stands in one line alone, and counts how often somebody asks where. */
function candidateOf(kind: 'ip' | 'url', value: string, index: number): Candidate {
  const line = { index, part: 'text' }
  const best = { line, host: `${value}.example`, group: 'g', labels: [], labelsAbove: [] }
  const candidate = { kind, value, role: 'source', score: 50, reasons: [], occurrences: [best] }
  return Object.defineProperty(candidate, 'best', {
    get: () => {
      reads += 1
      return best
    },
  }) as unknown as Candidate
}

function pair(addressLines: readonly number[], linkLines: readonly number[]) {
  const addresses = addressLines.map((line, at) => candidateOf('ip', `ip${at}`, line))
  const links = linkLines.map((line, at) => candidateOf('url', `link${at}`, line))
  const [first, second] = [addresses, links].map((candidates) => ({
    taken: candidates.map((candidate) => ({ candidate, why: 'chosen' })),
    ranked: candidates,
  }))
  assert.ok(first !== undefined && second !== undefined)
  return pairSubjects(first, second)
    .filter(({ link }) => link !== null)
    .map(({ address, paired }) => (paired?.includes('listed with') ? address?.value : undefined))
}

describe('addresses and links that alternate', () => {
  it('belong together, the address above or the one below', () => {
    assert.deepEqual(pair([1, 4, 7], [2, 5]), ['ip0', 'ip1'])
    assert.deepEqual(pair([3, 6], [2, 5, 8]), ['ip0', 'ip1', undefined])
    assert.deepEqual(pair([1, 2], [4, 6, 8]), [undefined, undefined, undefined])
  })

  it('are paired as a look at each address would pair them', () => {
    const lines = array(integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 8 })
    assertProperty(
      property(lines, lines, (some, others) => {
        // No two in one line, and not as many of one kind as of the other.
        const [ips, urls] = [some.map((line) => 2 * line), others.map((line) => 2 * line + 1)]
        if (ips.length === urls.length) return
        const isAbove = (ips[0] ?? 0) < (urls[0] ?? 0)
        const takesTurns = !isAbove || ips.some((line) => line > (urls[0] ?? 0))
        const expected = urls.map((at) => {
          const found = isAbove
            ? ips.findLastIndex((line) => line <= at)
            : ips.findIndex((line) => line >= at)
          return takesTurns && found !== -1 ? `ip${found}` : undefined
        })
        assert.deepEqual(pair(ips, urls), expected)
      }),
    )
  })

  it('are looked at some times each, however many there are', () => {
    const count = 2_000
    reads = 0
    const lines = Array.from({ length: count }, (_, at) => 3 * at)
    assert.equal(
      pair(
        [...lines, 3 * count],
        lines.map((line) => line + 1),
      ).length,
      count,
    )
    // Each link asks some 11 addresses by halves; one by one it would be 1,000.
    assert.ok(reads < 60 * count, `${reads} reads for ${count} links`)
  })
})
