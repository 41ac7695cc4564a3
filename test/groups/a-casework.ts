// Casework without its routes: use cases, stores, mail over real sockets.

import { runGroup } from '../group.ts'

runGroup(['src/casework/*.test.ts', 'src/casework/!(http|intake|playbooks)/**/*.test.ts'])
