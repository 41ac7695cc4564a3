// The house rules that a machine can keep: the order of imports, the catalogue of errors, the
// answered gaps of the interface, the documents. Rules about the inside of features are in
// tidy-features.test.ts, rules about words in tidy-words.test.ts. Each rule has a fixture of its
// own, and a rule that saw nothing fails.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type Edge, isTest, listFiles, listSources, ROOT, readEdges } from './source-files.ts'
import { readDeeds, readTitles, splitTitles } from './test-texts.ts'

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
    const edges = files.flatMap((file) => readEdges(file, readFileSync(join(ROOT, file), 'utf8')))
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
    const text = readFileSync(join(ROOT, one), 'utf8').replaceAll(LAZY_IMPORT, '')
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

// The rooms of intel stand in one order too: none imports from its right. `errors.ts` lies left of
// all, a `routes.ts` belongs to its room.
const INTEL_ROOMS: readonly string[] = [
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
  return INTEL_ROOMS.indexOf(file.split('/')[2] ?? '')
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

describe('the rooms of intel', () => {
  test('import each other in one direction', () => {
    const files = listFiles().filter((file) => /^src\/intel\/.*\.ts$/.test(file) && !isTest(file))
    const edges = files.flatMap((file) => readEdges(file, readFileSync(join(ROOT, file), 'utf8')))
    assert.ok(edges.length > 200, `only ${edges.length} imports were seen`)
    assert.deepEqual(findIntelEdgesUp(edges), [])
  })

  test('a room that imports from its right or has no place in the order is found', () => {
    const edges = [
      { from: 'src/intel/snapshot/a.ts', to: 'src/intel/lookup/b.ts' },
      { from: 'src/intel/lookup/b.ts', to: 'src/intel/snapshot/a.ts' },
      { from: 'src/intel/utils/c.ts', to: 'src/intel/facts/d.ts' },
    ]
    assert.equal(findIntelEdgesUp(edges).length, 2)
  })
})

// In a row of defineErrors the code follows the status.
const ERROR_CODE_PATTERN = /(?:code:|\d{3},)\s*'([A-Z]+(?:_[A-Z0-9]+)+)'/g

function findCodes(text: string): string[] {
  return [...text.matchAll(ERROR_CODE_PATTERN)].map((match) => match[1] ?? '')
}

describe('the catalogue of errors', () => {
  const catalogues = listFiles().filter((file) => /^src\/.*errors\.ts$/.test(file))
  const codes = catalogues.flatMap((file) => findCodes(readFileSync(join(ROOT, file), 'utf8')))

  test('and docs/reference/errors.md name the same codes', () => {
    assert.ok(codes.length > 30, `only ${codes.length} codes were seen`)
    const page = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8')
    const documented = [...page.matchAll(/^\| `([A-Z_0-9]+)` \|/gm)].map((match) => match[1] ?? '')
    assert.deepEqual(documented.toSorted(), codes.toSorted())
  })

  test('holds every operating error: none is made elsewhere', () => {
    const strays = listFiles()
      .filter((file) => /^src\/.*\.ts$/.test(file) && !isTest(file) && !file.endsWith('errors.ts'))
      .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('new OperatingError('))
    assert.deepEqual(strays, [])
  })

  // The envelope of threat intelligence has no member for a code, and a command that does not start
  // prints the sentence alone. So a test can name these codes in words only.
  const printed = ['APP_PORT_TAKEN', 'APP_ADDRESS_NOT_USABLE', 'APP_DATABASE_NOT_USABLE']
  const isWithoutCode = (code: string): boolean =>
    code.startsWith('INTEL_') || printed.includes(code)

  test('is provoked by tests, code by code', () => {
    const tests = listFiles()
      .filter((file) => /\.(test|citus)\.ts$/.test(file) && file !== 'test/tidy.test.ts')
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    const words = tests.join('\n')
    const deeds = tests.map(readDeeds).join('\n')
    assert.deepEqual(
      codes.filter((code) => !(isWithoutCode(code) ? words : deeds).includes(code)),
      [],
      'codes that no test expects (a comment or a title alone is no test)',
    )
  })

  test('is guarded: a code in a comment or in a title is not expected by a test', () => {
    const text = "// A_B\ntest('409 A_B', () => {\n  /* A_B */\n  assert.equal(code, 'C_D')\n})\n"
    assert.ok(!readDeeds(text).includes('A_B'))
    assert.ok(readDeeds(text).includes('C_D'))
  })
})

describe('docs/interface-gaps', () => {
  test('names an existing test for every gap', () => {
    const pages = listFiles().filter((file) => /^docs\/interface-gaps\/.*\.md$/.test(file))
    const text = pages.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n')
    const rows = [...text.matchAll(/^\| (?!Interface|---)(.+?) \| (.+?) \| (.+?) \|$/gm)]
    assert.ok(rows.length > 100, `only ${rows.length} gaps were seen`)
    const titles = new Set(
      listFiles()
        .filter(isTest)
        .flatMap((file) => readTitles(readFileSync(join(ROOT, file), 'utf8'))),
    )
    assert.ok(titles.size > 1_500, `only ${titles.size} titles were seen`)
    const missing = rows
      .map((row) => (row[3] ?? '').replaceAll('`', ''))
      .filter((cell) => splitTitles(cell, titles) === null)
    assert.deepEqual(missing, [], 'named tests that do not exist')
  })

  test('is guarded: a part of a title, a suite, a comment and a skipped test are no test', () => {
    const text =
      "describe('suite', () => {\n  // it('comment')\n  it.skip('skipped', f)\n  it('one; two', f)\n  it('three', f)\n})\n"
    const titles = new Set(readTitles(text))
    assert.deepEqual(splitTitles('three; one; two', titles), ['three', 'one; two'])
    for (const cell of ['one', 'two', 'three; four', 'suite', 'comment', 'skipped', '']) {
      assert.equal(splitTitles(cell, titles), null, cell)
    }
  })
})

describe('the operations of the service', () => {
  test('have a sample each, for the tests that go over all of them', () => {
    const document = readFileSync(join(ROOT, 'openapi/beta.json'), 'utf8')
    const ids = [...document.matchAll(/"operationId": ?"(\w+)"/g)].map((match) => match[1] ?? '')
    const samples = readFileSync(join(ROOT, 'test/operation-samples.ts'), 'utf8')
    assert.ok(ids.length > 100, `only ${ids.length} operations were seen`)
    assert.deepEqual(
      ids.filter((id) => !samples.includes(`\n  ${id}: `)),
      [],
      'operations without a request in test/operation-samples.ts',
    )
  })
})

describe('the groups of test/groups and test/program-groups', () => {
  test('run every test file, each once', () => {
    const groups = listFiles().filter((file) => /^test\/(program-)?groups\//.test(file))
    const patterns = groups.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/'([^']+\.test\.ts)'/g)].map(
        (match) => match[1] ?? '',
      ),
    )
    const run = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    const tests = listFiles().filter((file) => file.endsWith('.test.ts'))
    assert.ok(tests.length > 150, `only ${tests.length} files were seen`)
    assert.deepEqual(run.toSorted(), tests.toSorted())
  })
})

describe('documents', () => {
  const pages = listFiles().filter((file) => file.endsWith('.md'))

  test('have exactly one title each', () => {
    assert.ok(pages.length > 10)
    const wrong = pages.filter((page) => countTitles(readFileSync(join(ROOT, page), 'utf8')) !== 1)
    assert.deepEqual(wrong, [])
  })

  test('have no dead relative link', () => {
    const dead = pages.flatMap((page) =>
      findRelativeLinks(readFileSync(join(ROOT, page), 'utf8'))
        .filter((link) => !existsSync(join(ROOT, dirname(page), link)))
        .map((link) => `${page} → ${link}`),
    )
    assert.deepEqual(dead, [])
  })

  test('hold no placeholder of a template text', () => {
    const wrong = pages.filter((page) => readFileSync(join(ROOT, page), 'utf8').includes('${'))
    assert.deepEqual(wrong, [])
  })

  test('a title inside a code block is not counted', () => {
    assert.equal(countTitles('# One\n```\n# not a title\n```\n'), 1)
    assert.equal(countTitles('# One\n\n# Two\n'), 2)
  })

  test('an anchor and a web address are no relative links', () => {
    assert.deepEqual(findRelativeLinks('[a](b.md#c) [d](#e) [f](https://example.org/)'), ['b.md'])
  })
})

describe('the tree', () => {
  test('holds no file over 1 MiB, and no generated document over 3 MiB', () => {
    const files = listFiles()
    assert.ok(files.length > 150)
    assert.deepEqual(
      files.filter((file) => statSync(join(ROOT, file)).size > limitBytes(file)),
      [],
      'too large: split the file, or keep it out of the tree',
    )
  })

  test('names no absolute path of a developer machine', () => {
    const wrong = listFiles()
      .filter(
        (file) => /\.(ts|js|json|md|sql|toml|yml|sh)$/.test(file) && file !== 'test/tidy.test.ts',
      )
      .filter((file) => /\/(?:home|Users|work)\/[a-z]/.test(readFileSync(join(ROOT, file), 'utf8')))
    assert.deepEqual(wrong, [])
  })

  test('has the tricks of the planner in one file, each with a name and a test', () => {
    const trick =
      /\boffset 0\b(?! without)|set local enable_|limit \(select \d|\}? \|\| '' = |case when \$\{\w+\} then true end/
    const files = listFiles().filter((file) => /^src\/.*\.ts$/.test(file) && !isTest(file))
    assert.deepEqual(
      files.filter((file) => trick.test(readFileSync(join(ROOT, file), 'utf8'))),
      ['src/kernel/db/planner.ts'],
    )
  })

  test('starts every source file with a sentence on what it is for', () => {
    const wrong = listFiles()
      .filter((file) => /^(src|scripts|bench|test)\/.*\.ts$/.test(file) && !isTest(file))
      .filter((file) => !/^\/\/ \S/.test(readFileSync(join(ROOT, file), 'utf8')))
    assert.deepEqual(wrong, [])
  })
})

function countTitles(text: string): number {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '')
  return [...prose.matchAll(/^# /gm)].length
}

function findRelativeLinks(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').split('#')[0] ?? '')
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
}

// The OpenAPI document writes each schema out where it is used.
function limitBytes(file: string): number {
  return (file.startsWith('openapi/') ? 3 : 1) * 1_024 * 1_024
}
