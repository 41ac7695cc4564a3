// The texts of the OpenAPI document that somebody can write, for the test that fills them all.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly readOnly?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> }
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const DOCUMENT = JSON.parse(readFileSync('openapi/beta.json', 'utf8')) as {
  readonly paths: Paths
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Why a text of the document is not filled by every-text.console.ts. */
export const NOT_FILLED: readonly (readonly [texts: RegExp, reason: string])[] = [
  [
    /^(?:change(?:CaseGroup|Contract|Customer|Role|ServiceAccount|SightingRule|User|UserGroup|View|Webhook|Resource)|import\w+|validatePlaybook|createPlaybookVersion|renamePlaybook|createTenant) /,
    'the same text as of the operation that creates the record',
  ],
  [/^pushEvents \[\]/, 'the same texts as of one event'],
  [
    /^(?:testCaseGroups|tryRules|quickCheck|simulate\w+|previewTemplate|verifyAudit|exportAddress|eraseAddress|sendTestMail|replayEvents|migrateRuns?|\w*SightingRule) /,
    'nothing of it is shown by another page',
  ],
  [
    /^(?:signIn\w*|changeSession|useSecondFactor|askForPassword|changePassword|checkLink|redeemLink|\w+DeviceLogin|getDeviceToken|acceptByProvider|proveSession|addPasskey|renamePasskey|putSecret|putOwnerResolver|putReportAddress) /,
    'secrets, and what security.console.ts and device.console.ts fill',
  ],
  [/^createView /, 'views belong to the person who made them: cases.console.ts'],
  [
    /(?:_ids?|\bids?|_id|scopes|roles|role|networks|from|path|nodes\.\*|template|node|case_groups)(?:\[\])?$/,
    'the name of something that must exist',
  ],
  [
    /(?:\bip|domain|urls?|item|range|email|target|address|addresses|event_type|xarf_class|event_types|fetch\.name|event_subtypes|tags|kind|service|type|\btag|list|time_zone|to|holidays|expires_in|contact_purpose)(?:\[\])?$/,
    'of one form only; all else is refused',
  ],
  [/ (?:filter\.|key\.|.*condition$)/, 'an expression or the value of a filter'],
  [
    /^(?:cancelRun|undoBulkChange|splitCase) reason$/,
    'shown as the reasons of pauseRun, changeCases and mergeCases',
  ],
  [/^sendNotice reasons/, 'stands in a mail as its text'],
  [/^createPlaybook nodes\[\]\.config\./, 'stands in a field of the editor, as those above'],
]

/**
 * The texts that a body can have and that take any characters, as `createView name`: the operation
 * with the way to the text in its body.
 */
export function listWritableTexts(sample: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { method, operation } of OPERATIONS) {
    if (!['post', 'put', 'patch'].includes(method)) continue
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema !== undefined) noteTexts(schema, `${operation.operationId} `, [], { sample, found })
  }
  return found
}

interface Search {
  readonly sample: string
  readonly found: Set<string>
}

/** `above` has the schemas that this one is a part of: one that holds itself is read once. */
function noteTexts(schema: Schema, at: string, above: readonly string[], search: Search): void {
  const { $ref } = schema
  if ($ref !== undefined) {
    if (above.includes($ref)) return
    const name = $ref.replace('#/components/schemas/', '')
    const meant = DOCUMENT.components.schemas[name] ?? assert.fail(`there is no schema ${name}`)
    noteTexts(meant, at, [...above, $ref], search)
    return
  }
  if (schema.readOnly === true) return
  if (takesText(schema, search.sample)) search.found.add(at)
  const member = at.endsWith(' ') ? at : `${at}.`
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    noteTexts(inner, member + name, above, search)
  }
  const others = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})]
  for (const inner of others) {
    if (typeof inner === 'object') noteTexts(inner, `${member}*`, above, search)
  }
  if (schema.items !== undefined) noteTexts(schema.items, `${at}[]`, above, search)
  for (const inner of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((one) => one ?? [])) {
    noteTexts(inner, at, above, search)
  }
}

/** Whether the schema lets the text through; what else an endpoint refuses it does not know. */
function takesText(schema: Schema, text: string): boolean {
  const isText = [schema.type ?? []].flat().includes('string')
  if (!isText || schema.enum !== undefined || schema.const !== undefined) return false
  if (schema.format !== undefined || (schema.maxLength ?? Infinity) < text.length) return false
  return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text)
}
