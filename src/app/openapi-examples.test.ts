// Sends the example request of every operation to the running service. What the example shows is
// what the service takes and answers today.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../test/harness.ts'
import { createCompiler } from '../../test/openapi-compiler.ts'
import { runSamples, stabilizeRequest } from '../../test/operation-examples.ts'
import { findSample } from '../../test/operation-samples.ts'
import { buildOpenapi } from './openapi.ts'
import { findExamples, findOwnExamples } from './openapi-examples.ts'
import { buildRoutes } from './routes.ts'

const RECORD = 'run "npm run examples"'
// Without a mail, a relay, a second case or a run that waits, these are refused.
const REFUSED = new Set([
  'acceptByProvider',
  'addDecision',
  'addPasskey',
  'beginPasskey',
  'beginSecondFactor',
  'changeCase',
  'changeCaseGroup',
  'changeCustomer',
  'changeSession',
  'checkDeviceLogin',
  'checkLink',
  'confirmTotp',
  'countSightings',
  'createCaseRun',
  'createSetupLink',
  'decideDeviceLogin',
  'deleteContract',
  'deleteCustomer',
  'deleteEntryBySegments',
  'deletePlaybook',
  'deletePlaybookVersion',
  'deleteTag',
  'endSession',
  'finishProviderSignIn',
  'linkProvider',
  'listIdentities',
  'startProviderSignIn',
  'unlinkIdentity',
  'unlinkUserIdentity',
  'enrolTotp',
  'eraseAddress',
  'fetchSource',
  'getDeviceToken',
  'getFactors',
  'getOwnerResolver',
  'getPlaybookTemplate',
  'getRegressionCase',
  'getSession',
  'listSessions',
  'makeRecoveryCodes',
  'mergeCases',
  'previewTemplate',
  'askForPassword',
  'changePassword',
  'proveSession',
  'putMitigationAdapter',
  'reassignEvent',
  'redeemLink',
  'removePasskey',
  'removeTotp',
  'renamePasskey',
  'replayDelivery',
  'resendNotice',
  'revokeOwnToken',
  'revokeSession',
  'searchRecords',
  'sendTestMail',
  'signIn',
  'signInByPasskey',
  'splitCase',
  'takeReportAsAnswer',
  'triggerPlaybook',
  'unmergeCases',
  'useSecondFactor',
])

const app = withApp()

test('every body and every answer with JSON has an example', () => {
  const missing = buildRoutes(app.services).flatMap((route) => {
    const { request, responses = {} } = findExamples(route)
    const lacks = route.body !== undefined && request === undefined ? ['body'] : []
    const statuses = Object.entries(route.responses).filter(
      ([status, { schema, contentType = 'application/json' }]) =>
        Number(status) < 300 && schema !== undefined && contentType === 'application/json',
    )
    const unseen = statuses.filter(([status]) => responses[Number(status)] === undefined)
    return [...lacks, ...unseen.map(([status]) => status)].map(
      (place) => `${route.operationId} ${place}`,
    )
  })
  assert.deepEqual(
    missing.filter((place) => place !== 'getOpenapi 200'),
    [],
    RECORD,
  )
})

test('every example request is taken, and answers are as documented', async () => {
  const routes = buildRoutes(app.services)
  const document = JSON.parse(JSON.stringify(buildOpenapi(routes)))
  const compile = createCompiler(document.components)
  let seen = 0
  for (const { route, answer } of await runSamples(app, routes)) {
    const { operationId, method, path } = route
    const { json } = findSample(route)
    if (json !== undefined && findOwnExamples(method, path)?.request === undefined) {
      assert.deepEqual(
        findExamples(route).request,
        stabilizeRequest(json),
        `${operationId}: ${RECORD}`,
      )
    }
    const responses = document.paths[path][method.toLowerCase()].responses
    if (answer.status >= 300) {
      assert.ok(REFUSED.has(operationId), `${operationId} ${answer.status}: ${answer.text}`)
      assert.ok(responses[answer.status] !== undefined, `${operationId} ${answer.status}`)
      continue
    }
    const schema = responses[answer.status]?.content?.['application/json']?.schema
    if (schema === undefined) continue
    assert.equal(compile(schema)(answer.json()), null, operationId)
    seen += 1
  }
  assert.ok(seen > 100, `only ${seen} answers were seen`)
})
