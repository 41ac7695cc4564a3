// The shell blocks of README.md and docs, and which of them a test cannot run.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../source-files.ts'

export interface Block {
  readonly page: string
  readonly text: string
}

interface NotRun {
  readonly page: string
  /** A line of the block. */
  readonly line: string
  readonly reason: string
}

/** The blocks that no test runs; each entry must name exactly one block. */
export const NOT_RUN: readonly NotRun[] = [
  {
    page: 'README.md',
    line: 'npm ci && npm start',
    reason: 'npm ci installs from the network; the server of every page is started by `npm start`.',
  },
  {
    page: 'README.md',
    line: 'npm ci && npm test',
    reason: 'npm ci installs from the network; `npm test` runs this very test.',
  },
  {
    page: 'docs/guides/sources.md',
    line: 'npx casework source fetch mail-blocklist/spamhaus-drop',
    reason: 'It fetches a list from the Internet.',
  },
  {
    page: 'docs/reference/cli.md',
    line: 'npx casework source fetch mail-blocklist/our-list --allow-shrink',
    reason: 'It fetches a list from the Internet.',
  },
  {
    page: 'docs/guides/operate.md',
    line: 'node_modules/.bin/node bin/casework.js serve',
    reason:
      'The data folder is in use by the server of the page; the tests in test/startup start it so.',
  },
  {
    page: 'docs/guides/operate.md',
    line: 'DATABASE_URL=postgres://casework:…@db.example:5432/casework CASEWORK_SECRET_KEY=… npm start',
    reason: 'It needs a PostgreSQL at db.example; test/startup/database-url.test.ts has one.',
  },
  {
    page: 'docs/guides/shard-by-tenant.md',
    line: 'DATABASE_URL=postgres://casework:…@coordinator.example:5432/casework npx casework migrate --distribute',
    reason: 'It needs a Citus cluster; test/citus/shard-schema.citus.ts has one.',
  },
  {
    page: 'docs/guides/grow-past-one-machine.md',
    line: 'CASEWORK_ROLES=lookup DATABASE_URL=postgres://casework:…@standby.example:5432/casework \\',
    reason: 'It needs a hot standby; src/app/lookup-node/lookup-node.test.ts has one.',
  },
  {
    page: 'docs/guides/grow-past-one-machine.md',
    line: 'CASEWORK_SNAPSHOT_FROM=https://node1.example.org CASEWORK_NODE_SECRET=… npm start',
    reason: 'It needs a second node; src/intel/index/take-snapshot.test.ts has one.',
  },
  {
    page: 'docs/guides/analyse-elsewhere.md',
    line: `duckdb -c "copy (select * from read_csv('event_2026_12.csv')) to 'event_2026_12.parquet' (format parquet, compression zstd)"`,
    reason: 'It needs psql and DuckDB, which casework does not bring; the page says what was seen.',
  },
  {
    page: 'docs/guides/backup-and-restore.md',
    line: 'DATABASE_URL=postgres://casework:…@db.example:5432/casework npx casework restore casework.backup --yes',
    reason: 'It needs a PostgreSQL at db.example; test/startup/backup.test.ts has one.',
  },
  {
    page: 'docs/guides/tell-the-customer.md',
    line: 'npx casework report take-as-answer "$REPORT" --case "$CASE" --party customer',
    reason: 'It needs an answer by mail that waits for a person; notice-replies.test.ts has one.',
  },
]

interface ExpectedFailure {
  readonly page: string
  /** How the command begins. */
  readonly command: string
  readonly code: number
  readonly reason: string
}

/** The commands whose exit code is not 0, as their page says. */
export const EXPECTED_FAILURES: readonly ExpectedFailure[] = [
  {
    page: 'README.md',
    command: 'npx casework import plain my-examples/lists/blocklist.txt',
    code: 5,
    reason: 'The sample has one invalid line.',
  },
  ...['README.md', 'docs/guides/receive-reports.md'].map((page) => ({
    page,
    command: 'npx casework import mail my-examples/mail/archive.mbox',
    code: 5,
    reason: 'The third mail of the sample is an automatic reply.',
  })),
]

/** Every page with a block, in the order of their names. */
export function listPages(): readonly string[] {
  return [...new Set(listBlocks().map(({ page }) => page))]
}

export function listBlocks(): readonly Block[] {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT }).toSorted()]
  const blocks = pages.flatMap((page) => readBlocks(page, readFileSync(join(ROOT, page), 'utf8')))
  assert.ok(blocks.length > 20, 'hardly a block was found')
  return blocks
}

const FENCE_PATTERN = /^```(\w*)\n([^]*?)^```$/gm
const SHELL_PATTERN = /^(?:sh|bash|console)$/

export function readBlocks(page: string, markdown: string): readonly Block[] {
  return [...markdown.matchAll(FENCE_PATTERN)].flatMap(([, language = '', text = '']) => {
    assert.notEqual(language, '', `${page}: a block names no language:\n${text}`)
    return SHELL_PATTERN.test(language) ? [{ page, text }] : []
  })
}

export function isRun(block: Block): boolean {
  return !NOT_RUN.some((entry) => isAbout(entry, block))
}

export function isAbout({ page, line }: NotRun, block: Block): boolean {
  return block.page === page && block.text.split('\n').includes(line)
}
