// One source as the endpoints answer it, with its number of live entries.

import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import { sourceUnknown } from '../errors.ts'
import type { SourceName } from '../facts/source-kinds.ts'
import type { SourceCounts } from './count-sources.ts'
import { findSource } from './source-store.ts'
import { presentSource, type Source } from './source-wire.ts'

export interface SourceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly counts: SourceCounts
}

/** Throws INTEL_SOURCE_UNKNOWN when there is no such source. */
export async function loadSource(
  { db, clock, counts }: SourceDeps,
  wanted: SourceName,
): Promise<Source> {
  const source = await findSource(db, wanted)
  if (source === null) throw sourceUnknown()
  const entriesOf = await counts.read([source])
  return presentSource(source, entriesOf(source), clock.nowMs())
}
