// Proves from the source of the console what no single page can: no text becomes HTML, each key
// that works is in the keyboard map, and both languages say the same with the same values.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { findPackageRoot } from '../../src/values/resources.ts'

const root = findPackageRoot()

function readSources(): readonly (readonly [file: string, text: string])[] {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.endsWith('.console.ts'),
  )
  assert.ok(files.length > 300, `only ${files.length} files were seen`)
  return files.map((file) => [file, readFileSync(join(root, file), 'utf8')])
}

/** The files in which the pattern is found. */
function findIn(pattern: RegExp): readonly string[] {
  return readSources().flatMap(([file, text]) => (pattern.test(text) ? [file] : []))
}

const MAKES_HTML =
  /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|srcdoc|srcDoc|document\.write|DOMParser|createContextualFragment|setHTML/

test('no text becomes HTML anywhere in the console', () => {
  assert.deepEqual(findIn(MAKES_HTML), [])
  assert.match('<p dangerouslySetInnerHTML={{ __html: text }} />', MAKES_HTML)
})

test('one listener has the keys of all pages, so that the map knows each of them', () => {
  assert.deepEqual(findIn(/addEventListener\(\s*['"]key/), ['console/src/keys/keys.ts'])
})

// Parts with keys of their own, which belong to what has the focus: lists, trees and fields.
const OWN_KEYS = [
  'console/src/frame/palette.tsx',
  'console/src/frame/search-box.tsx',
  'console/src/frame/tour.tsx',
  'console/src/pages/case/composer.tsx',
  'console/src/pages/cases/shared/act-fields.tsx',
  'console/src/pages/cases/shared/assignee-list.tsx',
  'console/src/pages/check/view.tsx',
  'console/src/pages/playbook-edit/inspector.tsx',
  'console/src/pages/playbook-edit/outline-view.tsx',
  'console/src/pages/playbook-edit/palette.tsx',
  'console/src/pages/rules/group-list.tsx',
  'console/src/parts/filter-bar.tsx',
]

test('no other part has keys of its own, and one with Ctrl is in the map of its page', () => {
  assert.deepEqual(findIn(/onKeyDown(?:Capture)?=/).toSorted(), OWN_KEYS)
  const withCtrl = readSources().flatMap(([file, text]) =>
    file !== 'console/src/keys/keys.ts' &&
    /onKeyDown/.test(text) &&
    /event\.ctrlKey \|\| event\.metaKey\)\) (?:return|\{)/.test(text) &&
    !text.includes("keys: 'mod+Enter'")
      ? [file]
      : [],
  )
  // A dialog lies over the map; its button has the words.
  assert.deepEqual(withCtrl, ['console/src/pages/cases/shared/act-fields.tsx'])
})

test('all requests go through one client, which shows that an act is on its way', () => {
  assert.deepEqual(findIn(/(?<![\w.])fetch\(|XMLHttpRequest|sendBeacon/), [
    'console/src/data/client.ts',
  ])
})

// It reads the preferences of a browser beside its catalogue; TypeScript compares its keys.
const NEEDS_WINDOW = new Set(['console/src/parts/playbook-graph/messages.ts'])

interface Catalogue {
  readonly en: Readonly<Record<string, string>>
  readonly de: Readonly<Record<string, string>>
}

function isCatalogue(value: unknown): value is Catalogue {
  return typeof value === 'object' && value !== null && 'en' in value && 'de' in value
}

type Parts = ReturnType<IntlMessageFormat['getAst']>

/** The values that a message names, inside of its plurals too. */
function listValues(message: string): readonly string[] {
  const names = new Set<string>()
  const visit = (parts: Parts): void => {
    for (const part of parts) {
      if ('options' in part) {
        names.add(part.value)
        for (const { value } of Object.values(part.options)) visit(value)
      } else if ('value' in part && !isPlain(part)) names.add(part.value)
    }
  }
  visit(new IntlMessageFormat(message, 'en').getAst())
  return [...names].toSorted()
}

/** Plain text, which has the kind 0 in the parser of messages. */
function isPlain({ type }: { readonly type: number }): boolean {
  return type === 0
}

test('English and German have the same messages, with the same values', async () => {
  const files = globSync('console/src/**/*messages.ts', { cwd: root })
  const faults: string[] = []
  let seen = 0
  for (const file of files.filter((one) => !NEEDS_WINDOW.has(one))) {
    const found: object = await import(join(root, file))
    for (const { en, de } of Object.values(found).filter(isCatalogue)) {
      assert.deepEqual(Object.keys(de).toSorted(), Object.keys(en).toSorted(), file)
      for (const [key, english] of Object.entries(en)) {
        seen += 1
        const german = de[key] ?? ''
        if (german.trim() === '') faults.push(`${file}: ${key} says nothing in German`)
        if (listValues(english).join() !== listValues(german).join()) {
          faults.push(`${file}: ${key} names other values in German`)
        }
      }
    }
  }
  assert.ok(seen > 1_000, `only ${seen} messages were seen`)
  assert.deepEqual(faults, [])
  assert.deepEqual(listValues('{count, plural, one {# case} other {{name} and # more}}'), [
    'count',
    'name',
  ])
})
