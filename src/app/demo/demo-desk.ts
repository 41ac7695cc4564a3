// The desk of the demo: the whole program over the database, in the time of the demo, with people
// who send requests to its real routes. What leaves the machine elsewhere goes to scripted partners
// (scripted-world.ts): no relay, no receiver of webhooks and no adapter is ever contacted.

import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createAuditLog } from '../../access/audit/audit-log.ts'
import { NETWORK_TABLE_FILE } from '../../intel/enrichment/asn.ts'
import type { Config } from '../../kernel/config.ts'
import { createHttpApp, createRequestIds } from '../../kernel/http/http-app.ts'
import { createAnswerKeeper } from '../../kernel/http/keep-answer.ts'
import { PROBLEM_HEADER } from '../../kernel/http/problem-header.ts'
import type { Log } from '../../kernel/log.ts'
import { createSecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { loadSecretKeys } from '../../kernel/secrets/secret-keys.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { Services } from '../compose.ts'
import { createHttpParts } from '../http.ts'
import { openCasework } from '../open-casework.ts'
import { openFoundation } from '../open-foundation.ts'
import { openIntel } from '../open-intel.ts'
import { buildMainRoutes } from '../routes.ts'
import type { PastTime } from './past-time.ts'

interface DemoAnswer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- the demo reads the answers of our own routes
  readonly json: any
}

/** What a caller sends: `json`, or bytes with their type. */
interface DemoBody {
  readonly json?: unknown
  readonly bytes?: Buffer
  readonly type?: string
  /** Codes of refusals that are a success too. */
  readonly mayBe?: readonly string[]
}

export interface DemoDesk {
  readonly services: Services
  readonly time: Pick<PastTime, 'clock' | 'goTo' | 'dateDefaults'>
  /** Throws when the answer is no success: a story that cannot be told is a fault of the demo. */
  readonly send: (
    caller: Caller,
    method: string,
    path: string,
    body?: DemoBody,
  ) => Promise<DemoAnswer>
  readonly close: () => Promise<void>
}

const STANDING = { goTo: async () => undefined, dateDefaults: async () => undefined }

const CALLER_HEADER = 'x-demo-caller'

/** The desk of a story, or, with the present time alone, one that tidies up. */
type DeskTime = Pick<PastTime, 'clock' | 'connection'> & Partial<PastTime>

export async function openDemoDesk(config: Config, time: DeskTime, log: Log): Promise<DemoDesk> {
  const folder = await mkdtemp(join(tmpdir(), 'casework-demo-'))
  const table = resolve(config.dataDir, NETWORK_TABLE_FILE)
  await symlink(table, join(folder, NETWORK_TABLE_FILE)).catch(() => undefined)
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const services = await openServices(config, folder, time, log, closers)
    const { send, close: closeHttp } = openRequests(services, log)
    closers.push(closeHttp)
    return { services, time: { ...STANDING, ...time }, send, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The settings of the demo: no lookup of it asks anybody, and its mail has a sender. */
function quieten(config: Config, folder: string): Config {
  return {
    ...config,
    dataDir: folder,
    erasureLog: null,
    roles: ['worker'],
    threads: 1,
    reverseDns: 'off',
    contactDnsZone: null,
    contactRdap: 'off',
    contactVerification: 'off',
    mailAuthentication: 'off',
    accessLog: 'off',
    relayUrl: 'smtp://relay.invalid',
    mailFrom: 'Nordhafen Abuse Desk <abuse@nordhafen.example>',
    mailDomain: DEMO_MAIL_DOMAIN,
  }
}

const DEMO_MAIL_DOMAIN = 'in.nordhafen.example'

async function openServices(
  config: Config,
  folder: string,
  { clock, connection }: DeskTime,
  log: Log,
  closers: (() => Promise<void>)[],
): Promise<Services> {
  const base = await openFoundation({ config: quieten(config, folder), connection, log, clock })
  closers.push(base.close)
  // Secrets stay readable for the server, whose key is in its own data folder.
  const secrets = createSecretCipher(loadSecretKeys(config))
  const foundation = { ...base.foundation, secrets, audit: createAuditLog({ clock, secrets }) }
  const intel = await openIntel(foundation)
  closers.push(intel.close)
  const casework = await openCasework(foundation, intel)
  closers.push(casework.close)
  return { ...base, foundation, intel, casework, close: async () => undefined }
}

function openRequests(services: Services, log: Log): Pick<DemoDesk, 'send' | 'close'> {
  const parts = createHttpParts(services)
  const { database, secrets } = services.foundation
  const callers: Caller[] = []
  const app = createHttpApp({
    routes: buildMainRoutes(services),
    // Nobody else can reach this app, and its people have no credential that could be guessed.
    admit: ({ headers }) => callers[Number(headers[CALLER_HEADER])] ?? null,
    answerOnce: createAnswerKeeper(database.kysely, secrets),
    clients: parts.clients,
    meter: parts.meter,
    connections: parts.connections,
    log,
    accessLog: 'off',
    nextRequestId: createRequestIds(),
  })
  return {
    async send(caller, method, path, body = {}) {
      if (!callers.includes(caller)) callers.push(caller)
      const { json, bytes, type = 'application/json' } = body
      const payload = bytes ?? (json === undefined ? undefined : JSON.stringify(json))
      const answer = await app.inject({
        // Our own routes have these methods.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        method: method as 'GET',
        url: path,
        headers: {
          [CALLER_HEADER]: String(callers.indexOf(caller)),
          accept: 'application/problem+json, application/json',
          ...(payload === undefined ? {} : { 'content-type': type }),
        },
        ...(payload === undefined ? {} : { payload }),
      })
      const { statusCode: status, payload: text } = answer
      const [code = ''] = String(answer.headers[PROBLEM_HEADER] ?? '').split(';')
      const isFine = status < 300 || body.mayBe?.includes(code) === true
      if (!isFine) throw new Error(`the demo: ${method} ${path}: ${status} ${text}`)
      return { status, json: text === '' ? null : JSON.parse(text) }
    },
    async close() {
      await app.close()
    },
  }
}
