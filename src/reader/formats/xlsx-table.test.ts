import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMailReport } from '../../../test/mail-report.ts'
import { readSharedStrings, readSheetRows, readWorkbook } from './xlsx-table.ts'

test('cells stand where their reference says, rows keep their numbers', () => {
  const sheet =
    '<sheetData><row r="2"><c r="B2"><v>1.5</v></c><c r="AA2" t="str"><f>A1</f><v>x</v></c></row></sheetData>'
  const { rows } = readSheetRows(sheet, [])
  assert.equal(rows[0]?.line, 2)
  assert.equal(rows[0]?.cells[1], '1.5')
  assert.equal(rows[0]?.cells[26], 'x')
  assert.equal(rows[0]?.cells[0], '')
})

test('shared strings are joined of their runs, without how they are pronounced', () => {
  const strings = readSharedStrings(
    '<sst><si><t>one</t></si><si><r><t>t&amp;w</t></r><r><t>o</t></r><rPh><t>no</t></rPh></si></sst>',
  )
  assert.deepEqual(strings, ['one', 't&wo'])
  const sheet = '<row><c t="s"><v>1</v></c><c t="s"><v>0</v></c><c t="s"><v>9</v></c></row>'
  assert.deepEqual(readSheetRows(sheet, strings).rows[0]?.cells, ['t&wo', 'one', ''])
})

test('null for what is no workbook, whatever it is called', () => {
  const [part] = buildMailReport([{ fileName: 'list.xlsx', text: 'ip,port\n' }]).mail.parts
  assert.ok(part !== undefined)
  assert.equal(readWorkbook(part), null)
})

test('more cells or rows than are read are told, and deep nesting ends the reading', () => {
  assert.equal(readSheetRows('<row><c><v>1</v></c></row>'.repeat(10_200), []).hasMore, true)
  assert.equal(readSheetRows(`<row>${'<c/>'.repeat(600_001)}</row>`, []).hasMore, true)
  assert.deepEqual(readSheetRows('<a>'.repeat(100_000), []).rows, [])
})
