// The rules of design section 2 for the inside of features: who may import a table of contents or
// an endpoint, which file of the reader others load, what a wire file and a model load, who writes
// a table, and who takes all services at once. Each rule has a fixture that breaks it.

import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { type Edge, listSources, readEdges, readFeature, readText } from './source-files.ts'

interface Source {
  readonly file: string
  readonly text: string
}

const SOURCES: readonly Source[] = listSources().map((file) => ({ file, text: readText(file) }))
const EDGES: readonly Edge[] = SOURCES.flatMap(({ file, text }) => readEdges(file, text))

// Makes the routes of other files.
const LIST_ROUTE = 'src/access/list-route.ts'

function isEndpoint({ file, text }: Source): boolean {
  return file !== LIST_ROUTE && /\b(?:define|list)Route\(/.test(text)
}

describe('tables of contents and endpoints', () => {
  test('are imported by the app and by their own feature only', () => {
    const endpoints = listEndpoints(SOURCES)
    assert.ok(endpoints.size > 60, `only ${endpoints.size} endpoints were seen`)
    assert.deepEqual(findEndpointImports(EDGES, endpoints), [])
  })

  test('are guarded: a fixture that imports them from another feature is found', () => {
    const endpoints = new Set(['src/casework/cases/get-case.ts'])
    const edges = readEdges(
      'src/casework/events/a.ts',
      `\nimport { caseRoutes } from '../cases/routes.ts'\nimport { getCaseRoute } from '../cases/get-case.ts'\n`,
    )
    assert.equal(findEndpointImports(edges, endpoints).length, 2)
    const own = readEdges('src/casework/cases/a.ts', `\nimport { a } from './get-case.ts'\n`)
    assert.deepEqual(findEndpointImports(own, endpoints), [])
  })
})

function listEndpoints(sources: readonly Source[]): ReadonlySet<string> {
  return new Set(sources.filter(isEndpoint).map(({ file }) => file))
}

function findEndpointImports(edges: readonly Edge[], endpoints: ReadonlySet<string>): string[] {
  return edges
    .filter(({ to }) => endpoints.has(to) || basename(to) === 'routes.ts')
    .filter(({ from, to }) => readFeature(from) !== 'app' && readFeature(from) !== readFeature(to))
    .map(({ from, to }) => `${from} imports ${to}`)
}

describe('the reader', () => {
  test('is loaded through read-report.ts only', () => {
    const loads = EDGES.filter(({ to }) => to === READER_ENTRANCE)
    assert.ok(loads.length > 2, `only ${loads.length} imports of the entrance were seen`)
    assert.deepEqual(findOtherEntrances(EDGES), [])
  })

  test('is guarded: another file that is loaded is found, an imported type is not', () => {
    const text = `\nimport { readReportBytes } from '../../reader/read-report.ts'\nimport type { ReadEvent } from '../../reader/reading.ts'\nimport { detectFormat } from '../../reader/detect-format.ts'\n`
    const edges = readEdges('src/casework/reports/a.ts', text)
    assert.deepEqual(findOtherEntrances(edges), [
      'src/casework/reports/a.ts loads src/reader/detect-format.ts',
    ])
    assert.deepEqual(findOtherEntrances(readEdges('src/reader/mail/a.ts', text)), [])
  })
})

const READER_ENTRANCE = 'src/reader/read-report.ts'

function findOtherEntrances(edges: readonly Edge[]): string[] {
  return edges
    .filter(({ from, to }) => to.startsWith('src/reader/') && !from.startsWith('src/reader/'))
    .filter(({ to, isLoaded }) => isLoaded && to !== READER_ENTRANCE)
    .map(({ from, to }) => `${from} loads ${to}`)
}

describe('wire files', () => {
  test('load typebox, values, vocabulary and other wire files only', () => {
    const wires = SOURCES.filter(({ file }) => file.endsWith('-wire.ts'))
    assert.ok(wires.length > 20, `only ${wires.length} wire files were seen`)
    assert.deepEqual(wires.flatMap(findLoadedByWire), [])
  })

  test('are guarded: a wire file that loads a store is found, one that imports its type is not', () => {
    const text = `\nimport { Type } from 'typebox'\nimport type { Row } from './case-store.ts'\nimport { find } from './case-store.ts'\nimport { sql } from 'kysely'\n`
    const found = findLoadedByWire({ file: 'src/casework/cases/case-wire.ts', text })
    assert.equal(found.length, 2)
  })
})

function findLoadedByWire({ file, text }: Source): string[] {
  const own = readEdges(file, text)
    .filter(({ isLoaded }) => isLoaded)
    .map(({ to }) => to)
    .filter((to) => !/^src\/(values|vocabulary)\//.test(to) && !to.endsWith('-wire.ts'))
  const packages = [...text.matchAll(/(?:^|\n)import (?!type )[^;'"]*?from '([^.][^']*)'/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => !name.startsWith('typebox'))
  return [...own, ...packages].map((to) => `${file} loads ${to}`)
}

describe('models', () => {
  test('load no store and no database', () => {
    const models = SOURCES.filter(({ file }) => isModel(file, SOURCES))
    assert.ok(models.length > 8, `only ${models.length} models were seen`)
    assert.deepEqual(models.flatMap(findStoresOfModel), [], 'a pure model loads no store')
  })

  test('are guarded: a model that loads a store is found', () => {
    const text = `\nimport { findCase } from './case-store.ts'\n`
    assert.equal(findStoresOfModel({ file: 'src/casework/cases/case.ts', text }).length, 1)
  })
})

// `<noun>.ts` beside `<noun>-store.ts` or `<noun>-wire.ts`, and the pure decisions by name.
const PURE: readonly string[] = [
  'casework/cases/case-state.ts',
  'casework/cases/case-deadline.ts',
  'casework/events/correlate.ts',
  'casework/events/fingerprint.ts',
  'casework/playbooks/runs/run-step.ts',
  'casework/playbooks/runs/decide-trigger.ts',
  'casework/playbooks/playbook-graph.ts',
  'casework/rules/correlation-key.ts',
  'casework/rules/case-group.ts',
  'intel/facts/bogon.ts',
  'intel/facts/classify-item.ts',
]

function isModel(file: string, sources: readonly Source[]): boolean {
  if (PURE.includes(file.replace(/^src\//, ''))) return true
  const stem = file.replace(/\.ts$/, '')
  return sources.some((one) => one.file === `${stem}-store.ts` || one.file === `${stem}-wire.ts`)
}

function findStoresOfModel({ file, text }: Source): string[] {
  return readEdges(file, text)
    .filter(
      ({ to, isLoaded }) =>
        isLoaded && (to.endsWith('-store.ts') || /^src\/kernel\/(db|http)\//.test(to)),
    )
    .map(({ to }) => `${file} loads ${to}`)
}

test('every pure model that this rule names is there', () => {
  const files = new Set(SOURCES.map(({ file }) => file))
  assert.deepEqual(
    PURE.filter((file) => !files.has(`src/${file}`)),
    [],
  )
})

describe('tables', () => {
  test('are written by one feature each, but for privacy and backup', () => {
    const writers = listWriters(SOURCES)
    assert.ok(writers.size > 40, `only ${writers.size} tables were seen`)
    assert.deepEqual(findSharedTables(writers), [])
  })

  test('are guarded: a second writer is found, in SQL and in the query builder', () => {
    const sources = [
      { file: 'src/casework/cases/a-store.ts', text: 'sql`update abuse_case set state = 1`' },
      { file: 'src/casework/events/b-store.ts', text: `db.updateTable('abuse_case')` },
      { file: 'src/casework/privacy/c-store.ts', text: 'sql`delete from abuse_case`' },
      {
        file: 'src/casework/rules/d.ts',
        text: '// update abuse_case by hand\nsql`for update of x`',
      },
    ]
    assert.deepEqual(findSharedTables(listWriters(sources)), [
      'abuse_case: casework/cases, casework/events',
    ])
  })
})

const MAY_WRITE_ALL: readonly string[] = ['casework/privacy', 'app/backup']

const WRITE_PATTERN =
  /\b(?:insert into|delete from|merge into|(?<!\b(?:key|for|do) )update)\s+([a-z]+(?:_[a-z]+)*)\b(?!\()|\.(?:insertInto|updateTable|deleteFrom|mergeInto)\('([a-z_]+)|\bcopy ([a-z_]+)[^`]*? from stdin/g
// Words that follow `update` in prose and in locks, and never name a table.
const NO_TABLES = new Set(['set', 'of', 'skip', 'nowait', 'the', 'your', 'a'])

function listWriters(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const writers = new Map<string, Set<string>>()
  for (const { file, text } of sources) {
    const feature = file.startsWith('src/app/backup/') ? 'app/backup' : readFeature(file)
    const code = text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')
    for (const match of code.matchAll(WRITE_PATTERN)) {
      const table = match[1] ?? match[2] ?? match[3] ?? ''
      if (NO_TABLES.has(table)) continue
      writers.set(table, (writers.get(table) ?? new Set()).add(feature))
    }
  }
  return writers
}

function findSharedTables(writers: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...writers]
    .map(([table, features]) => ({
      table,
      features: [...features].filter((feature) => !MAY_WRITE_ALL.includes(feature)),
    }))
    .filter(({ features }) => features.length > 1)
    .map(({ table, features }) => `${table}: ${features.toSorted().join(', ')}`)
}

describe('all services at once', () => {
  test('are taken by no endpoint and no use case', () => {
    assert.ok(EDGES.length > 1_000, `only ${EDGES.length} imports were seen`)
    assert.deepEqual(
      findServiceTakers(SOURCES),
      [],
      'take the values and functions that are used, by name',
    )
  })

  test('are guarded: an endpoint that takes one is found', () => {
    const text = `export function getCaseRoute({ db }: Pick<Casework, 'db'>): Route {}`
    assert.equal(findServiceTakers([{ file: 'src/casework/cases/get-case.ts', text }]).length, 1)
    assert.deepEqual(findServiceTakers([{ file: 'src/app/compose.ts', text }]), [])
  })
})

function findServiceTakers(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file }) => /^src\/(access|casework|intel|kernel)\//.test(file))
    .filter(({ text }) => {
      const code = text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')
      return /[:<,&|(]\s*(?:Casework|Intel|Foundation|Services)\b(?!['-]| [a-z])/.test(code)
    })
    .map(({ file }) => file)
}

describe('base names', () => {
  test('stand once, but for routes.ts, errors.ts and the files of node kinds', () => {
    assert.ok(SOURCES.length > 400)
    assert.deepEqual(findSharedNames(SOURCES.map(({ file }) => file)), [])
  })

  test('are guarded: two files of one name are found', () => {
    const files = ['src/a/one.ts', 'src/b/one.ts', 'src/a/routes.ts', 'src/b/routes.ts']
    assert.deepEqual(findSharedNames(files), ['src/a/one.ts, src/b/one.ts'])
    const kinds = ['src/casework/playbooks/nodes/one.ts', 'src/a/one.ts']
    assert.deepEqual(findSharedNames(kinds), [])
  })
})

// A file of a node kind has the name of its kind.
const NODE_FOLDER = 'src/casework/playbooks/nodes/'

function findSharedNames(files: readonly string[]): string[] {
  const named = files.filter((file) => !file.startsWith(NODE_FOLDER))
  return [...Map.groupBy(named, (file) => basename(file))]
    .filter(([name, same]) => same.length > 1 && name !== 'routes.ts' && name !== 'errors.ts')
    .map(([, same]) => same.join(', '))
}
