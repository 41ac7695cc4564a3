// GET /beta/tags/{name} (interface endpoint 8).

import { Type } from 'typebox'
import { presentSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { tagUnknown } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { answerCached } from './answer-cached.ts'
import { presentTag, TagRecord } from './tag-wire.ts'

export function getTagRoute({ index }: { readonly index: IntelIndex }): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/tags/{name}',
    group: 'intel',
    access: { kind: 'open-intel', scope: 'intel:read' },
    operationId: 'getTag',
    summary: 'Get a tag',
    description: 'The tag with its description, references and timeline.',
    params: Type.Object({
      name: Type.String({ description: 'Such as credentials:brute-force.' }),
    }),
    responses: {
      200: { description: 'The tag.', schema: successOf(TagRecord) },
      304: { description: 'The answer that If-None-Match names is still valid.' },
      400: { description: 'There is no tag of this name.', schema: FailureEnvelope },
    },
    handle({ params, headers }) {
      const catalogue = index.tags()
      const tag = catalogue.find(params.name)
      if (tag === null) throw tagUnknown()
      return answerCached(catalogue.fingerprint, headers['if-none-match'], () =>
        presentSuccess(presentTag(tag), 200),
      )
    },
  })
}
