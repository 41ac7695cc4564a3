// What casework sends to others (changes, webhooks, notices), secrets for it, and mitigations.

import { runGroup } from '../group.ts'

runGroup(['src/casework/{changes,secrets,webhooks,notices,mitigations}/**/*.test.ts'])
