// The built web console as pages of the main listener. Its files are read when they are asked for:
// few of them are, browsers keep them, and a console that is built anew is served at once.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Config } from '../../kernel/config.ts'
import { namesMediaType } from '../../kernel/http/accept.ts'
import { buildEtag } from '../../kernel/http/answer-unchanged.ts'
import type { FindPage, Page, PageRequest } from '../../kernel/http/find-page.ts'
import { hasErrorCode } from '../../kernel/system-error.ts'
import { findPackageRoot } from '../../values/resources.ts'

/** Below the root of this package; scripts/build-console.ts writes it. */
export const BUILT_CONSOLE = join('dist', 'console')

/** What the build writes in the place of the nonce, which each answer has anew. */
export const NONCE_MARK = 'CASEWORK-CSP-NONCE'

/** The option of the main listener; none where the console is switched off. */
export function openConsole({ console }: Pick<Config, 'console'>): { findPage?: FindPage } {
  if (console === 'off') return {}
  return { findPage: createConsolePages(join(findPackageRoot(), BUILT_CONSOLE)) }
}

// The console routes its own addresses. These prefixes belong to the interface, also where it has
// no such path, so that a program with a typing error never gets a page.
const INTERFACE_PATH = /^\/(?:beta|docs|openapi|metrics|livez|readyz|\.well-known)(?:[/.]|$)/
// The hash in its name makes a file one that never changes.
const ASSET_PATH = /^\/assets\/[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg|png|woff2|json|wasm)$/
const ROOT_FILE_PATH = /^\/(?:favicon\.svg|robots\.txt|manifest\.webmanifest)$/
const YEAR_SECONDS = 31_536_000

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

export function createConsolePages(folder: string): FindPage {
  return async (request) => {
    const { path, accept } = request
    if (INTERFACE_PATH.test(path)) return null
    if (ASSET_PATH.test(path)) {
      return await findFile(folder, request, `public, max-age=${YEAR_SECONDS}, immutable`)
    }
    if (ROOT_FILE_PATH.test(path)) return await findFile(folder, request, 'no-cache')
    // A path below the first belongs to a page of the console when a browser asks for it to show
    // it; a program gets the refusal that it understands.
    if (path === '/' || namesMediaType(accept, 'text/html')) return await findIndex(folder)
    return null
  }
}

async function findIndex(folder: string): Promise<Page> {
  const built = await readOrNull(join(folder, 'index.html'))
  const nonce = randomBytes(16).toString('base64')
  const html = (built?.toString('utf8') ?? NOT_BUILT).replaceAll(NONCE_MARK, nonce)
  return {
    bytes: Buffer.from(html),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': buildPolicy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      // Each answer has a nonce of its own, so that there is nothing to revalidate.
      'cache-control': 'no-store',
      vary: 'accept',
    },
  }
}

/** No inline script and no eval; the component library puts its variables into style elements. */
function buildPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function findFile(
  folder: string,
  { path, acceptEncoding = '' }: PageRequest,
  caching: string,
): Promise<Page | null> {
  const file = join(folder, path)
  const coding = chooseCoding(acceptEncoding)
  const packed = coding === null ? null : await readOrNull(`${file}.${coding}`)
  const bytes = packed ?? (await readOrNull(file))
  if (bytes === null) return null
  return {
    bytes,
    headers: {
      'content-type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': caching,
      etag: buildEtag(bytes),
      vary: 'accept-encoding',
      ...(packed === null || coding === null ? {} : { 'content-encoding': CODING_NAMES[coding] }),
    },
  }
}

const CODING_NAMES = { br: 'br', gz: 'gzip' } as const

function chooseCoding(accepted: string): 'br' | 'gz' | null {
  const names = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/i.test(part))
    .map((part) => part.replace(/;.*/, '').trim().toLowerCase())
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gz' : null
}

async function readOrNull(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file)
  } catch (error) {
    // A file with a name that is too long cannot be there.
    if (hasErrorCode(error, 'ENOENT', 'ENAMETOOLONG')) return null
    throw error
  }
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Casework</title>
<p>The web console is not built. After a first start it is being built: load this page again in some seconds. If this stays, stop the server,
run "npm ci" and "npm run build" in its folder, and start it again.
The interface works without the console: its reference is at <a href="/docs">/docs</a>.</p>
</html>
`
