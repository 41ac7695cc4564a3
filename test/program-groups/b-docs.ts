// The shell blocks of the documents, the other half of the pages.

import { runGroup } from '../group.ts'

runGroup(['test/docs/pages-odd.test.ts'])
