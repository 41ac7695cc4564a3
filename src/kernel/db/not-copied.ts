// The one thing that Citus asks of an `insert … select`
// (docs/decisions/0020-sharding-by-tenant.md).

import { sql } from 'kysely'

/**
 * The end of an `insert … select` of given rows that has neither `on conflict` nor `returning`.
 * Without one of them Citus sends the rows to its workers by COPY, which PostgreSQL refuses for
 * a table with row level security.
 */
export const NOT_COPIED = sql`returning 1 as inserted`
