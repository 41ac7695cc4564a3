// Takes the script of the interactive reference out of its development dependency. The build stores
// the result in dist; a checkout runs this when the reference is first opened.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { gzip } from 'node:zlib'

const PACKAGE = '@scalar/fastify-api-reference'
// The package holds the script as one string literal on one line. Loading the package instead takes
// 90 MB and a second, for plugins and parsers that the reference does not need.
const LITERAL = /^var standalone_default = (".*");$/m

/** The script, compressed with gzip; null when the package is not installed. */
export async function extractDocsScript(): Promise<Buffer | null> {
  const file = findPackageFile()
  if (file === null) return null
  const literal = LITERAL.exec(await readFile(file, 'utf8'))?.[1]
  if (literal === undefined) throw new Error(`${file} has no script where 1.72.1 had it`)
  // A literal of JavaScript is not always JSON: this one has tabs in it.
  const script: unknown = runInNewContext(literal)
  if (typeof script !== 'string') throw new Error(`${file} has no text as its script`)
  return await promisify(gzip)(script)
}

function findPackageFile(): string | null {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE)
  } catch {
    return null
  }
}
