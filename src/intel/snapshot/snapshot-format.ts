// The layout of the buffer of a snapshot.

import type { BinaryLayout } from './binary-layout.ts'
import type { Origins } from './origins.ts'

const SECTIONS = [
  'meta',
  'ipv4Slots',
  'ipv4Shapes',
  'ipv6Slots',
  'ipv6Groups',
  'ipv6Members',
  'domainSlots',
  'names',
  'ipv4Ranges',
  'ipv4Starts',
  'ipv4Innermost',
  'ipv4Top',
  'ipv6Ranges',
  'ipv6Starts',
  'ipv6Innermost',
  'ipv6Top',
  'records',
] as const

export const SNAPSHOT_LAYOUT: BinaryLayout<(typeof SECTIONS)[number]> = {
  magic: 0x4e53_5743, // "CWSN"
  version: 2,
  sections: SECTIONS,
}

/** Description of a snapshot, kept as JSON in its first section. */
export interface SnapshotMeta {
  /** The serial up to which the snapshot holds all changes. */
  readonly serial: number
  /** The mark of the push with this serial, which identifies the database and its history. */
  readonly mark: string
  readonly builtAtMs: number
  /** The look-back under which the shapes hold (see shapes.ts). */
  readonly lookBackSeconds: number
  readonly subjectCount: number
  readonly factCount: number
  /** Start value of the hashes. */
  readonly seed: number
  readonly origins: Origins
}
