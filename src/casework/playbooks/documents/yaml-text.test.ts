// YAML as the other form of JSON: what is written is read as the same value, and what JSON cannot
// say, or what would keep the parser busy, is refused with its line.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readYaml, writeYaml } from './yaml-text.ts'

function faultsOf(text: string): readonly [string, string, number | undefined][] {
  const reading = readYaml(text)
  assert.equal(reading.kind, 'faulty', JSON.stringify(reading))
  return reading.kind === 'faulty'
    ? reading.problems.map(({ path, reason, line }) => [path, reason, line])
    : []
}

function valueOf(text: string): unknown {
  const reading = readYaml(text)
  assert.equal(reading.kind, 'read', JSON.stringify(reading))
  return reading.kind === 'read' ? reading.value : null
}

const oddText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    'yes',
    'null',
    '~',
    '1',
    '1e3',
    '0x1f',
    '.inf',
    '- a',
    '# b',
    'a: b',
    '&a',
    '*a',
    '!x',
    '%Y',
    '---',
    'a\nb\n',
    '\n\na',
    ' a\n  b',
    'a\r\nb',
    'a\tb\n\tc',
    '\u0085',
    '\u2028x',
    "it's",
    '"',
    '`',
    '{',
    '|',
    '>-\n',
    '2026-01-01',
  ),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    oddText,
    fc.boolean(),
    fc.constant(null),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((one) => (Object.is(one, -0) ? 0 : one)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(oddText, tie('tree'), { maxKeys: 4 }),
  ),
}))

test('every value of JSON is read as it was written', () => {
  fc.assert(
    fc.property(fc.dictionary(oddText, tree, { maxKeys: 5 }), fc.array(tree), (members, nodes) => {
      const value = JSON.parse(JSON.stringify({ ...members, nodes }))
      assert.deepEqual(valueOf(writeYaml(value)), value)
    }),
    { numRuns: 500 },
  )
})

test('control characters are escaped, so that a terminal may show a document', () => {
  const value = { nodes: [], 'a\u009b': 'b\u001b[2J\nc\u007f\u0085', d: ['\u0007'] }
  const text = writeYaml(value)
  // oxlint-disable-next-line eslint/no-control-regex
  assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
  assert.deepEqual(valueOf(text), value)
})

test('words of older YAML are texts, and no tag makes an object', () => {
  assert.deepEqual(valueOf('%YAML 1.1\n---\na: yes\nb: 2026-01-01\n1: x\nnull: y\n'), {
    a: 'yes',
    b: '2026-01-01',
    1: 'x',
    null: 'y',
  })
  assert.deepEqual(valueOf('__proto__: {a: 1}'), JSON.parse('{"__proto__": {"a": 1}}'))
  for (const tag of ['!!binary aGk=', '!!js/function x', '!mine {a: 1}']) {
    assert.match(faultsOf(`a: 1\nb: ${tag}`)[0]?.[1] ?? '', /Unresolved tag/)
  }
})

test('what JSON cannot say is refused with its place and its line', () => {
  assert.deepEqual(faultsOf('a:\n  b: .inf'), [['/a/b', 'is a number that JSON does not have', 2]])
  assert.deepEqual(faultsOf('a: 1\nc:\n  - x: 1\n    x: 2'), [['/c/0/x', 'stands here twice', 4]])
  assert.deepEqual(faultsOf('a: 1\n? [b]\n: 2'), [
    ['/', 'has a key behind a question mark, which is not taken', 2],
  ])
  assert.equal(faultsOf('a: [1,\nb: 2')[0]?.[2], 2)
  assert.match(faultsOf('--- 1\n--- 2')[0]?.[1] ?? '', /multiple documents/)
})

test('aliases are taken, few of them and none that leads back', () => {
  const value = valueOf('a: &one {x: 1}\nb: *one')
  assert.deepEqual(value, { a: { x: 1 }, b: { x: 1 } })
  assert.match(faultsOf('a: &a [*a]')[0]?.[1] ?? '', /nests deeper/)
  assert.match(faultsOf('a: *none')[0]?.[1] ?? '', /alias/i)
  const laughs = Array.from({ length: 9 }, (_, at) => {
    const former = at === 0 ? 'x' : `*l${at - 1}`
    return `l${at}: &l${at} [${Array.from({ length: 9 }, () => former).join(', ')}]`
  })
  assert.match(faultsOf(laughs.join('\n'))[0]?.[1] ?? '', /aliases|values/)
})

test('a text that would keep the parser busy is refused before it is parsed', () => {
  const refused: readonly [string, RegExp][] = [
    ['? '.repeat(100_000), /question mark/],
    ['- '.repeat(100_000), /deeper/],
    ['['.repeat(100_000), /deeper/],
    [': '.repeat(100_000), /deeper/],
    [`[${'[],'.repeat(100_000)}]`, /too long/],
    [Array.from({ length: 900 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), /deeper/],
  ]
  for (const [text, reason] of refused) assert.match(faultsOf(text)[0]?.[1] ?? '', reason)
})

test('the line of a place is that of its key, or of the nearest object around it', () => {
  const reading = readYaml(
    'name: x\nnodes:\n  - id: a\n    config:\n      text: >\n        long\n  - id: b\n',
  )
  assert.ok(reading.kind === 'read')
  const lines = [
    '/name',
    '/nodes/0',
    '/nodes/0/config/text',
    '/nodes/0/config/none',
    '/nodes/1/id',
    '/x',
  ].map((pointer) => reading.findLine(pointer))
  assert.deepEqual(lines, [1, 3, 5, 5, 7, 1])
})

test('of many faults the first 50 are told, each with its own line', () => {
  const twice = Array.from({ length: 60 }, () => 'a: 1').join('\n')
  const keys = faultsOf(twice)
  assert.deepEqual([keys.length, keys.at(-1)], [50, ['/a', 'stands here twice', 51]])
  const tagged = Array.from({ length: 60 }, (_, at) => `a${at}: !x 1`).join('\n')
  const tags = faultsOf(tagged)
  assert.deepEqual([tags.length, tags.at(-1)?.[2]], [50, 50])
})
