// What a tool is: its words for the model, the schema of its arguments, and the calls of the client
// that answer it.

import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Casework } from '../client/client.ts'
import {
  type Answer,
  buildPageAnswer,
  buildPartAnswer,
  buildRecordAnswer,
  CONTENT_CHARACTERS_MAX,
  measure,
} from './build-answer.ts'
import { refuseArguments } from './tool-failure.ts'

export interface ToolCall<A> {
  readonly args: A
  /** Speaks to the service with the token of the caller. */
  readonly casework: Casework
  /** Aborted when the caller takes the call back, or is gone. */
  readonly signal: AbortSignal
}

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  /** What the answer has as `result`. */
  readonly result: TObject
  readonly effect: Effect
  readonly run: (call: ToolCall<Readonly<Record<string, unknown>>>) => Promise<Answer>
}

/** `adds` changes nothing that was there; `acts` may start what cannot be taken back. */
export type Effect = 'reads' | 'adds' | 'changes' | 'acts'

interface ToolText {
  readonly name: string
  readonly title: string
  readonly description: string
}

const AnyMembers = { additionalProperties: true } as const
const RecordResult = Type.Object({}, AnyMembers)
const PageResult = Type.Object(
  {
    // Absent in the answer that gives a part of a page.
    items: Type.Optional(Type.Array(Type.Object({}, AnyMembers))),
    next_cursor: Type.Optional(
      Type.String({ description: 'Send it as cursor for the next page; empty on the last one.' }),
    ),
  },
  AnyMembers,
)

const PART_MEMBERS = {
  at: Type.Optional(
    Type.String({
      maxLength: 2_000,
      pattern: '^/',
      description:
        'A place that the answer to these arguments says it cut: only this part is returned.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: 'With at: where in the part to begin.' }),
  ),
}

const LIMIT_DEFAULT = 20
const PAGE_MEMBERS = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: `The most rows to return; ${LIMIT_DEFAULT} when left out. Fewer are returned when they are long.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The next_cursor of the page before, with all other arguments as they were.',
    }),
  ),
}

/** A tool that returns one record, or parts of it that its answer cut. */
export function defineRecordTool<P extends TProperties>(
  text: ToolText,
  members: P,
  load: (call: ToolCall<Static<TObject<P>>>) => Promise<unknown>,
): McpTool {
  return {
    ...text,
    input: Type.Object({ ...members, ...PART_MEMBERS }, { additionalProperties: false }),
    result: RecordResult,
    effect: 'reads',
    async run(call) {
      const record = await load(narrow<P>(call))
      const { at, offset = 0 } = call.args
      return typeof at === 'string'
        ? requirePart(record, at, Number(offset))
        : buildRecordAnswer(record)
    },
  }
}

function requirePart(record: unknown, at: string, offset: number): Answer {
  const answer = buildPartAnswer(record, at, offset)
  if (answer === null) throw refuseArguments([{ path: '/at', reason: 'leads to nothing' }])
  return answer
}

/** A tool that returns a page of a list, or parts of it that its answer cut. */
export function definePageTool<P extends TProperties>(
  text: ToolText,
  members: P,
  load: (call: ToolCall<Static<TObject<P>>>, page: AskedPage) => Promise<unknown>,
): McpTool {
  return {
    ...text,
    input: Type.Object(
      { ...members, ...PAGE_MEMBERS, ...PART_MEMBERS },
      { additionalProperties: false },
    ),
    result: PageResult,
    effect: 'reads',
    async run(call) {
      const { limit = LIMIT_DEFAULT, cursor, at, offset = 0 } = call.args
      const given = typeof cursor === 'string' ? { cursor } : {}
      const loadRows = (rows: number) => load(narrow<P>(call), { ...given, limit: rows })
      return typeof at === 'string'
        ? requirePart(await loadRows(Number(limit)), at, Number(offset))
        : await fitPage(Number(limit), loadRows)
    },
  }
}

export interface AskedPage {
  readonly limit: number
  readonly cursor?: string
}

/**
 * A page with as many rows as an answer holds. Rows that do not fit are asked for again with a
 * smaller limit: the cursor of a page leads behind its last row.
 */
async function fitPage(limit: number, load: (rows: number) => Promise<unknown>): Promise<Answer> {
  for (let rows = limit; ; ) {
    const page = await load(rows)
    const answer = buildPageAnswer(page)
    const characters = measure(answer)
    if (characters <= CONTENT_CHARACTERS_MAX) {
      return rows === limit ? answer : noteFewerRows(answer, limit)
    }
    // One row of a page is never as large as an answer, unless somebody made it so.
    if (rows === 1) return buildRecordAnswer(page)
    rows = Math.max(1, Math.floor(((rows * CONTENT_CHARACTERS_MAX) / characters) * 0.9))
  }
}

function noteFewerRows(answer: Answer, limit: number): Answer {
  const { items, next_cursor: next }: Readonly<Record<string, unknown>> = {
    ...Object(answer.result),
  }
  if (next === '' || next === undefined) return answer
  const given = Array.isArray(items) ? items.length : 0
  const more = `Only ${given} of the ${limit} rows that were asked for fit. Call again with cursor set to next_cursor for the rows after them.`
  return { ...answer, cut: { ...answer.cut, more: joinSentences(more, answer.cut?.more), given } }
}

function joinSentences(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first} ${second}`
}

/** A tool that changes something. */
export function defineWritingTool<P extends TProperties>(
  text: ToolText,
  effect: Exclude<Effect, 'reads'>,
  members: P,
  write: (call: ToolCall<Static<TObject<P>>>) => Promise<unknown>,
): McpTool {
  return {
    ...text,
    input: Type.Object(members, { additionalProperties: false }),
    result: RecordResult,
    effect,
    run: async (call) => buildRecordAnswer(await write(narrow<P>(call))),
  }
}

/** The arguments were checked against the schema of the tool before. */
function narrow<P extends TProperties>(
  call: ToolCall<Readonly<Record<string, unknown>>>,
): ToolCall<Static<TObject<P>>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked, see above
  return call as unknown as ToolCall<Static<TObject<P>>>
}
