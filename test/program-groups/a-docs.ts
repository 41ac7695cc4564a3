// The shell blocks of the documents, half of the pages.

import { runGroup } from '../group.ts'

runGroup(['test/docs/{pages-even,shell-blocks}.test.ts'])
