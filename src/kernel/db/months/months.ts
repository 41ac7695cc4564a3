// Months of arrival: the tables that are divided by them, the ranges of ids that their partitions
// hold, and which months are missing (migration 0118, docs/decisions/0019-months.md).

import { buildUuidFloor, readUuidTimeMs } from '../../ids.ts'

/** A table that grows with every report, and the time-ordered id in its key. */
export interface MonthlyTable {
  readonly name: string
  readonly key: string
}

/** Migration 0118 has divided these; a later migration may add one. */
export const MONTHLY_TABLES: readonly MonthlyTable[] = [
  { name: 'event', key: 'event_id' },
  { name: 'case_history', key: 'id' },
  { name: 'visit', key: 'run_id' },
]

/** The partition that holds the ids of no other one. */
interface OtherPartition {
  readonly kind: 'other'
  readonly name: string
}

/** A partition of the ids from the start of a month up to that of a later one. */
export interface MonthPartition {
  readonly kind: 'months'
  readonly name: string
  /** Null: whatever came before `untilMs`. */
  readonly fromMs: number | null
  readonly untilMs: number
}

export type Partition = OtherPartition | MonthPartition

// As pg_get_expr writes it.
const BOUND = /^FOR VALUES FROM \((?:MINVALUE|'([0-9a-f-]{36})')\) TO \('([0-9a-f-]{36})'\)$/

/** Reads the bound of a partition as the catalogue writes it. Throws at one that is not ours. */
export function parsePartition(name: string, bound: string): Partition {
  if (bound === 'DEFAULT') return { kind: 'other', name }
  const [, from, until] = BOUND.exec(bound) ?? []
  if (until === undefined) throw new Error(`the partition ${name} has a bound of another kind`)
  const fromMs = from === undefined ? null : readUuidTimeMs(from)
  return { kind: 'months', name, fromMs, untilMs: readUuidTimeMs(until) }
}

/** The start of the month of this time in UTC, or of the month that is `monthsLater` after it. */
export function startOfMonth(timeMs: number, monthsLater = 0): number {
  const date = new Date(timeMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1)
}

/** `2026-12-01` of the start of a month, as the functions of migration 0118 take it. */
export function writeMonth(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 10)
}

/**
 * No greater than an id of this month or a later one, and greater than all before: a bound of
 * partitions, so that a condition on it leaves out whole ones.
 */
export function floorOfMonth(timeMs: number): string {
  return buildUuidFloor(startOfMonth(timeMs))
}

const DAY_MS = 24 * 60 * 60 * 1_000
// A statement that cannot leave out partitions plans for each of them, so empty ones are made no
// earlier than needed. Two weeks without a worker are survived; `other` takes the rows afterwards.
const AHEAD_MS = 14 * DAY_MS
/** A worker that runs makes the coming month a week before this. */
export const LATE_MS = 7 * DAY_MS

/** The starts of the months, up to the coming one, that no partition has. */
export function listMissingMonths(
  partitions: readonly Partition[],
  nowMs: number,
): readonly number[] {
  const months = new Set([startOfMonth(nowMs), startOfMonth(nowMs + AHEAD_MS)])
  return [...months].filter((startMs) => !partitions.some((one) => holds(one, startMs)))
}

function holds(partition: Partition, timeMs: number): boolean {
  if (partition.kind === 'other') return false
  const { fromMs, untilMs } = partition
  return (fromMs === null || fromMs <= timeMs) && timeMs < untilMs
}

/** The end of the months that follow each other without a gap from this time; itself without. */
export function findCoveredUntil(partitions: readonly Partition[], nowMs: number): number {
  let coveredMs = nowMs
  for (;;) {
    const next = partitions.find((one) => holds(one, coveredMs))
    if (next === undefined || next.kind === 'other') return coveredMs
    coveredMs = next.untilMs
  }
}

/**
 * The month before which all rows of a table lie that is to be divided, and all that come until it
 * is. `newestMs` is the time of its newest row, whose node may have a wrong clock.
 */
export function chooseFirstMonth(nowMs: number, newestMs: number | null): number {
  return Math.max(startOfMonth(nowMs + LATE_MS, 1), startOfMonth(newestMs ?? 0, 1))
}
