// The script of the interactive reference. The package holds it inside a module that takes 90 MB
// and a second to load. A thread loads it when the reference is first opened, and ends right after.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { locateScript, WorkerHost } from '../../kernel/async/worker-host.ts'

let loading: Promise<Buffer> | undefined
let expanding: Promise<Buffer> | undefined

const expand = promisify(gunzip)

/** The script, compressed with gzip. Loaded once for this thread; a failed load is tried again. */
export function loadDocsScript(): Promise<Buffer> {
  loading ??= unpackInThread().catch((error: unknown) => {
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

async function unpackInThread(): Promise<Buffer> {
  const script = locateScript('docs-script-thread', import.meta.url)
  const options = { script, name: 'docs script', lingerMs: 0, isBehind: true }
  const host = new WorkerHost<null, Uint8Array>(options)
  try {
    return Buffer.from(await host.run(null))
  } finally {
    await host.close()
  }
}
