import { describe, it } from 'node:test'
import { assertReading, listReportCases } from '../../../test/report-cases.ts'
import { readReportBytes } from './read-bytes.ts'

describe('the reports of test/testdata/reports', () => {
  const cases = listReportCases()
  for (const each of cases) {
    it(`${each.name}: ${each.expected.about}`, () => {
      assertReading(each, readReportBytes(each.bytes, each.context))
    })
  }
})
