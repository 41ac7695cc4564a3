// Proves that the console says nothing outside of its catalogues. A check by patterns, which sees
// text between tags and in the attributes that people read; the pseudo-locale shows the rest.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPackageRoot } from '../../src/values/resources.ts'

const root = findPackageRoot()
const BETWEEN_TAGS = />\s*([^<>{}=;()]*[A-Za-z]{2}[^<>{}=;()]*)<\//g
const ATTRIBUTE =
  /\s(?:aria-label|label|title|placeholder|description|alt|text|lede|act)="([^"]*[A-Za-z]{2}[^"]*)"/g
// The name of the product, and what languages are called by their speakers.
const NAMES = new Set(['Casework'])

function findTexts(source: string): readonly string[] {
  return [BETWEEN_TAGS, ATTRIBUTE]
    .flatMap((pattern) => [...source.matchAll(pattern)].map((match) => (match[1] ?? '').trim()))
    .filter((text) => !NAMES.has(text))
}

test('no component has text of its own', () => {
  const files = globSync('console/src/**/*.tsx', { cwd: root })
  assert.ok(files.length > 20, `only ${files.length} files were seen`)
  const found = files.flatMap((file) =>
    findTexts(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})

test('the check sees text between tags and in attributes', () => {
  assert.deepEqual(findTexts('<p>Two words</p>'), ['Two words'])
  assert.deepEqual(findTexts('<Button title="Close it">{t("close")}</Button>'), ['Close it'])
  assert.deepEqual(findTexts('<p className="dim small">{t("x")}</p>'), [])
})
