// The rules about words: exported names are made of the words of docs/concepts/glossary.md,
// comments wrap at 100 columns, documents hold no placeholder of a template text, and shell blocks
// are written so that test/docs can run them. Each rule has a fixture that breaks it.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { EXPECTED_FAILURES, isAbout, listBlocks, NOT_RUN } from './docs/shell-blocks.ts'
import { listFiles, listSources, ROOT, readText } from './source-files.ts'

const GLOSSARY = 'docs/concepts/glossary.md'

describe('exported names', () => {
  const glossary = readGlossary(readText(GLOSSARY))

  test('are made of words of the glossary', () => {
    const sources = listSources().map((file) => ({ file, text: readText(file) }))
    const names = sources.flatMap(({ file, text }) => listExports(file, text))
    assert.ok(names.length > 1_000, `only ${names.length} names were seen`)
    assert.ok(
      glossary.known.size > 300,
      `${GLOSSARY}, "Other words in names": only ${glossary.known.size} words were seen`,
    )
    assert.deepEqual(
      [...new Set(names.flatMap((name) => findStrangeWords(name, glossary)))].toSorted(),
      [],
      `add a noun of the field to the table of ${GLOSSARY}, any other word to the list at its end`,
    )
  })

  test('are guarded: an unknown and a replaced word are found, in code and in file names', () => {
    const page =
      '| Word | Meaning |\n| --- | --- |\n| open case, correlation key | … |\n\n## Replaced words\n\n| Not | But |\n| --- | --- |\n| slot | open case |\n\n## Other words in names\n\nfind, list\n'
    const words = readGlossary(page)
    const found = listExports(
      'a/find-cases.ts',
      'export function findOpenCases() {}\nexport type SlotList = 1\nexport const FROBNICATE_LIST = 2\nexport const {\n  findSlot,\n} = list()\n',
    ).flatMap((name) => findStrangeWords(name, words))
    assert.deepEqual(found, [
      'slot (say: open case), in SlotList',
      'frobnicate, in FROBNICATE_LIST',
      'slot (say: open case), in findSlot',
    ])
  })
})

interface Glossary {
  readonly known: ReadonlySet<string>
  readonly replaced: ReadonlyMap<string, string>
}

// Three parts: the words with their meanings, the words that were replaced, and all other words.
function readGlossary(page: string): Glossary {
  const [meanings = '', replacedPart = '', others = ''] = page.split(
    /^## (?:Replaced words|Other words in names)$/m,
  )
  const known = new Set<string>()
  for (const row of meanings.matchAll(/^\| (?!Word|---)(.+?) \|/gm)) addWords(known, row[1] ?? '')
  addWords(known, others)
  const replaced = new Map<string, string>()
  for (const row of replacedPart.matchAll(/^\| (?!Not|---)(.+?) \| (.+?) \|$/gm)) {
    for (const word of (row[1] ?? '').split(', ')) replaced.set(word, row[2] ?? '')
  }
  return { known, replaced }
}

function addWords(words: Set<string>, text: string): void {
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) words.add(word)
}

function listExports(file: string, text: string): string[] {
  const names = [
    ...text.matchAll(
      /^export (?:declare )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
    ),
  ].map((match) => match[1] ?? '')
  const taken = [...text.matchAll(/^export const \{([^}]+)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  )
  return [...names, ...taken.filter((name) => name !== ''), basename(file, '.ts')]
}

function findStrangeWords(name: string, { known, replaced }: Glossary): string[] {
  return splitWords(name)
    .filter((word) => !isKnown(word, known) || replaced.has(word))
    .map((word) => {
      const instead = replaced.get(word)
      return instead === undefined ? `${word}, in ${name}` : `${word} (say: ${instead}), in ${name}`
    })
}

function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+|\d+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1)
}

// Plurals and verb forms follow from the word.
function isKnown(word: string, known: ReadonlySet<string>): boolean {
  const stems = [
    word,
    word.replace(/s$/, ''),
    word.replace(/es$/, ''),
    word.replace(/ies$/, 'y'),
    word.replace(/ed$/, ''),
    word.replace(/d$/, ''),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
    word.replace(/([a-z])\1(?:ed|ing)$/, '$1'),
    word.replace(/ied$/, 'y'),
  ]
  return stems.some((stem) => known.has(stem))
}

describe('comments', () => {
  test('wrap at 100 columns', () => {
    const files = listFiles().filter((file) => /^(src|test|bench|scripts)\/.*\.ts$/.test(file))
    assert.ok(files.length > 500, `only ${files.length} files were seen`)
    assert.deepEqual(
      files.flatMap((file) => findWideComments(readText(file)).map((line) => `${file}:${line}`)),
      [],
      'comments wider than 100 columns',
    )
  })

  test('are guarded: a comment of 101 columns is found, code and one of 100 are not', () => {
    const wide = `// ${'x'.repeat(98)}`
    const text = [wide, wide.slice(0, 100), `const a = '${'x'.repeat(100)}'`, `  /** ${wide} */`]
    assert.deepEqual(findWideComments(text.join('\n')), [1, 4])
  })
})

// A reason behind a linter's directive belongs to its line.
function findWideComments(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > 100 && /^\s*(\/\/|\*(?!\*)|\/\*)/.test(line) && !/oxlint-disable/.test(line)
        ? [index + 1]
        : [],
    )
}

describe('documents', () => {
  const pages = listFiles().filter((file) => file.endsWith('.md'))

  test('hold no placeholder of a template text', () => {
    assert.ok(pages.length > 20, `only ${pages.length} pages were seen`)
    assert.deepEqual(
      pages.filter((page) => hasPlaceholder(readText(page))),
      [],
    )
  })

  test('are guarded: a placeholder is found, a variable of a shell is not', () => {
    assert.ok(hasPlaceholder('The folder ${path} cannot be used.'))
    assert.ok(!hasPlaceholder('curl $CASEWORK_URL/readyz'))
  })
})

describe('shell blocks of the documents', () => {
  test('each exception names exactly one block, and has a reason', () => {
    for (const entry of NOT_RUN) {
      const found = listBlocks().filter((block) => isAbout(entry, block))
      assert.equal(found.length, 1, `${entry.page}: ${entry.line}`)
      assert.match(entry.reason, /^[A-Zn].{20,}\.$/)
    }
    for (const { page, command } of EXPECTED_FAILURES) {
      const isThere = listBlocks().some(
        (block) => block.page === page && block.text.includes(command),
      )
      assert.ok(isThere, `${page}: ${command}`)
    }
  })

  test('the server is named by $CASEWORK_URL alone', () => {
    for (const { page, text } of listBlocks()) {
      const rest = text
        .replace(/^export CASEWORK_URL=\S+$/m, '')
        .replace('smtp://127.0.0.1:2525', '')
      assert.doesNotMatch(rest, /127\.0\.0\.1|localhost/, page)
    }
  })

  test('curl fails for a refusal and prints its reason', () => {
    const calls = listBlocks().flatMap(({ page, text }) =>
      [...text.matchAll(/\bcurl [^\n]*/g)].map(([call]) => `${page}: ${call}`),
    )
    assert.ok(calls.length > 10)
    const pattern = /curl -sS (?:--fail-with-body|smtp:)/
    assert.deepEqual(
      calls.filter((call) => !pattern.test(call)),
      [],
    )
  })

  test('hosts are of this machine or reserved names', () => {
    for (const { page, text } of listBlocks()) {
      for (const [, host = ''] of text.matchAll(
        /(?:https?|smtp|postgres):\/\/(?:[^@\s/]*@)?([\w.-]+)/g,
      )) {
        assert.match(
          host,
          /^127\.0\.0\.1$|(?:^|\.)(?:example|invalid|test)(?:\.(?:com|net|org))?$/,
          page,
        )
      }
    }
  })

  test('the command has one spelling, npx casework', () => {
    const commands =
      'serve|migrate|token|lookup|check|explain|import|report|source|backup|restore|doctor|privacy|config|examples'
    const wrong = new RegExp(
      `npm run (?:-s )?casework -|(?<!npx )(?<![\\w/.-])casework (?:${commands})\\b`,
    )
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...globSync('{docs,examples}/**/*.md', { cwd: ROOT }),
    ]
    assert.ok(pages.length > 30)
    for (const page of pages) {
      assert.doesNotMatch(readText(page), wrong, page)
    }
    assert.match('`casework lookup 192.0.2.1`', wrong)
    assert.doesNotMatch('`npx casework lookup 192.0.2.1`', wrong)
  })
})

function hasPlaceholder(page: string): boolean {
  return page.includes('${')
}
