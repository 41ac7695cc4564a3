// The script of the interactive reference, compressed with gzip. The published package has it in
// its build; a checkout takes it from the development dependency.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { findPackageRoot } from '../../values/resources.ts'
import { docsScriptMissing } from '../errors.ts'
import { extractDocsScript } from './extract-docs-script.ts'

/** Below the root of this package; scripts/build.ts writes it. */
export const BUILT_DOCS_SCRIPT = join('dist', 'app', 'system', 'docs-reference.js.gz')

let loading: Promise<Buffer> | undefined
let expanding: Promise<Buffer> | undefined

const expand = promisify(gunzip)

/** Loaded once for this thread; a failed load is tried again. */
export function loadDocsScript(): Promise<Buffer> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * The same for a client that takes no gzip. All responses share one buffer of 4 MB: a buffer for
 * each took 2.5 GB for 300 clients that did not read.
 */
export function loadPlainDocsScript(): Promise<Buffer> {
  expanding ??= loadDocsScript()
    .then((packed) => expand(packed))
    .catch((error: unknown) => {
      expanding = undefined
      throw error
    })
  return expanding
}

// A checkout may hold the build of an older version, so there the package comes first.
async function load(): Promise<Buffer> {
  const isCheckout = import.meta.url.endsWith('.ts')
  const script = isCheckout
    ? ((await extractDocsScript()) ?? (await readBuilt()))
    : await readBuilt()
  if (script === null) throw docsScriptMissing()
  return script
}

async function readBuilt(): Promise<Buffer | null> {
  try {
    return await readFile(join(findPackageRoot(), BUILT_DOCS_SCRIPT))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
