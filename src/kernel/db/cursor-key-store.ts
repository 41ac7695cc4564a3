// The key that signs cursors: made by whichever node starts first, the same for every node and
// thread from then on.

import { randomBytes } from 'node:crypto'
import { type Db, seeTables } from './database.ts'

interface CursorKeyTables {
  cursor_key: { id: number; secret: Buffer }
}

export async function ensureCursorKey(db: Db): Promise<Buffer> {
  const tables = seeTables<CursorKeyTables>(db)
  const select = tables.selectFrom('cursor_key').select('secret').where('id', '=', 1)
  const present = await select.executeTakeFirst()
  if (present !== undefined) return present.secret
  await tables
    .insertInto('cursor_key')
    .values({ id: 1, secret: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await select.executeTakeFirstOrThrow()).secret
}
