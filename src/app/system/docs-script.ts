// The script of the interactive reference. The package holds it inside a module that takes 90 MB
// and a second to load (measured), so that is done in a thread that ends right after, and only when
// someone opens the reference.

import { startWorkerBehind } from '../../kernel/async/yield-processor.ts'

let loading: Promise<Buffer> | undefined

/**
 * The script, compressed with gzip. Loaded once for this thread; a load that failed is tried again.
 */
export function loadDocsScript(): Promise<Buffer> {
  loading ??= unpackInThread().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

function unpackInThread(): Promise<Buffer> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = startWorkerBehind(new URL(`./docs-script-thread.${extension}`, import.meta.url))
  return new Promise((resolve, reject) => {
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended without the script')))
  })
}
