// Puts the parts of the MCP SDK that src/mcp/sdk.ts names into one file, with the packages that
// they need, and the licence of each beside it: most ask that their text goes where their code
// goes.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { findPackageRoot } from '../src/values/resources.ts'

const root = findPackageRoot()
const SOURCE = join(root, 'src', 'mcp', 'sdk.ts')
const BUILT = join(root, 'dist', 'mcp', 'sdk.js')
const LICENCES = join(root, 'dist', 'mcp', 'sdk-licences.txt')

/** Replaces the compiled file of the same name. Throws when a package has no licence text. */
export async function bundleMcpSdk(): Promise<void> {
  const build = await rolldown({ input: SOURCE, platform: 'node' })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: true })
  await build.close()
  const [chunk, ...others] = output
  const foreign = chunk.imports.filter((name) => !name.startsWith('node:'))
  if (others.length > 0 || foreign.length > 0) {
    throw new Error(`the SDK is not in one file: ${foreign.join(', ')}`)
  }
  writeFileSync(BUILT, chunk.code)
  writeFileSync(LICENCES, collectLicences(chunk.moduleIds))
}

function collectLicences(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((module) => findPackageFolder(module) ?? []))
  if (folders.size === 0) throw new Error('no package was seen in the bundle')
  const texts = [...folders].toSorted().map((folder) => {
    const { name, version, license } = readManifest(folder)
    const [file] = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: folder })
    if (file === undefined) throw new Error(`${folder} has no licence text`)
    const text = readFileSync(join(folder, file), 'utf8').trim()
    return `${String(name)} ${String(version)} (${String(license)})\n\n${text}\n`
  })
  return `The file sdk.js contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`
}

/** Null for a module of our own or of the bundler. */
function findPackageFolder(module: string): string | null {
  if (!/[\\/]node_modules[\\/]/.test(module)) return null
  // Packages have manifests without a name below them, which only say how a folder is loaded.
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && 'name' in readManifest(folder)) return folder
  }
  return null
}

function readManifest(folder: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
