// Builds the web console (console/) to dist/console and compresses its files, so that no request
// waits for that. The new build takes the place of the old one when it is complete.

import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { BUILT_CONSOLE } from '../src/app/console/open-console.ts'
import { findPackageRoot } from '../src/values/resources.ts'

const root = findPackageRoot()
const COMPRESSIBLE = '**/*.{js,css,svg,json,wasm,txt,webmanifest}'
// The best level takes 4 s more for 3 % fewer bytes, and the first start waits for this.
const BROTLI_LEVEL = 9

export async function buildConsole(): Promise<void> {
  const { build } = await import('vite')
  const folder = join(root, BUILT_CONSOLE)
  const fresh = `${folder}.new`
  await build({
    configFile: join(root, 'console', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh, emptyOutDir: true },
  })
  for (const name of globSync(COMPRESSIBLE, { cwd: fresh })) compress(join(fresh, name))
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

function compress(file: string): void {
  const bytes = readFileSync(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}

if (import.meta.main) await buildConsole()
