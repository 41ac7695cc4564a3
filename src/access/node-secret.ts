// The secret that the nodes of one instance share (CASEWORK_NODE_SECRET). It lets a node take the
// snapshot of the intel set, and opens nothing else.

import { hash, timingSafeEqual } from 'node:crypto'

/** Whether a credential is the secret, in the same time for every credential. */
export function createNodeSecretTest(secret: string | null): (credential: string) => boolean {
  if (secret === null) return () => false
  // Digests have one length, which the comparison needs, and hide that of the secret.
  const wanted = digest(secret)
  return (credential) => timingSafeEqual(digest(credential), wanted)
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
