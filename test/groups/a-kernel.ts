// The program as a whole, and what it stands on.

import { runGroup } from '../group.ts'

runGroup([
  'test/!(package).test.ts',
  'src/app/**/*.test.ts',
  'src/kernel/*.test.ts',
  'src/kernel/!(postgres)/**/*.test.ts',
])
