// The part of the casework suite that CI runs on Citus: what writes most, and what Citus has
// refused before. `npm run test:citus -- all` runs the whole suite.

import { runGroup } from '../group.ts'

runGroup([
  'src/casework/events/{correlate-key,push-events,kept-out-events}.test.ts',
  'src/casework/cases/{assignees,change-case,bulk/change-cases,merge/merge-cases}.test.ts',
  'src/casework/playbooks/runs/{engine,forks,starts}.test.ts',
  'src/casework/playbooks/calendars/calendars.test.ts',
  'src/casework/desk/{stats/get-stats,views/save-view,stream/open-stream}.test.ts',
  'src/casework/notices/notice-limits.test.ts',
  'src/casework/{secrets,mitigations}/*.test.ts',
])
