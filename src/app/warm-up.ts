// Sends each kind of look-up once through a listener of its own before a thread takes requests, so
// that the first look-up of a client is as quick as the second: code is loaded and compiled by
// then. The requests meet the real handlers. They ask the resolver and every other party nothing,
// count in no metric and write no line of the log.

import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { EnrichmentAnswer } from '../intel/enrichment/enrich.ts'
import { OFF } from '../intel/enrichment/enrichment-outcome.ts'
import { lookupRoutes } from '../intel/lookup/routes.ts'
import { silentLog } from '../kernel/log.ts'
import type { LookupServices } from './compose.ts'
import { buildHttp, createHttpParts } from './http.ts'

// A resolver that works answers within this, and its first probe began with the start. Without one
// look-ups leave the names out.
const RESOLVER_WAIT_MS = 150
// Far more than the requests take; nothing else may delay a start.
const REQUEST_TIMEOUT_MS = 2_000
// The first round loads code, the next ones run it as the first requests of clients will.
const ROUNDS = 3

const NOTHING: EnrichmentAnswer = {
  reverseDns: OFF,
  abuseContact: OFF,
  asn: OFF,
  isPartial: false,
}

/** Never rejects: a start does not fail because of it. */
export async function warmUp({ foundation, tokens, intel }: LookupServices): Promise<void> {
  const { config, database, clock, log } = foundation
  const { index, enrichment } = intel
  const routes = lookupRoutes({
    db: database.kysely,
    clock,
    log: silentLog,
    index,
    // From memory as ever; what memory does not hold is not asked for.
    enrichment: { ...enrichment, enrich: async (item) => enrichment.enrichNow(item) ?? NOTHING },
  })
  const own = {
    ...foundation,
    config: { ...config, intelAccess: 'open', lookupRateLimit: 0, accessLog: 'off' },
    log: silentLog,
    metrics: new Registry(),
  } as const
  const app = buildHttp(
    { foundation: own, tokens },
    { routes, parts: createHttpParts({ foundation: own }) },
  )
  const resolverDecided = Promise.race([
    enrichment.probe?.decided,
    delay(RESOLVER_WAIT_MS, null, { ref: false }),
  ])
  try {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const address = app.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    for (let round = 0; round < ROUNDS; round += 1) {
      // One after the other, as a client sends them.
      // oxlint-disable-next-line eslint/no-await-in-loop
      for (const [method, path, body] of REQUESTS) await send(port, method, path, body)
    }
  } catch (error) {
    log.debug('The look-ups were not warmed up', { error: String(error) })
  } finally {
    await app.close()
  }
  await resolverDecided
}

// Documentation addresses and names (RFC 5737, RFC 3849, RFC 2606).
const REQUESTS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/beta/query/192.0.2.1'],
  ['GET', '/beta/query/2001:db8::1'],
  ['GET', '/beta/query/www.example.com'],
  ['POST', '/beta/quick-check', JSON.stringify(['192.0.2.1', '2001:db8::1', 'www.example.com'])],
  ['GET', '/beta/explain/192.0.2.1'],
]

async function send(port: number, method: string, path: string, body = ''): Promise<void> {
  const headers = body === '' ? {} : { 'content-type': 'application/json' }
  await new Promise<void>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, timeout: REQUEST_TIMEOUT_MS }
    const sent = request(options, (answer) => {
      answer.resume()
      answer.on('end', resolve)
      answer.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject)
    sent.end(body)
  })
}
