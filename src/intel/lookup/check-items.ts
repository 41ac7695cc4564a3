// POST /beta/quick-check (interface endpoint 6): up to a thousand items from memory; asks neither
// the database nor anyone else. Without a query it is answered in front of Fastify
// (docs/decisions/0008).

import { type Static, Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { RawAnswer } from '../../kernel/http/raw-route.ts'
import { planBody, readBody } from '../../kernel/http/read-body.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isStorableText } from '../../values/json-value.ts'
import { FailureEnvelope } from '../../vocabulary/envelope-wire.ts'
import { quickCheckNotReadable } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { presentQuickCheck, type QuickCheckOptions } from './present-quick-check.ts'
import { QuickCheckAnswer } from './quick-check-wire.ts'
import { explainRefang } from './read-asked-item.ts'
import { REFANG } from './refang-wire.ts'

const ITEMS_MAX = 1_000
const RULES = { bodyLimit: 1_024 * 1_024 }

const Query = Type.Object({
  invalid: Type.Optional(
    Type.Literal('report', {
      description:
        'Answers a string that is no item in its place, with type INVALID and without a verdict, instead of 400.',
    }),
  ),
  ...REFANG,
})
const Body = Type.Array(Type.String({ description: 'IP address or domain.' }), {
  minItems: 1,
  maxItems: ITEMS_MAX,
})

const PATH = '/beta/quick-check'
const PLAIN_CHECK: QuickCheckOptions = { reportsInvalid: false, mayRefang: false }

export interface CheckItemsDeps {
  readonly index: Pick<IntelIndex, 'view' | 'headers'>
  readonly clock: Clock
}

export function checkItemsRoute(deps: CheckItemsDeps): Route {
  return defineRoute({
    method: 'POST',
    path: PATH,
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'quickCheck',
    summary: 'Check many addresses and domains',
    description: 'Answers in the order of the request, duplicates included.',
    query: Query,
    body: Body,
    ...RULES,
    // The parser below is the check: a compiled schema would walk the thousand strings once more.
    checksOwnBody: true,
    isHot: true,
    responses: {
      200: {
        description: 'One result for each item.',
        schema: QuickCheckAnswer,
      },
      400: { description: 'The body is no array of 1 to 1000 items.', schema: FailureEnvelope },
    },
    handle: ({ body, query }) =>
      checkItems(deps, body, {
        reportsInvalid: query.invalid === 'report',
        mayRefang: query.refang === true,
      }),
    answerRaw(message) {
      if (message.url !== PATH || message.headers.expect !== undefined) return null
      return async () => {
        const plan = planBody(message, RULES)
        return checkItems(deps, await readBody(message, plan, RULES), PLAIN_CHECK)
      }
    },
  })
}

function checkItems(
  { index, clock }: CheckItemsDeps,
  body: unknown,
  options: QuickCheckOptions,
): RawAnswer {
  const texts = readTexts(body, options.reportsInvalid)
  const nowSeconds = Math.floor(clock.nowMs() / 1_000)
  const text = presentQuickCheck(texts, index.view(), nowSeconds, options)
  if (typeof text === 'number') {
    throw quickCheckNotReadable(
      `the element at position ${text}, counting from 0, is neither an IP address nor a domain name${explainRefang(texts[text] ?? '')}.`,
    )
  }
  return { status: 200, text, headers: index.headers() }
}

// The route checks its own body, so what arrives here is any JSON value.
function readTexts(body: unknown, reportsInvalid: boolean): Static<typeof Body> {
  if (!Array.isArray(body)) throw quickCheckNotReadable('the body is no array.')
  if (body.length < 1) throw quickCheckNotReadable('the array is empty.')
  if (body.length > ITEMS_MAX) {
    throw quickCheckNotReadable(`the array has ${body.length} elements.`)
  }
  for (let at = 0; at < body.length; at += 1) {
    const value: unknown = body[at]
    if (typeof value !== 'string') {
      throw quickCheckNotReadable(
        `the element at position ${at}, counting from 0, is not a string.`,
      )
    }
    // No item has such a text. The answer repeats the texts, and half a character would make it
    // JSON that some readers refuse.
    if (!reportsInvalid && !isStorableText(value)) {
      throw quickCheckNotReadable(
        `the element at position ${at}, counting from 0, has U+0000 or a lone surrogate.`,
      )
    }
  }
  return body
}
