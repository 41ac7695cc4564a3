// The kernel, access, values, and the guards of the tree.

import { runGroup } from '../group.ts'

runGroup([
  'test/!(package).test.ts',
  'test/console/*.test.ts',
  'src/{access,values,vocabulary}/**/*.test.ts',
  'src/kernel/*.test.ts',
  'src/kernel/!(postgres)/**/*.test.ts',
])
