// Operating errors of sharding by tenant. See docs/reference/errors.md.

import { defineErrors } from '../../kernel/define-errors.ts'

const GUIDE = 'docs/guides/shard-by-tenant.md'

export const { noCitus, clusterNotUsable, nodesRunning, migrationUnderWay } = defineErrors({
  noCitus: [
    500,
    'APP_NO_CITUS',
    (place: string) =>
      `${place} cannot be sharded: it has no extension citus; install Citus on every node and run "create extension citus" in this database (${GUIDE}).`,
  ],
  clusterNotUsable: [
    500,
    'APP_CLUSTER_NOT_USABLE',
    (reason: string) =>
      `The Citus cluster cannot be sharded: ${reason}; nothing was changed (${GUIDE}).`,
  ],
  nodesRunning: [
    500,
    'APP_NODES_RUNNING',
    (count: number) =>
      `Nodes of Casework are at work on this database (${count} ${count === 1 ? 'connection' : 'connections'}); stop all of them before it is sharded, and start them afterwards.`,
  ],
  migrationUnderWay: [
    500,
    'APP_MIGRATION_UNDER_WAY',
    (cause: unknown) => ({
      text: 'Another migration of this database is under way; wait until it has ended, and run the command again.',
      cause,
    }),
  ],
})
