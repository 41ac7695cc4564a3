// The files of the project and their imports, for the tidy tests.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { findPackageRoot } from '../src/values/resources.ts'

export const ROOT = findPackageRoot()

let known: readonly string[] | undefined

/**
 * Files that git knows, and new ones that it does not ignore: the rules hold before a commit too.
 */
export function listFiles(): readonly string[] {
  known ??= (isCheckout() ? listByGit() : listByFolder()).filter((file) =>
    existsSync(join(ROOT, file)),
  )
  return known
}

/** Source files without their tests. */
export function listSources(): readonly string[] {
  return listFiles().filter((file) => /^src\/.*\.ts$/.test(file) && !isTest(file))
}

export function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

function listByGit(): readonly string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  })
  return output.toString('utf8').split('\n').filter(Boolean)
}

// An unpacked archive, or a machine without git.
function isCheckout(): boolean {
  return spawnSync('git', ['rev-parse'], { cwd: ROOT }).status === 0
}

// The names of .gitignore are whole ones, of folders or files.
function listByFolder(): readonly string[] {
  const ignored = readText('.gitignore').split('\n')
  const names = new Set(['.git', ...ignored.map((line) => line.replaceAll('/', ''))])
  return globSync('{*,.*}{,/**/*}', {
    cwd: ROOT,
    exclude: (path) => names.has(basename(path)),
  }).filter((path) => statSync(join(ROOT, path)).isFile())
}

/**
 * `.peer.ts` are the tests that need a real server or client of the system beside them, `.proof.ts`
 * the long ones, which kill and break, `.ha.ts` those that lose a machine of several,
 * `.citus.ts` those on a Citus cluster.
 */
export function isTest(file: string): boolean {
  return /\.(test|peer|proof|ha|citus)\.ts$/.test(file)
}

export interface Edge {
  readonly from: string
  readonly to: string
  /** False where only types are imported, so that nothing is loaded at run time. */
  readonly isLoaded: boolean
  /** The imported names. */
  readonly names: readonly string[]
}

const IMPORT_PATTERN =
  /(?:^|\n)(?:import|export)( type)?\b([^;'"]*?)from '(\.[^']+)'|import\('(\.[^']+)'\)/g

/** Relative imports and re-exports of a file. Biome keeps them on forms that this pattern reads. */
export function readEdges(file: string, text: string): Edge[] {
  return [...text.matchAll(IMPORT_PATTERN)].map((match) => {
    const clauses = (match[2] ?? '').replaceAll(/[{}\n]/g, ' ').split(',')
    const names = clauses.map((clause) => clause.trim()).filter(Boolean)
    const isTypeOnly =
      match[1] !== undefined ||
      (names.length > 0 && names.every((name) => name.startsWith('type ')))
    return {
      from: file,
      to: normalize(join(dirname(file), match[3] ?? match[4] ?? '')),
      isLoaded: !isTypeOnly,
      names: names.map((name) => name.replace(/^type /, '').replace(/ as .*/, '')),
    }
  })
}

/** The feature that a source file belongs to: `casework/cases`, `intel/tags`, `kernel`. */
export function readFeature(file: string): string {
  const [, area = '', feature = ''] = file.split('/')
  return area === 'casework' || area === 'intel' ? `${area}/${feature}` : area
}
