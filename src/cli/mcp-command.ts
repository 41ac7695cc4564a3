// `casework mcp`: the tools of src/mcp for an assistant, over standard input and output or HTTP.
// Without a token it refuses: there is no identity that stands in for the caller's own, also not
// that of the account which can open the socket of the data folder.

import { CaseworkError } from '../client/client.ts'
import { readEnvironment } from '../kernel/config.ts'
import { hasErrorCode } from '../kernel/system-error.ts'
import { readPackageVersion } from '../values/resources.ts'
import { CommandFailure, chooseExitCodeForStatus, EXIT } from './exit-codes.ts'
import { chooseServer } from './profiles/choose-server.ts'

type Flags = Readonly<Record<string, unknown>>

/** Answers until the client is gone, or until a signal to stop. */
export async function runMcp(flags: Flags): Promise<void> {
  const allowWrites = flags['allowWrites'] === true
  const stop = listenForStop()
  if (flags['http'] === undefined) await runStdio(flags, allowWrites, stop)
  else await runHttp(flags, allowWrites, stop)
}

async function runStdio(flags: Flags, allowWrites: boolean, signal: AbortSignal): Promise<void> {
  if (flags['tokenFile'] === '-') {
    throw new CommandFailure(
      'Standard input is for the client: give the token by a file, or by CASEWORK_TOKEN.',
      EXIT.usage,
    )
  }
  const { url, token } = chooseServer(flags, readEnvironment()) ?? { url: null, token: null }
  if (url === null || token === null) {
    throw new CommandFailure(
      'An assistant needs a server and a token of its own: set CASEWORK_URL and CASEWORK_TOKEN, or name a profile (`npx casework login`).',
      EXIT.credential,
    )
  }
  checkAddress(url)
  const { checkToken, serveStdio } = await loadMcp(() => import('../mcp/serve-stdio.ts'))
  await greet(() => checkToken(url, token), url)
  await serveStdio({ url, token, allowWrites, version: readPackageVersion(), signal })
}

async function greet(ask: () => Promise<void>, url: string): Promise<void> {
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof CaseworkError)) throw error
    const { status, message } = error
    if (status === 0) {
      throw new CommandFailure(`${new URL(url).origin} does not answer.`, EXIT.network, error)
    }
    throw new CommandFailure(message, chooseExitCodeForStatus(status), error)
  }
}

async function runHttp(flags: Flags, allowWrites: boolean, signal: AbortSignal): Promise<void> {
  // The tokens are those of the callers; one that stands here is for other commands.
  const url = chooseServer(flags, readEnvironment())?.url
  if (url === undefined) {
    throw new CommandFailure(
      'Name the server that the tools ask: set CASEWORK_URL, or give --url or --profile.',
      EXIT.usage,
    )
  }
  checkAddress(url)
  const { serveHttp } = await loadMcp(() => import('../mcp/serve-http.ts'))
  const server = await listenOrExplain(() =>
    serveHttp({
      url,
      ...readListener(flags['http']),
      allowedHosts: readList(flags['allowHost']),
      allowedOrigins: readList(flags['allowOrigin']),
      allowWrites,
      version: readPackageVersion(),
      onFault: (error) => {
        const reason = error instanceof Error ? error.stack : String(error)
        process.stderr.write(`A request could not be answered: ${reason}\n`)
      },
    }),
  )
  process.stdout.write(`casework mcp is ready at ${server.url}\n`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
}

async function listenOrExplain<T>(listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    if (!hasErrorCode(error, 'EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND')) throw error
    const why = error instanceof Error ? error.message : ''
    throw new CommandFailure(`The address of --http cannot be used: ${why}`, EXIT.failure, error)
  }
}

const PORT_DEFAULT = 8090

/** `--http`, `--http 8090`, `--http 0.0.0.0:8090` or `--http [::1]:8090`. */
function readListener(given: unknown): { readonly host: string; readonly port: number } {
  if (typeof given !== 'string') return { host: '127.0.0.1', port: PORT_DEFAULT }
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(given) ?? []
  if (port === '' || Number(port) > 65_535) {
    throw new CommandFailure('--http takes a port, or an address and a port.', EXIT.usage)
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

function readList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function checkAddress(url: string): void {
  if (URL.canParse(url) && /^https?:/.test(url)) return
  throw new CommandFailure(`"${url}" is not an http or https address.`, EXIT.usage)
}

/** In a checkout the SDK is a development dependency; the published package has it built in. */
async function loadMcp<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!hasErrorCode(error, 'ERR_MODULE_NOT_FOUND')) throw error
    throw new CommandFailure(
      'The SDK of MCP is missing. A checkout needs its development dependencies for this command: run `npm ci`.',
      EXIT.failure,
      error,
    )
  }
}

function listenForStop(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => controller.abort())
  }
  return controller.signal
}
