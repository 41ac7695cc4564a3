// Rules, owners, sightings, reports, mail and privacy.

import { runGroup } from '../group.ts'

runGroup([
  'src/casework/{changes,secrets,webhooks,notices,mitigations,rules,owners,privacy,sightings,desk}/**/*.test.ts',
  'src/casework/reports/{*,mail/*}.test.ts',
])
