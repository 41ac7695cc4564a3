// `casework mcp` over standard input and output: one caller, who started this process.

import { createCasework } from '../client/client.ts'
import { buildServer } from './build-server.ts'
import { StdioServerTransport } from './sdk.ts'

export interface StdioSettings {
  readonly url: string
  readonly token: string
  readonly allowWrites: boolean
  readonly version: string
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal
}

/** Asks the service who the token is. Throws its refusal, so that a start with it fails at once. */
export async function checkToken(url: string, token: string): Promise<void> {
  await createCasework({ url, token, retries: 0 }).get('/beta/whoami')
}

/** Answers until the client closes standard input. */
export async function serveStdio(settings: StdioSettings): Promise<void> {
  const { url, token, allowWrites, version, signal } = settings
  const server = buildServer({ casework: createCasework({ url, token }), allowWrites, version })
  const transport = new StdioServerTransport()
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
    server.onclose = resolve
  })
  await server.connect(transport)
  await ended
  await server.close()
}
