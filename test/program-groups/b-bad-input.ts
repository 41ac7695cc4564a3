// Bad input of every class over every route, generated.

import { runGroup } from '../group.ts'

runGroup(['test/bad-input/*.test.ts'])
