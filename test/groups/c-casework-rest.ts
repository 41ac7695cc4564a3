// Rules, owners, reports, mail and privacy.

import { runGroup } from '../group.ts'

runGroup([
  'src/casework/{rules,owners,privacy}/**/*.test.ts',
  'src/casework/reports/{*,mail/*}.test.ts',
])
