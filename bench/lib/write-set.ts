// Writes a generated set as the index file of a server, as if it had been imported before: pushing
// 10 million entries takes half an hour on two cores that others use too, and the import is
// measured elsewhere.

import { join } from 'node:path'
import { LOOK_BACK_SECONDS_DEFAULT } from '../../src/intel/facts/classify-item.ts'
import { SNAPSHOT_FILE } from '../../src/intel/index/own-snapshot-file.ts'
import { SnapshotBuilder } from '../../src/intel/snapshot/snapshot-builder.ts'
import { writeSnapshotFile } from '../../src/intel/snapshot/snapshot-file.ts'
import { parseSubject, type Subject } from '../../src/values/range.ts'
import type { IntelRows } from './intel-set.ts'
import type { Stage } from './stage.ts'

interface Row {
  readonly item: string
  readonly source: string
  readonly lastSeen: string
}

/**
 * The parts of the set, one after the other, become the file. The program must have made its tables
 * and folder, and must be down.
 */
export async function writeSet(stage: Stage, parts: Iterable<IntelRows>): Promise<void> {
  // The file is taken for a copy of this database by the mark of its newest change, which is that
  // of the empty log.
  const { rows } = await stage.pool.query<{ mark: string }>(
    'select mark::text as mark from intel_push where serial = 0',
  )
  const builder = new SnapshotBuilder()
  for (const part of parts) addPart(builder, part)
  const snapshot = builder.build({
    serial: 0,
    mark: rows[0]?.mark ?? '',
    builtAtMs: Date.now(),
    lookBackSeconds: LOOK_BACK_SECONDS_DEFAULT,
  })
  writeSnapshotFile(snapshot, join(stage.folder, 'server', SNAPSHOT_FILE))
}

function addPart(builder: SnapshotBuilder, part: IntelRows): void {
  for (const line of part.listings) {
    const row: Row & { list: string } = JSON.parse(line)
    const { list, source } = row
    builder.addListing(subjectOf(row), { list, source, ...timesOf(row), expiresSeconds: 0 })
  }
  for (const line of part.taggings) {
    const row: Row & { tag: string } = JSON.parse(line)
    const { tag, source } = row
    builder.addTagging(subjectOf(row), { tag, source, ...timesOf(row), expiresSeconds: 0 })
  }
  for (const line of part.sightings) {
    const row: Row & { kind: string; service: string; type: string; count: number } =
      JSON.parse(line)
    const { kind, service, type, count, source } = row
    const origin = { kind, service, type, source, count }
    builder.addSighting(subjectOf(row), { ...origin, ...timesOf(row) })
  }
}

function subjectOf({ item }: Row): Subject {
  const parsed = parseSubject(item)
  if (parsed.kind === 'refused') throw new Error(`${item} is no subject`)
  return parsed.subject
}

function timesOf({ lastSeen }: Row): { firstSeenSeconds: number; lastSeenSeconds: number } {
  const seconds = Math.floor(Date.parse(lastSeen) / 1_000)
  return { firstSeenSeconds: seconds, lastSeenSeconds: seconds }
}
