import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findChild, listDescendants, parseXmlTree, textAt, type XmlElement } from './xml-tree.ts'

function rootOf(text: string): XmlElement {
  const xml = parseXmlTree(text)
  assert.equal(xml.kind, 'tree')
  return xml.kind === 'tree' ? xml.root : assert.fail()
}

test('names lose prefix and case, CDATA and known entities become text, unknown ones stay', () => {
  const root = rootOf(
    '<?xml version="1.0"?>\n<n:A x:Id=" 7 ">\n<B>a &amp; b &nbsp; <![CDATA[<c>]]></B></n:A>',
  )
  const element = findChild(root, 'a')
  assert.equal(element?.attributes.get('id'), '7')
  assert.equal(textAt(root, 'a', 'b'), 'a & b &nbsp; <c>')
  assert.equal(findChild(element, 'b')?.line, 3)
})

test('entities of a document type are not expanded', () => {
  const root = rootOf(
    '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY f "ffff">]><a>&e;&f;</a>',
  )
  assert.equal(textAt(root, 'a'), '&e;&f;')
})

test('what is left open is closed, and stray end tags are passed over', () => {
  const root = rootOf('<a></x><b>1<c>2')
  assert.equal(textAt(root, 'a', 'b', 'c'), '2')
  assert.equal(listDescendants(root, 'c').length, 1)
  assert.equal(textAt(root, 'a', 'missing'), null)
})

test('too large when there are too many elements, levels, attributes or chunks of text', () => {
  for (const text of [
    '<a/>'.repeat(300_001),
    '<a>'.repeat(65),
    `<a ${Array.from({ length: 51 }, (_, index) => `a${index}="1"`).join(' ')}>`,
    `<a>${'&lt;'.repeat(1_000_001)}`,
  ]) {
    assert.equal(parseXmlTree(text).kind, 'too_large', text.slice(0, 20))
  }
})
