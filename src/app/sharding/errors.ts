// Operating errors of sharding by tenant. See docs/reference/errors.md.

import { OperatingError } from '../../kernel/operating-error.ts'

const GUIDE = 'docs/guides/shard-by-tenant.md'

export function noCitus(place: string): OperatingError {
  return new OperatingError({
    code: 'APP_NO_CITUS',
    status: 500,
    publicMessage: `${place} cannot be sharded: it has no extension citus; install Citus on every node and run "create extension citus" in this database (${GUIDE}).`,
  })
}

export function clusterNotUsable(reason: string): OperatingError {
  return new OperatingError({
    code: 'APP_CLUSTER_NOT_USABLE',
    status: 500,
    publicMessage: `The Citus cluster cannot be sharded: ${reason}; nothing was changed (${GUIDE}).`,
  })
}

export function nodesRunning(count: number): OperatingError {
  return new OperatingError({
    code: 'APP_NODES_RUNNING',
    status: 500,
    publicMessage: `Nodes of Casework are at work on this database (${count} ${count === 1 ? 'connection' : 'connections'}); stop all of them before it is sharded, and start them afterwards.`,
  })
}

export function migrationUnderWay(cause: unknown): OperatingError {
  return new OperatingError({
    code: 'APP_MIGRATION_UNDER_WAY',
    status: 500,
    publicMessage:
      'Another migration of this database is under way; wait until it has ended, and run the command again.',
    cause,
  })
}
