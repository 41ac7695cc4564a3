// Checks the OpenAPI document with the rules of Spectral (oas) and Redocly (recommended), and fails
// at the first warning. Both run as libraries: their commands bring a hundred packages more, ask
// for newer versions and send usage data.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { findPackageRoot } from '../src/values/resources.ts'

// Redocly's own rule knows answers 2xx only; the routes of OpenID Connect providers answer by
// redirects alone.
const RULES = {
  'operation-2xx-response': 'off',
  'rule/operation-succeeds': {
    subject: { type: 'Responses' },
    message: 'Operation must have an answer of success or a redirect.',
    assertions: { requireAny: ['200', '201', '202', '204', '302'] },
  },
} as const

const [, , file = join(findPackageRoot(), 'openapi', 'beta.json')] = process.argv
const text = readFileSync(file, 'utf8')
const findings = [...(await lintBySpectral(text)), ...(await lintByRedocly(text))]
for (const finding of findings) console.log(finding)
console.log(`${file}: ${findings.length} findings of Spectral and Redocly.`)
process.exitCode = findings.length === 0 ? 0 : 1

async function lintBySpectral(document: string): Promise<readonly string[]> {
  const spectral = new spectralCore.Spectral()
  // The two packages disagree with our strict types about what is optional.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  spectral.setRuleset({ extends: [spectralRulesets.oas] } as unknown as RulesetDefinition)
  const results = await spectral.run(JSON.parse(document))
  return results.map(({ code, path, message }) => `spectral ${code} /${path.join('/')}: ${message}`)
}

async function lintByRedocly(document: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off', rules: RULES })
  const problems = await lintFromString({ source: document, absoluteRef: file, config })
  return problems.map(
    ({ ruleId, location, message }) => `redocly ${ruleId} ${location[0]?.pointer}: ${message}`,
  )
}
