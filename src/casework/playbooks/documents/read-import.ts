// The body of an import: a document as JSON or YAML, or the name of a playbook that ships with the
// program.

import { isUtf8 } from 'node:buffer'
import type { FieldProblem } from '../../../values/field-problem.ts'
import { isJsonObject } from '../../../values/json-value.ts'
import { playbookNotValid, playbookTemplateNotFound } from '../errors.ts'
import { type PlaybookDocument, readDocument } from './playbook-document.ts'
import { findShippedPlaybook } from './shipped-playbooks.ts'
import { readYaml } from './yaml-text.ts'

export interface SentDocument {
  readonly document: PlaybookDocument
  /** A problem with the line of the text in which its place is; unchanged for JSON. */
  readonly addLine: (problem: FieldProblem) => FieldProblem
}

/** Throws CASEWORK_PLAYBOOK_NOT_VALID with every problem of what is no document. */
export function readImport(body: unknown): SentDocument {
  const { value, addLine } = Buffer.isBuffer(body)
    ? readText(body)
    : { value: body, addLine: (problem: FieldProblem) => problem }
  if (isJsonObject(value) && 'template' in value) {
    return { document: readTemplate(value), addLine }
  }
  const problems: FieldProblem[] = []
  const document = readDocument(value, problems)
  if (document === null) throw playbookNotValid(problems.map(addLine))
  return { document, addLine }
}

function readText(bytes: Buffer): {
  readonly value: unknown
  readonly addLine: SentDocument['addLine']
} {
  if (!isUtf8(bytes)) throw playbookNotValid([{ path: '/', reason: 'is not UTF-8' }])
  const reading = readYaml(bytes.toString('utf8'))
  if (reading.kind === 'faulty') throw playbookNotValid(reading.problems)
  return {
    value: reading.value,
    addLine: (problem) => ({ ...problem, line: reading.findLine(problem.path) }),
  }
}

function readTemplate(value: Record<string, unknown>): PlaybookDocument {
  const { template, name, ...others } = value
  const problems: FieldProblem[] = Object.keys(others).map((other) => ({
    path: `/${other.slice(0, 100)}`,
    reason: 'is not known beside template',
  }))
  if (typeof template !== 'string') problems.push({ path: '/template', reason: 'must be a text' })
  if (problems.length > 0 || typeof template !== 'string') throw playbookNotValid(problems)
  const shipped = findShippedPlaybook(template)
  if (shipped === null) throw playbookTemplateNotFound()
  const { document } = shipped
  if (name === undefined) return document
  const renamed = readDocument({ ...document, name }, problems)
  if (renamed === null) throw playbookNotValid(problems)
  return renamed
}
