import { expect, test } from 'vitest'
import { parseXml, writeElement } from './xml.models.ts'

const again = (text: string) => writeElement(parseXml(text))

test('prefixes hold where they are declared, and nowhere else', () => {
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
  const prefixes = Array.from({ length: 8000 }, (_, at) => `xmlns:n${at}="u${at}" n${at}:a=""`).join(' ')
  for (const child of ['<b/>', '<p:b xmlns:p="v"/>']) {
    const text = `<a xmlns="u" ${prefixes}>${child.repeat(30_000)}</a>`
    expect(again(text).length).toBe(text.length)
  }
})
