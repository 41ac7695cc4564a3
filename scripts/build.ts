// Compiles src to dist for the published package: Node strips types nowhere below a node_modules
// folder, so that package runs from here (bin/casework.js). The folder is made anew each time:
// nothing of a former build can be left in it. Types are not checked here, which would take 15 s of
// a core of 17 (measured 2026-11-22): `npm run check` does.

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_DOCS_SCRIPT } from '../src/app/system/docs-script.ts'
import { extractDocsScript } from '../src/app/system/extract-docs-script.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { buildConsole } from './build-console.ts'
import { bundleMcpSdk } from './bundle-mcp-sdk.ts'

const root = findPackageRoot()
rmSync(join(root, 'dist'), { recursive: true, force: true })
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
// The second one writes the types of the client, which other programs import.
const isCompiled = ['tsconfig.build.json', 'tsconfig.client.json'].every(compile)
await bundleMcpSdk()
await buildConsole()
const docsScript = await extractDocsScript()
if (docsScript !== null) writeFileSync(join(root, BUILT_DOCS_SCRIPT), docsScript)
const missing = [...listMissing(), ...(docsScript === null ? [BUILT_DOCS_SCRIPT] : [])]
if (missing.length > 0) process.stderr.write(`not built: ${missing.join(', ')}\n`)
process.exitCode = isCompiled && missing.length === 0 ? 0 : 1

function compile(project: string): boolean {
  const { status, error } = spawnSync(process.execPath, [compiler, '-p', project], {
    cwd: root,
    stdio: 'inherit',
  })
  if (error !== undefined) throw error
  return status === 0
}

/**
 * Sources without their compiled file. Threads are named by their URL only, which the compiler does
 * not follow.
 */
function listMissing(): readonly string[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !/\.(test|peer)\.ts$/.test(path))
    .filter((path) => !existsSync(join(root, path.replace(/^src/, 'dist').replace(/ts$/, 'js'))))
}
