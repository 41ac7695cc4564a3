// Spellings of the content type on every route with a body: each is refused with 415, or the body
// is checked in full. A spelling that one part reads as JSON and another does not skips the check
// (four advisories of Fastify had that cause).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRoutes } from '../../src/app/routes.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { withApp } from '../harness.ts'
import { createRecords, fillPath, findSample } from '../operation-samples.ts'
import { forEachOf, PATIENT } from './input-kit.ts'

const app = withApp({ environment: PATIENT })

const JSON_TYPE = 'application/json'
const SPELLINGS = [
  '',
  ' ',
  JSON_TYPE,
  JSON_TYPE.toUpperCase(),
  'Application/Json',
  'application/JSON; Charset=UTF-8',
  ...[' ', '  ', '\t', ' \t', ';', ' ;', '; ', ';;', ',', ' ,'].flatMap((blank) => [
    `${JSON_TYPE}${blank}`,
    `${blank}${JSON_TYPE}`,
  ]),
  ...['utf-8', '"utf-8"', "'utf-8'", 'UTF8', 'utf-16', 'utf-7', 'latin1', '', '"', 'x'].map(
    (charset) => `${JSON_TYPE}; charset=${charset}`,
  ),
  ...[' x', '\tx', '; x', ';x=', ';=x', ';x=1;x=2', '; q=0.1', '; boundary=x', ' text/plain'].map(
    (rest) => `${JSON_TYPE}${rest}`,
  ),
  ...['x', '2', '+json', '-seq', '/', '*', '\u00e9', ':', '=', '"'].map(
    (rest) => `${JSON_TYPE}${rest}`,
  ),
  ...['x', '.', '/', 'text/', '"', '\\', 'multipart/'].map((first) => `${first}${JSON_TYPE}`),
  'application /json',
  'application/ json',
  'application\\json',
  'application//json',
  'application/json/json',
  'application',
  'json',
  '/json',
  'application/',
  'text/json',
  'text/x-json',
  'application/x-json',
  'application/problem+json',
  'application/ld+json',
  'application/vnd.api+json',
  'application/json, application/json',
  'application/json, text/plain',
  'text/plain, application/json',
  'text/plain; application/json',
  'text/plain',
  'text/html',
  'application/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  '*/*',
  'application/*',
  '*',
]

const isChecked = ({ body, bodyKind }: Route): boolean => body !== undefined && bodyKind !== 'bytes'

/** True for a right answer to a body that fits no schema. */
function isRefused(status: number, text: string): boolean {
  if (status === 415 || status === 400) return true
  // Rows of a push are answered one by one.
  return status === 200 && /"(?:rejected|error)"/.test(text)
}

test('415 or 400 for each of 80 spellings of the content type, on every route with a body', async () => {
  const spellings = [...new Set(SPELLINGS)]
  assert.ok(spellings.length >= 80, `only ${spellings.length} spellings`)
  const own = await createRecords(app, 'default', app.token)
  const wrong: string[] = []
  let count = 0
  for (const route of buildRoutes(app.services).filter(isChecked)) {
    const sample = findSample(route)
    const path = fillPath(route, { ...sample.params, ...own.get(sample.record ?? 'instance') })
    await forEachOf(spellings, async (spelling) => {
      const headers = { 'content-type': spelling }
      const answer = await app.send(route.method, path, { token: app.token, headers, body: '7' })
      count += 1
      if (!isRefused(answer.status, answer.text)) {
        wrong.push(`${route.operationId} ${JSON.stringify(spelling)}: ${answer.status}`)
      }
    })
  }
  assert.deepEqual(wrong, [])
  assert.ok(count > 6_000, `only ${count} requests were sent`)
})
