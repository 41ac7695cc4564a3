// Which nodes of the Citus cluster answer.

import type { ClientBase } from 'pg'

/** The nodes that the coordinator cannot reach, as `host:port`. */
export async function findSilentNodes(client: ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ place: string }>(
    `select nodename || ':' || nodeport as place from pg_dist_node
     where isactive and not citus_check_connection_to_node(nodename, nodeport) order by 1`,
  )
  return rows.map(({ place }) => place)
}
