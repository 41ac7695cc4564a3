// A cache of parsed playbook versions, one for each process. A graph never changes, so no entry can
// be out of date.

import type { Db } from '../../kernel/db/database.ts'
import { type PlaybookGraph, parsePlaybookGraph } from './playbook-graph.ts'
import { findVersion } from './playbook-store.ts'

interface VersionKey {
  readonly tenantId: string
  readonly playbookId: string
  readonly version: number
}

export interface LoadedVersion {
  readonly graph: PlaybookGraph
}

/** This program cannot parse the version, as after a return to an older one. */
export class VersionNotReadable extends Error {
  override readonly name = 'VersionNotReadable'
}

export interface GraphCache {
  /**
   * Throws when the version does not exist, or `VersionNotReadable`. Neither happens to a run that
   * is pinned to the version.
   */
  readonly load: (db: Db, key: VersionKey) => Promise<LoadedVersion>
}

// A graph of 500 nodes is about 250 kB, a usual one 5 kB.
const GRAPHS_MAX = 500

export function createGraphCache(): GraphCache {
  const graphs = new Map<string, LoadedVersion>()
  return {
    async load(db, key) {
      const name = `${key.tenantId}/${key.playbookId}/${key.version}`
      const known = graphs.get(name)
      if (known !== undefined) return known
      const version = await readVersion(db, key)
      if (graphs.size >= GRAPHS_MAX) {
        const [oldest] = graphs.keys()
        if (oldest !== undefined) graphs.delete(oldest)
      }
      graphs.set(name, version)
      return version
    },
  }
}

async function readVersion(db: Db, key: VersionKey): Promise<LoadedVersion> {
  const version = await findVersion(db, key, key.playbookId, key.version)
  if (version === null) {
    throw new Error(`playbook ${key.playbookId} has no version ${key.version}`)
  }
  const result = parsePlaybookGraph(version.graph)
  if (result.kind === 'valid') return { graph: result.graph }
  const first = result.problems[0]
  throw new VersionNotReadable(
    `playbook ${key.playbookId} version ${key.version} is not readable: ${first?.path} ${first?.reason}`,
  )
}
