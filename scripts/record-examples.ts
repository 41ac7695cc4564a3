// npm run examples: sends the sample of every operation to the service and records requests and
// answers in resources/operation-examples.json, for the OpenAPI document. An operation whose sample
// is not answered so gets the answer of another one with the same schema. Prints which have none.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildOpenapi } from '../src/app/openapi.ts'
import { findOwnExamples } from '../src/app/openapi-examples.ts'
import { buildRoutes } from '../src/app/routes.ts'
import type { Route } from '../src/kernel/http/route.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { openTestApp, type TestApp } from '../test/harness.ts'
import {
  runSamples,
  type SampleRun,
  stabilize,
  stabilizeRequest,
} from '../test/operation-examples.ts'
import { findSample } from '../test/operation-samples.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'

const TIME = '2026-11-20T21:41:00.000Z'

/** An answer of success that the document describes. */
interface Place {
  readonly operationId: string
  readonly status: string
  /** As JSON, by which answers with the same schema find each other. */
  readonly schema: string
}

/** The example of an operation: its request, and its answers by their status. */
interface Example {
  readonly request?: unknown
  answers?: Record<string, unknown>
}

await globalSetup()
try {
  const app = await openTestApp()
  try {
    const examples = await recordExamples(app)
    const target = join(findPackageRoot(), 'resources', 'operation-examples.json')
    await writeFile(target, `${JSON.stringify(sortMembers(examples), null, 2)}\n`)
  } finally {
    await app.close()
  }
} finally {
  await globalTeardown()
}

async function recordExamples(app: TestApp): Promise<Record<string, Example>> {
  const routes = buildRoutes(app.services)
  const places = listPlaces(routes)
  const answers = collectAnswers(routes, await runSamples(app, routes), places)
  const examples: Record<string, Example> = {}
  for (const route of routes) {
    const { json } = findSample(route)
    if (json !== undefined) examples[route.operationId] = { request: stabilizeRequest(json) }
  }
  for (const place of places) {
    const answer = chooseAnswer(place, answers)
    if (answer === undefined) {
      console.log(`no example: ${place.operationId} ${place.status} ${place.schema}`)
      continue
    }
    const example = (examples[place.operationId] ??= {})
    example.answers = { ...example.answers, [place.status]: answer }
  }
  return examples
}

/** The answers of success that have a JSON body; the document itself would be its own example. */
function listPlaces(routes: readonly Route[]): readonly Place[] {
  const document = JSON.parse(JSON.stringify(buildOpenapi(routes)))
  return routes
    .filter(({ operationId }) => operationId !== 'getOpenapi')
    .flatMap(({ path, method, operationId }): Place[] => {
      const responses: object = document.paths[path][method.toLowerCase()].responses
      return Object.entries(responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        const isShown = status.startsWith('2') && schema !== undefined
        return isShown ? [{ operationId, status, schema: JSON.stringify(schema) }] : []
      })
    })
}

/** Answers by `place.operationId place.status`, and the first one of each schema. */
interface Answers {
  readonly byPlace: ReadonlyMap<string, unknown>
  readonly bySchema: ReadonlyMap<string, unknown>
}

/** What the samples were answered, and else what a person wrote for the operation. */
function collectAnswers(
  routes: readonly Route[],
  runs: readonly SampleRun[],
  places: readonly Place[],
): Answers {
  const byPlace = new Map<string, unknown>()
  const bySchema = new Map<string, unknown>()
  for (const { operationId, status, schema } of places) {
    const run = runs.find(({ route }) => route.operationId === operationId)
    const route = routes.find((one) => one.operationId === operationId)
    const written = route && findOwnExamples(route.method, route.path)?.responses?.[Number(status)]
    const answer =
      run?.answer.status === Number(status) ? stabilize(run.answer.json(), TIME) : written
    if (answer === undefined) continue
    byPlace.set(`${operationId} ${status}`, answer)
    bySchema.set(schema, bySchema.get(schema) ?? answer)
  }
  return { byPlace, bySchema }
}

/** The own answer of the place, or one that has the same members; undefined when there is none. */
function chooseAnswer({ operationId, status, schema }: Place, answers: Answers): unknown {
  const own = answers.byPlace.get(`${operationId} ${status}`)
  if (own !== undefined) return own
  const { bySchema } = answers
  const success = schema.replace(/(?:Created|Accepted)Answer/, 'Answer')
  // A case with what may be expanded has everything of a case in full.
  const whole = schema.replace('CaseDetail', 'ExpandedCase')
  const other = bySchema.get(schema) ?? bySchema.get(success) ?? bySchema.get(whole)
  return renumber(other, Number(status))
}

/** An envelope repeats the status. */
function renumber(answer: unknown, statusCode: number): unknown {
  const isEnvelope = typeof answer === 'object' && answer !== null && 'statusCode' in answer
  return isEnvelope ? { ...answer, statusCode } : answer
}

function sortMembers(record: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}
