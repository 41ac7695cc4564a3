// Rules, owners, sightings, the desk and privacy.

import { runGroup } from '../group.ts'

runGroup(['src/casework/{rules,owners,privacy,sightings,desk}/**/*.test.ts'])
