// Fork: goes on by all of its paths at once.

import { type Static, Type } from 'typebox'
import { type ConfigReading, defineNodeKind } from '../node-kind.ts'
import { isNodeName, NODE_NAME_RULE, PATHS_MAX } from '../node-name.ts'

const ForkPaths = Type.Object(
  {
    paths: Type.Array(Type.String(), {
      minItems: 2,
      maxItems: PATHS_MAX,
      description: 'Names of the branches. Each must lead to a node.',
    }),
  },
  { additionalProperties: false },
)

export const FORK = defineNodeKind({
  kind: 'fork',
  title: 'Fork',
  description:
    'Goes on by all of its paths at once. Each branch has a copy of vars; a join brings the branches together.',
  config: ForkPaths,
  read: readFork,
  paths: ({ paths }) => paths,
  decide: ({ paths }) => ({ kind: 'fork', paths }),
  example: { config: { paths: ['customer', 'registrar'] } },
})

function readFork(
  { paths }: Static<typeof ForkPaths>,
  { refuse }: ConfigReading,
): Static<typeof ForkPaths> | null {
  let isSound = true
  for (const [at, name] of paths.entries()) {
    const isTwice = paths.indexOf(name) < at
    if (isNodeName(name) && !isTwice) continue
    isSound = false
    refuse(`paths/${at}`, isTwice ? 'is there twice' : NODE_NAME_RULE)
  }
  return isSound ? { paths } : null
}
