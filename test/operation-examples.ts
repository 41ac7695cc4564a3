// Sends the example of every operation, which is its sample (operation-samples.ts) unless
// resources/openapi-examples.json has a better one, to the service and keeps the answers:
// scripts/record-examples.ts makes the examples of the OpenAPI document of them, and
// src/app/openapi-examples.test.ts holds these against what the service answers today.

import { findOwnExamples } from '../src/app/openapi-examples.ts'
import type { Route } from '../src/kernel/http/route.ts'
import type { TestAnswer, TestApp } from './harness.ts'
import { createRecords, fillPath, findSample, type RecordParams } from './operation-samples.ts'

export interface SampleRun {
  readonly route: Route
  readonly answer: TestAnswer
}

// PUT comes first, because it makes records that the others read.
const METHODS = ['PUT', 'GET', 'POST', 'PATCH', 'DELETE'] as const

// What ends a record comes after everything that reads it.
const ENDINGS = /^(?:cancel|end|retire|delete|revoke|unmerge)/

/** Sends the request again, with these headers beside or in place of the first ones. */
export type Repeat = (headers: Readonly<Record<string, string>>) => Promise<TestAnswer>

export interface SampleOptions {
  readonly chooseHeaders?: (route: Route) => Readonly<Record<string, string>>
  /** Called after each sample, before the next one. */
  readonly look?: (run: SampleRun, repeat: Repeat) => Promise<void>
}

/** The answers to all samples, in one tenant. Requests that end or delete a record come last. */
export async function runSamples(
  app: TestApp,
  routes: readonly Route[],
  { chooseHeaders = () => ({}), look }: SampleOptions = {},
): Promise<readonly SampleRun[]> {
  const token = await app.createToken()
  const records = await createRecords(app, 'default', token)
  const runs: SampleRun[] = []
  for (const route of routes.toSorted((one, other) => rank(one) - rank(other))) {
    const send: Repeat = (headers) => sendSample(app, route, records, { token, headers })
    const first = chooseHeaders(route)
    const run = { route, answer: await send(first) }
    runs.push(run)
    await look?.(run, (headers) => send({ ...first, ...headers }))
  }
  return runs
}

function rank({ operationId, method }: Route): number {
  return METHODS.indexOf(method) + (ENDINGS.test(operationId) ? 10 : 0)
}

function sendSample(
  app: TestApp,
  route: Route,
  records: RecordParams,
  {
    token,
    headers,
  }: { readonly token: string; readonly headers: Readonly<Record<string, string>> },
): Promise<TestAnswer> {
  const { params, record, json: sample } = findSample(route)
  const json = findOwnExamples(route.method, route.path)?.request ?? sample
  const path = fillPath(route, { ...params, ...records.get(record ?? 'instance') })
  return app.send(route.method, path, {
    token,
    headers: { ...headers },
    ...(json === undefined ? {} : { json }),
  })
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const UPPER_UUID = /[0-9A-F]{8}-[0-9A-F]{4}-[1-8][0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}/g
const LIST_LENGTH_MAX = 2

/** Ids, times and secrets, which differ in each run, become fixed ones; long lists become short. */
export function stabilize(value: unknown, time: string): unknown {
  if (typeof value === 'string') return stabilizeText(value, time)
  if (Array.isArray(value)) {
    return value.slice(0, LIST_LENGTH_MAX).map((one) => stabilize(one, time))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'duration_ms' ? 12 : stabilize(member, time),
    ]),
  )
}

function stabilizeText(text: string, time: string): string {
  return text
    .replaceAll(UUID, '0192f2a0-7b3c-7d41-9c1e-5a6b7c8d9e0f')
    .replaceAll(UPPER_UUID, '0192F2A0-7B3C-7D41-9C1E-5A6B7C8D9E0F')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, time)
    .replaceAll(/tok_[0-9a-f]{8,}/g, 'tok_0123456789abcdef')
    .replaceAll(/\b(usr|ses|grp)_[0-9a-f]{8,}/g, '$1_0192f2a07b3c7d419c1e5a6b7c8d9e0f')
    .replaceAll(/welcome#[\w-]{43}/g, 'welcome#shown-once')
    .replaceAll(/cw_api_\w+/g, 'cw_api_shown-once')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_c2hvd24gb25jZQ==')
    .replaceAll(/^[\w-]{20,}\.[\w.-]{20,}$/g, 'bmV4dC1wYWdl')
}

/** The same for the times of a request, whose lists stay as long as they are. */
export function stabilizeRequest(json: unknown): unknown {
  return JSON.parse(
    JSON.stringify(json).replaceAll(
      /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g,
      '2027-06-30T00:00:00.000Z',
    ),
  )
}
