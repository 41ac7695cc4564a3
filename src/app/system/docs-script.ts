// The script of the interactive reference. The package holds it inside a module that takes 90 MB
// and a second to load. A thread loads it when the reference is first opened, and ends right after.

import { locateScript, WorkerHost } from '../../kernel/async/worker-host.ts'

let loading: Promise<Buffer> | undefined

/** The script, compressed with gzip. Loaded once for this thread; a failed load is tried again. */
export function loadDocsScript(): Promise<Buffer> {
  loading ??= unpackInThread().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
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
