// The tests of casework that cannot hold on Citus, each with its reason. All others of the suite
// run there by `npm run test:citus -- all`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackageRoot } from '../../src/values/resources.ts'

interface LeftOut {
  readonly file: string
  readonly test: string
  readonly reason: string
}

const LEFT_OUT: readonly LeftOut[] = [
  {
    file: 'src/casework/events/months-of-lists.test.ts',
    test: 'the months of a value are asked for by a plan that a connection keeps',
    reason: 'Citus plans the look into months each time, on the worker; no plan is kept.',
  },
  {
    file: 'src/casework/events/months-of-lists.test.ts',
    test: 'events are read by their ids from their own months only, by a kept plan',
    reason: 'The months are read on the worker, and the coordinator counts none of it.',
  },
  {
    file: 'src/casework/events/months-of-lists.test.ts',
    test: 'a plan that is kept since a month was empty reads it by the index of its condition',
    reason: 'Citus keeps no plan.',
  },
  {
    file: 'src/casework/events/months-of-lists.test.ts',
    test: 'a plan that asks for the months of a site or a range, kept since a month was empty, reads it by the index of the condition',
    reason: 'Citus keeps no plan.',
  },
  {
    file: 'src/casework/reports/list-reports.test.ts',
    test: 'the beginning of the address of a reporter is looked up by its index, also behind row security',
    reason: 'The same; a plan for no values reads nothing there.',
  },
  {
    file: 'src/casework/desk/search/search-records.test.ts',
    test: 'the plan that finds rare words by their index is the same among hundreds of tenants',
    reason: 'The same, and its events of many tenants are written by one statement.',
  },
]

/** Arguments of `node --test` that leave them out. Throws for one that is no test any more. */
export function skipLeftOut(): readonly string[] {
  return LEFT_OUT.map(({ file, test }) => {
    if (!readFileSync(join(findPackageRoot(), file), 'utf8').includes(test)) {
      throw new Error(`${file} has no test "${test}"`)
    }
    return `--test-skip-pattern=${RegExp.escape(test)}$`
  })
}
