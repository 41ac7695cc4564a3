// `casework mcp --http`: the same tools for several callers. Each brings a token of its own, which
// is all that its calls go out with. A page in a browser on this machine must not reach the server
// by a name of its own (DNS rebinding), so names and origins that are not listed are refused.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { CaseworkError, createCasework } from '../client/client.ts'
import { buildServer } from './build-server.ts'
import {
  createSessionId,
  createSessions,
  hashCaller,
  type McpSession,
  SESSION_BOUNDS,
  type SessionBounds,
} from './http-sessions.ts'
import { isInitializeRequest, StreamableHTTPServerTransport } from './sdk.ts'
import { checkToken } from './serve-stdio.ts'

export interface HttpSettings {
  /** Where the service is. */
  readonly url: string
  readonly host: string
  readonly port: number
  /** Names, beside those of this machine, by which the server may be called. */
  readonly allowedHosts: readonly string[]
  /** Origins whose pages may call it. */
  readonly allowedOrigins: readonly string[]
  readonly allowWrites: boolean
  readonly version: string
  readonly bounds?: SessionBounds
  /** Called with an error that is no refusal. The caller learns no more than that there was one. */
  readonly onFault: (error: unknown) => void
}

export interface McpHttpServer {
  readonly url: string
  readonly close: () => Promise<void>
}

const PATH = '/mcp'
// A thousand items with the longest names are 0.3 MB.
const BODY_BYTES_MAX = 2 * 1_024 * 1_024
// Before the service was asked about the token, anybody may send it on every connection at once.
// The capabilities of a client are a few kilobytes.
const FIRST_BODY_BYTES_MAX = 32 * 1_024
const CONNECTIONS_MAX = 2_000
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/** Listens until it is closed. */
export async function serveHttp(settings: HttpSettings): Promise<McpHttpServer> {
  const sessions = createSessions(settings.bounds ?? SESSION_BOUNDS)
  const listener = { settings, sessions }
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      answer(listener, request, response).catch((error: unknown) => {
        const isRefusal = error instanceof HttpRefusal
        // A caller who went away before the end of the request is no fault.
        if (!isRefusal && request.complete) settings.onFault(error)
        refuse(response, isRefusal ? error : INTERNAL)
      })
    },
  )
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, settings.host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : settings.port
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  return {
    url: `http://${host}:${port}${PATH}`,
    async close() {
      await sessions.closeAll()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

interface Listener {
  readonly settings: HttpSettings
  readonly sessions: ReturnType<typeof createSessions>
}

class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    cause?: unknown,
  ) {
    super(message, { cause })
    this.status = status
    this.headers = headers
  }
}

const INTERNAL = new HttpRefusal(500, 'The server failed.')

async function answer(
  listener: Listener,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  checkPlace(listener.settings, request)
  const token = readToken(request)
  const id = request.headers['mcp-session-id']
  if (typeof id === 'string') {
    const session = listener.sessions.find(id, token)
    if (session === null) throw new HttpRefusal(404, 'There is no such session of this caller.')
    const body = request.method === 'POST' ? await readBody(request, BODY_BYTES_MAX) : undefined
    await passOn(session, request, response, body)
    return
  }
  if (request.method !== 'POST') throw new HttpRefusal(400, 'The header mcp-session-id is missing.')
  const body = await readBody(request, FIRST_BODY_BYTES_MAX)
  if (!isInitializeRequest(body)) {
    throw new HttpRefusal(400, 'A session begins with an initialize request.')
  }
  await passOn(await openSession(listener, token), request, response, body)
}

async function passOn(
  session: McpSession,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  session.requestsOpen += 1
  response.once('close', () => {
    session.requestsOpen -= 1
    session.usedAtMs = performance.now()
  })
  await session.transport.handleRequest(request, response, body)
}

/** A session for the caller whose token the service knows. */
async function openSession({ settings, sessions }: Listener, token: string): Promise<McpSession> {
  const { url, allowWrites, version } = settings
  await admit(url, token)
  if (!sessions.makeRoom(token)) {
    throw new HttpRefusal(503, 'There are too many sessions.', { 'retry-after': '60' })
  }
  const id = createSessionId()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessionclosed: (closed) => sessions.remove(closed),
  })
  const server = buildServer({ casework: createCasework({ url, token }), allowWrites, version })
  const session = {
    id,
    tokenHash: hashCaller(token),
    server,
    transport,
    requestsOpen: 0,
    usedAtMs: performance.now(),
  }
  await server.connect(transport)
  sessions.add(session)
  return session
}

async function admit(url: string, token: string): Promise<void> {
  try {
    await checkToken(url, token)
  } catch (error) {
    if (!(error instanceof CaseworkError)) throw error
    if (error.status === 401) throw unauthorized('The service does not know this token.', error)
    const sentence =
      error.status === 0 ? 'The service does not answer.' : `The service refuses: ${error.message}`
    throw new HttpRefusal(502, sentence, {}, error)
  }
}

function unauthorized(message: string, cause?: unknown): HttpRefusal {
  const headers = { 'www-authenticate': 'Bearer realm="casework"' }
  return new HttpRefusal(401, message, headers, cause)
}

/** Never a token of this process: without one of the caller, nothing is done. */
function readToken({ headers }: IncomingMessage): string {
  const token = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
  if (token !== undefined) return token
  throw unauthorized('Send your own token of the service: Authorization: Bearer <token>.')
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE'])

function checkPlace(settings: HttpSettings, request: IncomingMessage): void {
  const { headers, method = '', url = '' } = request
  if (!isAllowedHost(settings, headers.host)) {
    throw new HttpRefusal(403, 'This server is not called by this name: see --allow-host.')
  }
  const { origin } = headers
  if (origin !== undefined && !settings.allowedOrigins.includes(origin)) {
    throw new HttpRefusal(403, 'Pages of this origin may not call this server: see --allow-origin.')
  }
  if (url.split('?')[0] !== PATH) throw new HttpRefusal(404, `The only path is ${PATH}.`)
  if (!METHODS.has(method)) throw new HttpRefusal(405, 'Use POST.', { allow: 'GET, POST, DELETE' })
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function isAllowedHost({ allowedHosts }: HttpSettings, host: string | undefined): boolean {
  const name = URL.parse(`http://${host ?? ''}`)?.hostname
  return name !== undefined && (LOOPBACK_NAMES.has(name) || allowedHosts.includes(name))
}

async function readBody(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new HttpRefusal(413, `A body has at most ${bytesMax} bytes here.`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new HttpRefusal(400, 'The body is not JSON.', {}, error)
  }
}

/** In the form of JSON-RPC, which clients show to people. */
function refuse(response: ServerResponse, { status, message, headers }: HttpRefusal): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const error = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    connection: 'close',
  })
  response.end(JSON.stringify(error))
}
