// Which nodes of the Citus cluster answer.

import type { ClientBase } from 'pg'

/** What is wrong with the nodes that the coordinator cannot reach; null when it reaches all. */
export async function describeSilentNodes(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ place: string }>(
    `select nodename || ':' || nodeport as place from pg_dist_node
     where isactive and not citus_check_connection_to_node(nodename, nodeport) order by 1`,
  )
  if (rows.length === 0) return null
  const places = rows.map(({ place }) => place).join(', ')
  return `${places} cannot be reached as this role (see the log of the coordinator)`
}
