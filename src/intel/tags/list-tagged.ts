// GET /beta/tags/{name}/ips (design section 4.5): every item that carries a tag, in pages of one
// moment. The answer gives away a whole list, so it needs a token where a single look-up does not.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { tagListGone, tagListsBusy, tagUnknown } from '../errors.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import {
  findFreshTagList,
  findTagList,
  makeTagList,
  readTagListPage,
  type TagList,
} from './tag-list-store.ts'
import { TaggedItems } from './tag-wire.ts'

const LIMIT_DEFAULT = 1_000
// About 150 KB of addresses.
const LIMIT_MAX = 10_000
const OFFSET_MAX = 1_000_000_000
// Building a list keeps a core of the database busy, for seconds when the set is large. So each
// thread builds the lists of two tags at once at most.
const BUILDING_MAX = 2
const HEADERS = { 'cache-control': 'no-store' } as const

const Query = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: OFFSET_MAX, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  snapshot: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}\\.[0-9]{1,15}$',
      description: 'The snapshot of the first page. It is kept for an hour.',
    }),
  ),
})

interface TaggedDeps {
  readonly db: Db
  readonly clock: Clock
  readonly index: IntelIndex
}

export function listTaggedRoute(deps: TaggedDeps): Route {
  const { db, index } = deps
  const lists = new TagLists(deps)
  return defineRoute({
    method: 'GET',
    path: '/beta/tags/{name}/ips',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'listTagged',
    summary: 'List the items with a tag',
    description:
      'Addresses, ranges and domains that carry the tag themselves, by a live tagging or by sightings of sensors. Addresses inside a tagged range are not listed one by one. Without a snapshot the list is as new as the last change; a list of 10,000 entries or more may be up to a minute old.',
    params: Type.Object({ name: Type.String() }),
    query: Query,
    unknownQuery: 'ignored',
    responses: {
      200: { description: 'A page; past the end it is empty.', schema: successOf(TaggedItems) },
      400: { description: 'No such tag, or a malformed parameter.', schema: FailureEnvelope },
      410: { description: 'The snapshot is no longer kept.', schema: FailureEnvelope },
      503: { description: 'Lists of other tags are being built.', schema: FailureEnvelope },
    },
    async handle({ params, query }) {
      if (index.tags().find(params.name) === null) throw tagUnknown()
      const list =
        query.snapshot === undefined
          ? await lists.findOrBuild(params.name)
          : await lists.find(params.name, query.snapshot)
      const entries = await readTagListPage(db, list, {
        offset: query.offset ?? 0,
        limit: query.limit ?? LIMIT_DEFAULT,
      })
      const result: TaggedItems = {
        tag: params.name,
        entries: [...entries],
        lastUpdate: new Date(list.lastUpdateMs).toISOString(),
        total: list.total,
        snapshot: `${list.serial}.${list.id}`,
      }
      return answerSuccess(result, { headers: HEADERS })
    },
  })
}

class TagLists {
  readonly #deps: TaggedDeps
  // Requests for a list that is being built wait for that build.
  readonly #building = new Map<string, Promise<TagList>>()

  constructor(deps: TaggedDeps) {
    this.#deps = deps
  }

  async find(tag: string, snapshot: string): Promise<TagList> {
    const [serial, id] = snapshot.split('.').map(Number)
    const list = await findTagList(this.#deps.db, { tag, serial: serial ?? 0, id: id ?? 0 })
    if (list === null) throw tagListGone()
    return list
  }

  async findOrBuild(tag: string): Promise<TagList> {
    const { db, clock } = this.#deps
    // A list that was being built when the request came may lack the newest push. It is then not
    // found as a fresh one below.
    await this.#building.get(tag)?.catch(() => undefined)
    const fresh = await findFreshTagList(db, tag, clock.nowMs())
    if (fresh !== null) return fresh
    const running = this.#building.get(tag)
    if (running !== undefined) return await running
    if (this.#building.size >= BUILDING_MAX) throw tagListsBusy()
    const building = this.#build(tag).finally(() => this.#building.delete(tag))
    this.#building.set(tag, building)
    return await building
  }

  async #build(tag: string): Promise<TagList> {
    const { db, clock, index } = this.#deps
    const { sightingRules, lookBackSeconds } = index.view().policy
    return await makeTagList(db, {
      tag,
      nowMs: clock.nowMs(),
      rules: sightingRules.filter((rule) => rule.tags.includes(tag)),
      lookBackSeconds,
    })
  }
}
