// The program as a whole, and the areas that all features use.

import { runGroup } from '../group.ts'

runGroup([
  'test/!(package).test.ts',
  'src/{access,app,values,vocabulary}/**/*.test.ts',
  'src/kernel/*.test.ts',
  'src/kernel/!(postgres)/**/*.test.ts',
])
