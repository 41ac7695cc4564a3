// npm run examples: sends the sample of every operation to the service and records requests and
// answers in resources/operation-examples.json, for the OpenAPI document. An answer that cannot be
// had so is that of another operation with the same schema. Prints what has none.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildOpenapi } from '../src/app/openapi.ts'
import { findOwnExamples } from '../src/app/openapi-examples.ts'
import { buildRoutes } from '../src/app/routes.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { openTestApp } from '../test/harness.ts'
import { runSamples, stabilize, stabilizeRequest } from '../test/operation-examples.ts'
import { findSample } from '../test/operation-samples.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'

const TIME = '2026-11-20T21:41:00.000Z'

interface Place {
  readonly operationId: string
  readonly status: string
  readonly schema: string
}

await globalSetup()
try {
  const app = await openTestApp()
  try {
    const routes = buildRoutes(app.services)
    const answers = new Map<string, unknown>()
    const bySchema = new Map<string, unknown>()
    const runs = await runSamples(app, routes)
    const document = JSON.parse(JSON.stringify(buildOpenapi(routes)))
    const places = routes.flatMap(({ path, method, operationId }): Place[] => {
      const responses: object = document.paths[path][method.toLowerCase()].responses
      return Object.entries(responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        return status.startsWith('2') && schema !== undefined && operationId !== 'getOpenapi'
          ? [{ operationId, status, schema: JSON.stringify(schema) }]
          : []
      })
    })
    for (const { operationId, status, schema } of places) {
      const run = runs.find(({ route }) => route.operationId === operationId)
      const route = routes.find((one) => one.operationId === operationId)
      const own = route && findOwnExamples(route.method, route.path)?.responses?.[Number(status)]
      const came = run?.answer.status === Number(status) ? stabilize(run.answer.json(), TIME) : own
      if (came === undefined) continue
      answers.set(`${operationId} ${status}`, came)
      bySchema.set(schema, bySchema.get(schema) ?? came)
    }
    const recorded: Record<string, { request?: unknown; answers?: Record<string, unknown> }> = {}
    for (const route of routes) {
      const { json } = findSample(route)
      if (json !== undefined) recorded[route.operationId] = { request: stabilizeRequest(json) }
    }
    for (const { operationId, status, schema } of places) {
      const success = schema.replace(/(?:Created|Accepted)Answer/, 'Answer')
      // A case with what may be expanded has everything of a case in full.
      const whole = schema.replace('CaseDetail', 'ExpandedCase')
      const other = bySchema.get(schema) ?? bySchema.get(success) ?? bySchema.get(whole)
      const shown = answers.get(`${operationId} ${status}`) ?? renumber(other, Number(status))
      if (shown === undefined) console.log(`no example: ${operationId} ${status} ${schema}`)
      else {
        const entry = (recorded[operationId] ??= {})
        entry.answers = { ...entry.answers, [status]: shown }
      }
    }
    const sorted = Object.fromEntries(
      Object.entries(recorded).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
    const target = join(findPackageRoot(), 'resources', 'operation-examples.json')
    await writeFile(target, `${JSON.stringify(sorted, null, 2)}\n`)
  } finally {
    await app.close()
  }
} finally {
  await globalTeardown()
}

/** An envelope repeats the status. */
function renumber(answer: unknown, statusCode: number): unknown {
  const isEnvelope = typeof answer === 'object' && answer !== null && 'statusCode' in answer
  return isEnvelope ? { ...answer, statusCode } : answer
}
