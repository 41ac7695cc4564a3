// GET /beta/tags (interface endpoint 9).

import { Type } from 'typebox'
import { presentSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { answerCached } from './answer-cached.ts'
import { presentTagSummary, TagSummary } from './tag-wire.ts'

export function listTagsRoute({ index }: { readonly index: IntelIndex }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/tags',
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'listTags',
    summary: 'List tags',
    description: 'The catalogue of tags, by name. `includeDescriptions` adds the full description.',
    query: Type.Object({
      includeDescriptions: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'true gives the full description, false its first sentence.',
        }),
      ),
    }),
    responses: {
      200: { description: 'Every tag, by name.', schema: successOf(Type.Array(TagSummary)) },
      304: { description: 'The answer that If-None-Match names is still valid.' },
      400: { description: 'includeDescriptions is not a boolean.', schema: FailureEnvelope },
    },
    handle({ query, headers }) {
      const { tags, fingerprint } = index.tags()
      const isFull = query.includeDescriptions === true
      const form = isFull ? 'full' : 'short'
      return answerCached(`${fingerprint}-${form}`, headers['if-none-match'], () =>
        presentSuccess(
          tags.map((tag) => presentTagSummary(tag, isFull)),
          200,
        ),
      )
    },
  })
}
