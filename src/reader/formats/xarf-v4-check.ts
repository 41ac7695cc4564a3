// Checks a XARF v4 report completely: its core, what its pair requires, and that all of it can be
// stored.

import { parseIpAddress } from '../../values/address.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import {
  addProblem,
  checkJsonObject,
  isJsonObject,
  type JsonObject,
  joinPointer,
} from '../../values/json-value.ts'
import { explainWrongTime } from '../../values/timestamp.ts'
import { isUuid } from '../../values/uuid.ts'
import { DETAILS_LIMITS } from '../../vocabulary/event.ts'
import { findXarfMapping, isXarfCategory, XARF_CATEGORIES } from '../../vocabulary/event-types.ts'
import { checkEvidence, withoutPayloads } from './xarf-v4-evidence.ts'
import { type RequiredField, XARF_V4_FIELDS } from './xarf-v4-fields.ts'
import { explainWrongSource } from './xarf-v4-source.ts'
import {
  explainWrongKind,
  isConfidence,
  isDomain,
  isEmail,
  isOrg,
  isPort,
  isTags,
  isText,
  isTextLike,
  ORG_LENGTH_MAX,
  TAGS_MAX,
  TEXT_RULE,
} from './xarf-v4-values.ts'

const DESCRIPTION_LENGTH_MAX = 1_000

const VERSION = /^4\.\d+\.\d+$/

/**
 * The report without what must not be kept (payloads of evidence, `_internal`) when it is sound;
 * otherwise null, and `problems` holds every fault found.
 */
export function checkXarfV4(
  report: Record<string, unknown>,
  nowMs: number,
  problems: FieldProblem[],
): JsonObject | null {
  checkCore(report, nowMs, problems)
  checkPair(report, problems)
  checkEvidence(report['evidence'], problems)
  const kept = withoutPayloads(report)
  // The envelope around the details costs two levels at most.
  const isStorable = checkJsonObject(kept, '', DETAILS_LIMITS, problems)
  return isStorable && problems.length === 0 ? kept : null
}

function checkCore(report: Record<string, unknown>, nowMs: number, problems: FieldProblem[]): void {
  const check = (name: string, isRight: (value: unknown) => boolean, rule: string): void => {
    const value = report[name]
    if (value === undefined) addProblem(problems, `/${name}`, 'is missing')
    else if (!isRight(value)) addProblem(problems, `/${name}`, rule)
  }
  check('xarf_version', (value) => isTextLike(value, VERSION), 'must be a version 4.x.y')
  check('report_id', (value) => typeof value === 'string' && isUuid(value), 'must be a UUID')
  checkTime(report['timestamp'], nowMs, problems)
  checkParty(report['reporter'], '/reporter', problems)
  checkParty(report['sender'], '/sender', problems)
  checkSource(report, problems)
  checkOptional(report, problems)
}

function checkSource(report: Record<string, unknown>, problems: FieldProblem[]): void {
  const { source_identifier: source, category } = report
  const rule =
    typeof source === 'string' && isText(source) ? explainWrongSource(source, category) : TEXT_RULE
  const reason = source === undefined ? 'is missing' : rule
  if (reason !== null) addProblem(problems, '/source_identifier', reason)
}

// A time that has not come yet cannot be mended by us: clamped to the arrival it would look like an
// observation of that moment.
function checkTime(value: unknown, nowMs: number, problems: FieldProblem[]): void {
  const reason = value === undefined ? 'is missing' : explainWrongTime(value, nowMs)
  if (reason !== null) addProblem(problems, '/timestamp', reason)
}

function checkOptional(report: Record<string, unknown>, problems: FieldProblem[]): void {
  const check = (name: string, isRight: (value: unknown) => boolean, rule: string): void => {
    const value = report[name]
    if (value !== undefined && !isRight(value)) addProblem(problems, `/${name}`, rule)
  }
  check('source_port', isPort, 'must be a port number from 1 to 65535')
  check('evidence_source', isText, TEXT_RULE)
  check('confidence', isConfidence, 'must be a number from 0 to 1')
  check(
    'description',
    (value) => typeof value === 'string' && value.length <= DESCRIPTION_LENGTH_MAX,
    `must be a text of at most ${DESCRIPTION_LENGTH_MAX} characters`,
  )
  check('legacy_version', (value) => value === '3', 'must be "3"')
  check(
    'tags',
    isTags,
    `must be a list of at most ${TAGS_MAX} tags of the form namespace:predicate`,
  )
}

function checkParty(value: unknown, path: string, problems: FieldProblem[]): void {
  if (value === undefined) {
    addProblem(problems, path, 'is missing')
    return
  }
  if (!isJsonObject(value)) {
    addProblem(problems, path, 'must be an object of org, contact and domain')
    return
  }
  const rules: Readonly<Record<string, readonly [(member: unknown) => boolean, string]>> = {
    org: [isOrg, `must be a text of 1 to ${ORG_LENGTH_MAX} characters`],
    contact: [isEmail, 'must be an e-mail address'],
    domain: [isDomain, 'must be a domain name'],
  }
  for (const [name, [isRight, rule]] of Object.entries(rules)) {
    const member = value[name]
    if (member === undefined) addProblem(problems, `${path}/${name}`, 'is missing')
    else if (!isRight(member)) addProblem(problems, `${path}/${name}`, rule)
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(rules, name)) {
      addProblem(problems, joinPointer(path, name), 'is not known here')
    }
  }
}

function checkPair(report: Record<string, unknown>, problems: FieldProblem[]): void {
  const { category, type } = readPair(report)
  if (category === null || !isXarfCategory(category)) {
    const rule = `must be one of ${XARF_CATEGORIES.join(', ')}`
    addProblem(problems, '/category', report['category'] === undefined ? 'is missing' : rule)
    if (report['type'] === undefined) addProblem(problems, '/type', 'is missing')
    // Which words it may be, only the category tells.
    else if (type === null) addProblem(problems, '/type', 'must be a text')
    return
  }
  if (type === null || findXarfMapping(category, type) === null) {
    const rule = `is no type of the category ${category}`
    addProblem(problems, '/type', report['type'] === undefined ? 'is missing' : rule)
    return
  }
  for (const required of XARF_V4_FIELDS.get(`${category}/${type}`) ?? []) {
    if (isRequired(required, report)) checkRequired(required, report, problems)
  }
}

function readPair(report: Record<string, unknown>): {
  readonly category: string | null
  readonly type: string | null
} {
  const category = report['category']
  const type = report['type']
  return {
    category: typeof category === 'string' ? category : null,
    type: typeof type === 'string' ? type : null,
  }
}

function isRequired(required: RequiredField, report: Record<string, unknown>): boolean {
  switch (required.when) {
    case 'always':
      return true
    case 'protocol_is_smtp':
      return report['protocol'] === 'smtp'
    case 'source_is_ip': {
      const source = report['source_identifier']
      return typeof source === 'string' && parseIpAddress(source) !== null
    }
  }
}

function checkRequired(
  required: RequiredField,
  report: Record<string, unknown>,
  problems: FieldProblem[],
): void {
  const choices = [required.path, ...required.or]
  const given = choices.find((path) => readMember(report, path) !== undefined)
  if (given === undefined) {
    const others = required.or.map((path) => `, and so is ${path.join('.')} that could stand in`)
    addProblem(problems, `/${required.path.join('/')}`, `is missing${others.join('')}`)
    return
  }
  const path = `/${given.join('/')}`
  const rule = explainWrongKind(required.kind, readMember(report, given))
  // Optional members of the core have been checked for their kind already.
  if (rule !== null && !problems.some((problem) => problem.path === path)) {
    addProblem(problems, path, rule)
  }
}

function readMember(report: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = report
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  return value
}
