import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCitation, readClause } from './link-clause.ts'

describe('the clause around a link', () => {
  const clauses: readonly (readonly [string, string, string | null])[] = [
    ['Please disable access to ', '.', 'reported url'],
    ['We kindly ask you to remove the page ', '', 'reported url'],
    ['Bitte sperren Sie ', '', 'reported url'],
    ['Veuillez supprimer la page ', '', 'reported url'],
    ['The page ', ' is a phishing site', 'reported url'],
    ['', ' copies the login of our bank', 'reported url'],
    ['La pagina ', ' imita la banca', 'reported url'],
    ['The film listed at ', ' is offered without permission', 'legitimate site'],
    ['My photograph, first shown at ', ', stands elsewhere', 'legitimate site'],
    ['The page ', ' is our official site', 'legitimate site'],
    ['We cannot remove what stands in the report of last week about ', '', null],
    ['The page ', ' is long', null],
    ['', '', null],
  ]
  for (const [left, right, role] of clauses) {
    test(`“${left}<link>${right}” says ${role ?? 'nothing'}`, () => {
      assert.equal(readClause(left, right)?.role ?? null, role)
    })
  }

  const citations: readonly (readonly [string, boolean])[] = [
    ['The sale is illegal under ', true],
    ['an offence under section 4 of the Act, ', true],
    ['pursuant to Article 16 (', true],
    ['gemäß § 97 UrhG (', true],
    ['Phishing against ', true],
    ['Phishing complaint against ', false],
    ['The page can be found under ', false],
    ['the illegal page ', false],
  ]
  for (const [left, isCited] of citations) {
    test(`“${left}” ${isCited ? 'names no culprit' : 'may name one'}`, () => {
      assert.equal(readCitation(left) !== null, isCited)
    })
  }
})
