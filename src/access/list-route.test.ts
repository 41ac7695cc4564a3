import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { createCursorSealer } from '../kernel/http/cursor.ts'
import { OperatingError } from '../kernel/operating-error.ts'
import { PAGE_PARAMETERS } from '../vocabulary/page-wire.ts'
import { byId, listRoute, showRows } from './list-route.ts'

const ROWS = ['c', 'b', 'a'].map((id) => ({ id }))

const ROUTE = listRoute({
  cursors: createCursorSealer(Buffer.alloc(32, 'key of the test')),
  path: '/things',
  access: { kind: 'scope', scope: 'cases:read' },
  operationId: 'listThings',
  summary: 'List things',
  query: Type.Object({ word: Type.Optional(Type.String()), ...PAGE_PARAMETERS }),
  responses: {},
  list: 'things',
  sort: 'id',
  open: ({ query: { word } }) => ({
    filters: { word },
    async find({ limit, position }) {
      const from = position === null ? 0 : ROWS.findIndex(({ id }) => id === position[0]) + 1
      const rows = ROWS.slice(from, from + limit + 1)
      return showRows(rows, byId, ({ id }) => ({ shown: id }), { word: word ?? null })
    },
  }),
})

async function ask(query: object, tenantId = 'default') {
  const context = { caller: { tenantId }, params: {}, query } as never
  return (await ROUTE.handle(context)).json as {
    items: unknown[]
    next_cursor: string
    word: string | null
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof OperatingError && error.code === 'CASEWORK_CURSOR_NOT_VALID'
}

test('a list shows a page of its rows, what is beside them, and a cursor of the next page', async () => {
  const first = await ask({ limit: 2, word: 'x' })
  assert.deepEqual([first.items, first.word], [[{ shown: 'c' }, { shown: 'b' }], 'x'])
  const last = await ask({ limit: 2, word: 'x', cursor: first.next_cursor })
  assert.deepEqual([last.items, last.next_cursor], [[{ shown: 'a' }], ''])
})

test('a cursor of other filters or of another tenant is refused', async () => {
  const { next_cursor: cursor } = await ask({ limit: 2, word: 'x' })
  await assert.rejects(ask({ limit: 2, word: 'y', cursor }), isRefused)
  await assert.rejects(ask({ limit: 2, word: 'x', cursor }, 'other'), isRefused)
})
