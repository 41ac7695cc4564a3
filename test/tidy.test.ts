// The order of imports: between the areas of the source, within intel, and what a command loads.
// Rules about the inside of features are in tidy-features.test.ts, about words in
// tidy-words.test.ts, about what is proven in tidy-proofs.test.ts, about documents and the tree in
// tidy-tree.test.ts. Each rule has a fixture of its own, and a rule that saw nothing fails.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Edge, isTest, listFiles, listSources, readEdges, readText } from './source-files.ts'

// Design section 2: imports run left only. Reader and kernel stand side by side.
const ORDER: readonly string[] = [
  'values',
  'vocabulary',
  'reader',
  'kernel',
  'access',
  'intel',
  'casework/changes',
  'casework/secrets',
  'casework/cases',
  'casework/rules',
  'casework/owners',
  'casework/notices',
  'casework/mitigations',
  'casework/playbooks',
  'casework/sightings',
  'casework/events',
  'casework/reports',
  'casework/webhooks',
  'casework/desk',
  'casework/privacy',
  'app',
]

// What stands on top talks to the rest through few of its parts only.
const MAY_IMPORT: Record<string, readonly string[]> = {
  // What is published for other programs knows the wire only.
  client: [],
  // The command line serves, migrates and reads settings itself; everything else goes over HTTP.
  cli: ['app', 'client', 'kernel', 'mcp', 'values', 'vocabulary'],
  mcp: ['client'],
  'main.ts': ['cli', 'values'],
}

function readArea(file: string): string {
  const [, area = '', feature = ''] = file.split('/')
  return area === 'casework' ? `casework/${feature}` : area
}

type Path = Pick<Edge, 'from' | 'to'>

function isForbidden({ from, to }: Path): boolean {
  if (!to.startsWith('src/')) return true
  const source = readArea(from)
  const target = readArea(to)
  if (source === target) return false
  const allowed = MAY_IMPORT[source]
  if (allowed !== undefined) return !allowed.some((area) => to.startsWith(`src/${area}/`))
  const [rank, targetRank] = [ORDER.indexOf(source), ORDER.indexOf(target)]
  if (rank === -1 || targetRank === -1) return true
  return targetRank >= rank || (source === 'kernel' && target === 'reader')
}

function findForbiddenEdges(edges: readonly Path[]): string[] {
  return edges.filter(isForbidden).map(({ from, to }) => `${from} imports ${to}`)
}

describe('the order of imports', () => {
  test('is kept by every source file', () => {
    const files = listSources()
    const edges = files.flatMap((file) => readEdges(file, readText(file)))
    assert.ok(files.length > 100, `only ${files.length} files were seen`)
    assert.ok(edges.length > 200, `only ${edges.length} imports were seen`)
    assert.deepEqual(findForbiddenEdges(edges), [])
  })

  test('sees type-only imports, re-exports and lazy imports', () => {
    const text = `// x\nimport type { A } from '../intel/errors.ts'\nexport { b } from '../access/errors.ts'\nconst c = await import('../app/serve.ts')\n`
    assert.equal(findForbiddenEdges(readEdges('src/kernel/x.ts', text)).length, 3)
  })

  test('lets a feature import from its left and not from its right', () => {
    const rightwards = { from: 'src/casework/cases/a.ts', to: 'src/casework/events/b.ts' }
    const leftwards = { from: 'src/casework/events/b.ts', to: 'src/casework/cases/a.ts' }
    assert.equal(findForbiddenEdges([rightwards]).length, 1)
    assert.deepEqual(findForbiddenEdges([leftwards]), [])
  })

  test('keeps reader and kernel apart, and a folder without a place out', () => {
    const edges = [
      { from: 'src/reader/a.ts', to: 'src/kernel/b.ts' },
      { from: 'src/kernel/b.ts', to: 'src/reader/a.ts' },
      { from: 'src/app/c.ts', to: 'src/casework/utils/d.ts' },
    ]
    assert.equal(findForbiddenEdges(edges).length, 3)
  })
})

// Commands on the database, which load what they need only: 1,300 modules take a second.
const DATABASE_COMMANDS: readonly string[] = [
  'audit-verify-command',
  'backup',
  'erase',
  'erase-again-command',
  'export-command',
  'migrate-command',
  'recount-command',
]
const LAZY_IMPORT = /import\('[^']+'\)/g

/** The files of `src` that a file loads before its first step. */
function listLoaded(file: string): readonly string[] {
  const found = new Set([file])
  // A set gives what is added on the way, too.
  for (const one of found) {
    const text = readText(one).replaceAll(LAZY_IMPORT, '')
    for (const { to, isLoaded } of readEdges(one, text)) if (isLoaded) found.add(to)
  }
  return [...found]
}

describe('what a command loads', () => {
  test('is neither the reader of reports nor what puts all services together', () => {
    for (const name of DATABASE_COMMANDS) {
      const loaded = listLoaded(`src/cli/${name}.ts`)
      assert.ok(loaded.length > 40, `${name} loads ${loaded.length} files`)
      const heavy = loaded.filter((file) => /^src\/(?:reader\/|app\/compose\.ts)/.test(file))
      assert.deepEqual(heavy, [], name)
    }
  })

  test('is followed over several files, without lazy imports and types', () => {
    const loaded = listLoaded('src/app/compose.ts')
    assert.ok(loaded.includes('src/reader/read-report.ts'))
    assert.ok(listLoaded('src/cli/cli.ts').length < 100)
  })
})

// The folders of intel have an order too: none imports from its right. `errors.ts` comes first.
const INTEL_FOLDERS: readonly string[] = [
  'errors.ts',
  'facts',
  'snapshot',
  'dns',
  'index',
  'tags',
  'sighting-rules',
  'sources',
  'contacts',
  'enrichment',
  'lookup',
  'networks',
]

function rankOfIntel(file: string): number {
  return INTEL_FOLDERS.indexOf(file.split('/')[2] ?? '')
}

function findIntelEdgesUp(edges: readonly Path[]): string[] {
  return edges
    .filter(({ from, to }) => readArea(from) === 'intel' && readArea(to) === 'intel')
    .filter(({ from, to }) => {
      const [rank, targetRank] = [rankOfIntel(from), rankOfIntel(to)]
      return rank === -1 || targetRank === -1 || targetRank > rank
    })
    .map(({ from, to }) => `${from} imports ${to}`)
}

describe('the folders of intel', () => {
  test('import each other in one direction', () => {
    const files = listFiles().filter((file) => /^src\/intel\/.*\.ts$/.test(file) && !isTest(file))
    const edges = files.flatMap((file) => readEdges(file, readText(file)))
    assert.ok(edges.length > 200, `only ${edges.length} imports were seen`)
    assert.deepEqual(findIntelEdgesUp(edges), [])
  })

  test('are guarded: one that imports from its right or is not in the order is found', () => {
    const edges = [
      { from: 'src/intel/snapshot/a.ts', to: 'src/intel/lookup/b.ts' },
      { from: 'src/intel/lookup/b.ts', to: 'src/intel/snapshot/a.ts' },
      { from: 'src/intel/utils/c.ts', to: 'src/intel/facts/d.ts' },
    ]
    assert.equal(findIntelEdgesUp(edges).length, 2)
  })
})
