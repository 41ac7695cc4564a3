// Proves that every colour of text is readable on its ground, in both schemes (WCAG 1.4.3, 1.4.11).

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPackageRoot } from '../../src/values/resources.ts'

const css = readFileSync(join(findPackageRoot(), 'console/src/theme/tokens.css'), 'utf8')

function readColours(scheme: string): ReadonlyMap<string, string> {
  const block = new RegExp(`color-scheme="${scheme}"\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? ''
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  )
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const GROUNDS = ['ground', 'ground-dim', 'ground-hover', 'ground-raised']
const TONES = ['red', 'amber', 'green', 'blue', 'violet', 'grey']
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...GROUNDS.flatMap((ground) =>
    ['text', 'text-dim', 'accent-text'].map((text) => [text, ground, 4.5] as const),
  ),
  ...TONES.map((tone) => [tone, `${tone}-ground`, 4.5] as const),
  ...TONES.map((tone) => [tone, 'ground', 4.5] as const),
  ['text', 'accent-ground', 4.5],
  ['text-dim', 'accent-ground', 4.5],
  ['accent-text', 'accent-ground', 4.5],
  ['on-accent', 'accent', 4.5],
  ['line-strong', 'ground', 3],
  ...[1, 2, 3, 4, 5, 6].map((order) => [`chart-${order}`, 'ground', 3] as const),
]

for (const scheme of ['light', 'dark']) {
  test(`the colours of the ${scheme} scheme can be read`, () => {
    const colours = readColours(scheme)
    const low = PAIRS.map(([text, ground, least]) => {
      const ratio = contrast(colours.get(text) ?? '', colours.get(ground) ?? '')
      return ratio >= least ? null : `${text} on ${ground}: ${ratio.toFixed(2)}`
    }).filter((one) => one !== null)
    assert.deepEqual(low, [])
  })
}
