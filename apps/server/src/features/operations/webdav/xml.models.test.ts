import { expect, test } from 'vitest'
import type { AppError } from '../../../lib/app-error.ts'
import { parsePropertyUpdate } from './bodies.models.ts'
import { parseXml, writeElement } from './xml.models.ts'

const again = (text: string) => writeElement(parseXml(text), Infinity)

test('prefixes apply only where they are declared', () => {
  for (const text of [
    '<a xmlns="u"><b xmlns="v"><c xmlns="u"/></b><d/></a>',
    '<a xmlns="u"><b xmlns=""><c/></b><d/></a>',
    '<p:a xmlns:p="u"><p:b xmlns:p="v" p:at="1"/><p:c p:at="2"/></p:a>',
    '<a><p:b xmlns:p="u"/><p:b xmlns:p="u"/></a>',
    '<a xml:lang="de"><xml:b/></a>',
  ])
    expect(again(text)).toBe(text)
})

test('a document with many prefixes and many elements is written as fast as it is read', () => {
  const prefixes = Array.from({ length: 1500 }, (_, at) => `xmlns:n${at}="u${at}" n${at}:a=""`).join(' ')
  for (const child of ['<b/>', '<p:b xmlns:p="v"/>']) {
    const text = `<a xmlns="u" ${prefixes}>${child.repeat(3000)}</a>`
    expect(again(text)?.length).toBe(text.length)
  }
})

test('a document with too many elements and attributes is refused', () => {
  const attributes = Array.from({ length: 10_001 }, (_, at) => `a${at}=""`).join(' ')
  for (const text of [`<a>${'<b/>'.repeat(10_001)}</a>`, `<a ${attributes}/>`])
    expect(() => parseXml(text)).toThrow(expect.objectContaining({ message: 'webdav.xml_invalid' }))
})

test('writing stops when a document would become too long', () => {
  const element = parseXml(`<a xmlns:n="${'u'.repeat(1000)}">${'<n:b/>'.repeat(9000)}</a>`)
  expect(writeElement(element, 1000)).toBeNull()
  const short = '<a at="1"><b/>c</a>'
  expect(writeElement(parseXml(short), short.length)).toBe(short)
  expect(writeElement(parseXml(short), short.length - 1)).toBeNull()
})

test('long names and namespaces are refused, and quoted in part', () => {
  const long = (length: number) => 'n'.repeat(length)
  expect(again(`<${long(255)} xmlns="${long(1024)}"/>`)).toHaveLength(255 + 1024 + 12)
  for (const text of [`<${long(256)}/>`, `<a xmlns="${long(1025)}"/>`, `<a ${long(256)}=""/>`])
    expect(() => parseXml(text)).toThrow(expect.objectContaining({ message: 'webdav.xml_invalid' }))
  try {
    parseXml(`<${long(100_000)}>`)
    expect.unreachable()
  } catch (error) {
    expect(JSON.stringify((error as AppError).params).length).toBeLessThan(300)
  }
})

test('properties that become too long when they are written are reported immediately', () => {
  const update = (names: string) =>
    `<D:propertyupdate xmlns:D="DAV:" xmlns:n="${'u'.repeat(1000)}"><D:set><D:prop>${names}</D:prop></D:set></D:propertyupdate>`
  expect(parsePropertyUpdate(update('<n:b/>'.repeat(50)))).toHaveLength(50)
  expect(() => parsePropertyUpdate(update('<n:b/>'.repeat(100)))).toThrow('webdav.properties_full')
  expect(() => parsePropertyUpdate(update('<n:b/>'.repeat(170_000)))).toThrow('webdav.xml_invalid')
})
