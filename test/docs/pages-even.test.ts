// Every second page of the documents, run as documented.

import { test } from 'node:test'
import { runPage } from './page-runner.ts'
import { listPages } from './shell-blocks.ts'

const pages = listPages().filter((_, index) => index % 2 === 0)
for (const page of pages) {
  test(`the shell blocks of ${page} run as documented`, (t) => runPage(t, page))
}
