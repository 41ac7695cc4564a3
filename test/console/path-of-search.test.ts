// Proves where a text leads that somebody types into the search box.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOfSearch } from '../../console/src/frame/path-of-search.ts'

const CASE = 'C-0199A2B4-7C11-7D3E-9F00-3C0D5E6F7A81'

test('an item leads to its look-up, a case to its page, and all else to the results', () => {
  const paths = {
    '198.51.100.7': '/lookup/198.51.100.7',
    'evil[.]example': '/lookup/evil%5B.%5Dexample',
    '198.51.100.0/24': '/lookup/198.51.100.0%2F24',
    '2001:db8::1': '/lookup/2001%3Adb8%3A%3A1',
    [CASE]: `/cases/${CASE}`,
    // As somebody types or copies it.
    [` ${CASE.toLowerCase()} `]: `/cases/${CASE}`,
    // A customer, not a case.
    'C-level': '/search?q=C-level',
    'C-0199A2B4': '/search?q=C-0199A2B4',
    cus_12: '/search?q=cus_12',
    'two words': '/search?q=two%20words',
  }
  for (const [text, path] of Object.entries(paths)) assert.equal(pathOfSearch(text), path, text)
})
