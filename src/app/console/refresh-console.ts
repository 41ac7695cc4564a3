// Builds the web console at the start of a checkout, when it is missing or older than its sources.
// The published package has the built files and no sources.

import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../kernel/config.ts'
import { findPackageRoot } from '../../values/resources.ts'
import { BUILT_CONSOLE } from './open-console.ts'

const SOURCES = [
  'console/**/*.{ts,tsx,css,html,svg,json}',
  'src/client/*.ts',
  'scripts/build-console.ts',
  'package-lock.json',
]
// Of what a failed build says, its first lines have the reason.
const REASON_LENGTH_MAX = 600

/**
 * Builds when there is a reason to. Never rejects: a server without its console still serves the
 * interface, so a failure is told and that is all.
 */
export async function refreshConsole(
  { console, roles }: Pick<Config, 'console' | 'roles'>,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  const root = findPackageRoot()
  if (console === 'off' || !roles.includes('api') || !isStale(root)) return
  tell('not built yet, or older than its sources: building it takes some seconds')
  const reason = await build(root, signal)
  if (signal.aborted) return
  tell(reason === null ? 'built' : `not built; all else works. Run "npm ci". The reason: ${reason}`)
}

/** Whether sources are here that are newer than the build. */
export function isStale(root: string): boolean {
  const sources = globSync(SOURCES, { cwd: root }).filter((path) => !path.endsWith('.console.ts'))
  if (!sources.some((path) => path.startsWith('console'))) return false
  const builtMs = readTimeMs(join(root, BUILT_CONSOLE, 'index.html'))
  return sources.some((path) => readTimeMs(join(root, path)) > builtMs)
}

/** 0 for a file that is not there. */
function readTimeMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Null when it was built, else why not. In a process of its own, which takes its memory along. */
function build(root: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const script = join(root, 'scripts', 'build-console.ts')
    const child = spawn(process.execPath, [script], {
      cwd: root,
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(0, REASON_LENGTH_MAX)
    })
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(code === 0 ? null : said.trim() || `code ${code}`))
  })
}
