// What the tests of the intel endpoints share: a second node on the same database, a clock that
// stands still, short ways to push.

import { type ComposeOptions, compose, type Services } from '../src/app/compose.ts'
import { buildHttp, createHttpParts } from '../src/app/http.ts'
import { buildMainRoutes } from '../src/app/routes.ts'
import type { Clock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { buildTestConfig, type SocketConnection, type TestAnswer, type TestApp } from './harness.ts'

/** Noon of a day in the past, so that nothing pushed with it lies in the future. */
export const NOON_MS = Date.UTC(2026, 0, 31, 12)

export interface HeldClock extends Clock {
  set: (nowMs: number) => void
}

export function holdClock(startMs: number = NOON_MS): HeldClock {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    set: (next) => {
      nowMs = next
    },
  }
}

export interface SecondNode {
  readonly services: Services
  readonly send: (
    method: 'GET' | 'POST',
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ) => Promise<TestAnswer>
  readonly close: () => Promise<void>
}

/** Another node on the database of `first`, by its clock; `connection` may go through a proxy. */
export async function openSecondNode(
  first: TestApp,
  connection: SocketConnection = first.connection,
  options: Partial<Pick<ComposeOptions, 'elapsedMs' | 'log'>> & {
    environment?: Record<string, string>
  } = {},
): Promise<SecondNode> {
  const { clock, config } = first.services.foundation
  const services = await compose({
    config: buildTestConfig({ CASEWORK_DATA_DIR: config.dataDir, ...options.environment }),
    clock,
    connection,
    log: options.log ?? silentLog,
    ...(options.elapsedMs === undefined ? {} : { elapsedMs: options.elapsedMs }),
  })
  const app = buildHttp(services, {
    routes: buildMainRoutes(services),
    parts: createHttpParts(services),
  })
  return {
    services,
    async send(method, path, json, headers = {}) {
      const answer = await app.inject({
        method,
        url: path,
        headers: json === undefined ? headers : { 'content-type': 'application/json', ...headers },
        ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
      })
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.payload,
        json: () => answer.json(),
      }
    },
    close: async () => {
      await app.close()
      await services.close()
    },
  }
}

/** A row of POST /beta/sightings: one login attack on a honeypot, seen at `NOON_MS` by default. */
export function sightingRow(item: string, more: Record<string, unknown> = {}): object {
  const lastSeen = new Date(NOON_MS).toISOString()
  return {
    item,
    kind: 'honeypot',
    service: 'ssh',
    type: 'login-attack',
    lastSeen,
    source: 'trap-1',
    ...more,
  }
}

export function listingRow(item: string, more: Record<string, unknown> = {}): object {
  return { item, list: 'spam', source: 'desk', ...more }
}

export function taggingRow(item: string, tag: string, more: Record<string, unknown> = {}): object {
  return { item, tag, source: 'desk', ...more }
}
