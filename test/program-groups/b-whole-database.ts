// What takes a whole database or many megabytes: the demo, backups, a standby, erasure in reports.

import { runGroup } from '../group.ts'

runGroup([
  'src/app/{backup,demo,lookup-node}/**/*.test.ts',
  'src/casework/privacy/erasure/raw-searcher.test.ts',
])
