// Renders a notice: the template of its name and language, over what its profile may show, and then
// without any address of a reporter or a trap that came in by a text of somebody.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../kernel/db/database.ts'
import { emailWithoutTag } from '../../values/email.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { buildView, listAddresses, type NoticeContent, removeAddresses } from './build-view.ts'
import type { NoticeParty, NoticePurpose, RedactionProfile } from './notice.ts'
import { findTraps, listShownEvents, type ShownCase, type ShownEvent } from './notice-view-store.ts'
import { renderTemplate, SUBJECT_LENGTH_MAX, TEXT_LENGTH_MAX } from './template-engine.ts'
import { findTemplates } from './template-store.ts'
import { type ParsedTemplate, readTemplate, type TemplateText } from './template-variables.ts'

export interface ChosenTemplate extends TemplateText {
  readonly name: string
  readonly language: string
  readonly purpose: NoticePurpose
  readonly profile: RedactionProfile
}

const FALLBACK_LANGUAGE = 'en'

interface TemplateQuestion {
  readonly name: string
  readonly language: string
}

export async function chooseTemplate(
  db: Db,
  scope: TenantScope,
  name: string,
  language: string,
): Promise<ChosenTemplate | null> {
  const [template = null] = await chooseTemplates(db, scope, [{ name, language }])
  return template
}

/**
 * The active template of each name in the language, else in the language without its region, else
 * in English; null when there is none. In the order of the questions.
 */
export async function chooseTemplates(
  db: Db,
  scope: TenantScope,
  questions: readonly TemplateQuestion[],
): Promise<readonly (ChosenTemplate | null)[]> {
  if (questions.length === 0) return []
  const names = new Set(questions.map(({ name }) => name))
  const languages = new Set(questions.flatMap(listLanguages))
  const find = await findTemplates(db, scope, [...names], [...languages])
  return questions.map((question) => {
    const found = listLanguages(question).map((language) => find(question.name, language))
    return found.find((one) => one?.isActive === true) ?? null
  })
}

function listLanguages({ language }: TemplateQuestion): readonly string[] {
  const wanted = language.toLowerCase()
  const [withoutRegion = ''] = wanted.split('-')
  return [wanted, withoutRegion, FALLBACK_LANGUAGE]
}

export interface RenderRequest {
  readonly template: TemplateText & { readonly profile: RedactionProfile }
  /** Null for a digest. */
  readonly case: ShownCase | null
  readonly party: NoticeParty
  readonly recipient: string | null
  readonly content: NoticeContent
}

export type RenderedNotice =
  | { readonly kind: 'rendered'; readonly subject: string; readonly text: string }
  | { readonly kind: 'trouble'; readonly problems: readonly FieldProblem[] }

export async function renderNotice(
  db: Db,
  scope: TenantScope,
  request: RenderRequest,
): Promise<RenderedNotice> {
  const [rendered] = await renderNotices(db, scope, [request])
  if (rendered === undefined) throw new Error('a notice is rendered for each request')
  return rendered
}

// Notices of one query: each may show a hundred events, so 6,400 events are in memory at most.
const AT_ONCE = 64

/** In the order of the requests. */
export async function renderNotices(
  db: Db,
  scope: TenantScope,
  requests: readonly RenderRequest[],
): Promise<readonly RenderedNotice[]> {
  const rendered: RenderedNotice[] = []
  for (let at = 0; at < requests.length; at += AT_ONCE) {
    // One after the other on one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    rendered.push(...(await renderTogether(db, scope, requests.slice(at, at + AT_ONCE))))
  }
  return rendered
}

interface Draft {
  readonly request: RenderRequest
  readonly rendered: RenderedNotice
  readonly reporters: readonly string[]
}

async function renderTogether(
  db: Db,
  scope: TenantScope,
  requests: readonly RenderRequest[],
): Promise<readonly RenderedNotice[]> {
  const ofCases = requests.flatMap(({ case: one, party, recipient }, at) =>
    one === null ? [] : [{ at, caseId: one.id, reporter: party === 'reporter' ? recipient : null }],
  )
  const lists = await listShownEvents(db, scope, ofCases)
  const events = new Map(ofCases.map(({ at }, index) => [at, lists[index] ?? []]))
  const drafts: Draft[] = []
  for (const [at, request] of requests.entries()) {
    const shown = events.get(at) ?? []
    const reporters = shown.map(({ senderEmail }) => senderEmail)
    drafts.push({ request, reporters, rendered: renderDraft(request, shown) })
    // A template takes 0.2 ms, and that of a tenant up to 50: other work has its turn.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await nextTurn()
  }
  const addresses = drafts.flatMap(({ rendered }) =>
    rendered.kind === 'rendered' ? listAddresses(`${rendered.subject}\n${rendered.text}`) : [],
  )
  const traps = await findTraps(db, scope, [...new Set(addresses)])
  return drafts.map((one) => redact(one, traps))
}

function renderDraft(
  { template, case: one, content }: RenderRequest,
  events: readonly ShownEvent[],
): RenderedNotice {
  const problems: FieldProblem[] = []
  const parsed = parseOnce(template, problems)
  if (parsed === null) return { kind: 'trouble', problems }
  const view = buildView(template.profile, one, events, content)
  const subject = renderTemplate(parsed.subject, view, TEXT_LENGTH_MAX)
  const body = renderTemplate(parsed.body, view, TEXT_LENGTH_MAX)
  if (subject.kind === 'trouble') problems.push({ path: '/subject', reason: subject.reason })
  if (body.kind === 'trouble') problems.push({ path: '/body', reason: body.reason })
  if (subject.kind === 'trouble' || body.kind === 'trouble') return { kind: 'trouble', problems }
  return { kind: 'rendered', subject: subject.text, text: body.text }
}

// Parsing a template takes 0.6 to 4.5 ms, rendering it 0.2 ms, and the notices of a batch share few
// templates.
const PARSED_MAX = 200
const parsedTemplates = new Map<string, ParsedTemplate>()

function parseOnce(
  template: RenderRequest['template'],
  problems: FieldProblem[],
): ParsedTemplate | null {
  const key = JSON.stringify([template.profile, template.subject, template.body])
  const known = parsedTemplates.get(key)
  if (known !== undefined) return known
  const parsed = readTemplate(template, template.profile, problems)
  if (parsed === null) return null
  if (parsedTemplates.size >= PARSED_MAX) parsedTemplates.clear()
  parsedTemplates.set(key, parsed)
  return parsed
}

/** A trap is never shown; a reporter is shown to authorities and to himself. */
function redact({ request, rendered, reporters }: Draft, traps: ReadonlySet<string>) {
  if (rendered.kind === 'trouble') return rendered
  const { template, case: one, recipient } = request
  const hidden = new Set(traps)
  if (template.profile !== 'authority') {
    const self = emailWithoutTag(recipient ?? '')
    const known = [...(one?.eventReporters ?? []), ...reporters].map(emailWithoutTag)
    for (const each of known) if (each !== self) hidden.add(each)
  }
  return {
    kind: 'rendered',
    subject: cleanLine(removeAddresses(rendered.subject, hidden)),
    text: cleanText(removeAddresses(rendered.text, hidden)),
  } as const
}

/** A header of one line, whatever the values held. */
export function cleanLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return Array.from(line).slice(0, SUBJECT_LENGTH_MAX).join('')
}

// Without control characters but line ends and tabs. Several empty lines in a row, which tags of
// the template leave behind, become one.
function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
