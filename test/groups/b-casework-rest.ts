// Rules, owners, sightings, the desk and privacy.

import { runGroup } from '../group.ts'

runGroup([
  'src/casework/{rules,owners,sightings,desk}/**/*.test.ts',
  'src/casework/privacy/**/!(raw-searcher).test.ts',
])
