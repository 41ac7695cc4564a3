// Adds the facts of pushes to the known facts of their subjects, from memory alone. The result is
// the same layer as one that is read from the database.

import { parseSubject, type Subject } from '../../values/range.ts'
import { type FactLog, LOG_WORDS } from './fact-log.ts'
import { findRecord } from './find-record.ts'
import type { BuildOptions } from './pack-snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { SnapshotBuilder } from './snapshot-builder.ts'

/** A push whose rows were all new. */
export interface LoggedPush {
  readonly serial: number
  readonly log: FactLog
}

/**
 * A layer that was read later than its serial says: it already holds the pushes up to `seenTo` of
 * its subjects.
 */
export interface AheadLayer {
  readonly seenTo: number
  readonly snapshot: Snapshot
}

export interface ExtendOptions extends BuildOptions {
  readonly seed: number
  /** In the order of their serials, which follow the serial of `known` without a gap. */
  readonly pushes: readonly LoggedPush[]
  readonly known: readonly Snapshot[]
  readonly ahead: readonly AheadLayer[]
}

/**
 * A layer with all facts of each subject that the pushes name. `known` has the newest first. Memory
 * only, about 1 µs a fact.
 */
export function extendSnapshots({
  seed,
  pushes,
  known,
  ahead,
  ...options
}: ExtendOptions): Snapshot {
  const builder = new SnapshotBuilder({ seed })
  for (const { serial, log } of pushes) {
    // Layers that already hold this push of their subjects.
    const newer = ahead.filter(({ seenTo }) => seenTo >= serial).map(({ snapshot }) => snapshot)
    const renumber = builder.numberingOf(log.origins)
    /** Adds the fact at this word of a log. */
    const take = (subject: Subject, words: Uint32Array, at: number): void => {
      if (newer.some((snapshot) => findRecord(snapshot, subject) >= 0)) return
      if (!builder.has(subject)) addKnown(builder, subject, known)
      const origin = renumber(words[at + 1] ?? 0)
      builder.mergeFact(subject, origin, [
        words[at + 2] ?? 0,
        words[at + 3] ?? 0,
        words[at + 4] ?? 0,
      ])
    }
    for (let at = 0; at < log.ipv4.length; at += LOG_WORDS) {
      // An IPv4 address is found and stored by its value alone.
      take({ kind: 'ipv4', text: '', value: log.ipv4[at] ?? 0 }, log.ipv4, at)
    }
    const texts = log.texts.split('\n')
    for (let at = 0; at < log.others.length; at += LOG_WORDS) {
      take(parseLogged(texts[log.others[at] ?? 0] ?? ''), log.others, at)
    }
  }
  return builder.build(options)
}

function addKnown(builder: SnapshotBuilder, subject: Subject, known: readonly Snapshot[]): void {
  for (const snapshot of known) {
    const record = findRecord(snapshot, subject)
    if (record < 0) continue
    builder.addRecord(subject, snapshot, record, isAnything)
    return
  }
}

function isAnything(): boolean {
  return true
}

function parseLogged(text: string): Subject {
  const parsed = parseSubject(text)
  if (parsed.kind === 'refused') throw new Error(`the subject ${text} of a push is none`)
  return parsed.subject
}
