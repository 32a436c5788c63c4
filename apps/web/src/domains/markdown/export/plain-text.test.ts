// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { renderMarkdown } from '../render/render.ts'
import { toPlainText } from './plain-text.ts'

const plainOf = (markdown: string) => {
  const root = document.createElement('article')
  root.innerHTML = renderMarkdown(markdown).html
  return toPlainText(root)
}

test('rows are lines whose cells have tabs between them, and contents are lines', () => {
  const text =
    '[TOC]\n\n# One\n\n## Two **bold**\n\nwords\nthat go on\n\n| a | b | c |\n|--|--|--|\n| 1 |  | 3 |\n| `4` | 5 | 6 |\n\nend'
  expect(plainOf(text)).toBe(
    'One\nTwo bold\n\nOne\n\nTwo bold\n\nwords that go on\n\na\tb\tc\n1\t\t3\n4\t5\t6\n\nend\n',
  )
})

test('lists are lines, and code keeps its own', () => {
  expect(
    plainOf('- one\n  - two *soft*\n- three\n\n1. a\n\n   b\n\n```js\nif (x) {\n  y()\n}\n```\n\n> said\n'),
  ).toBe('one\ntwo soft\nthree\n\na\nb\n\nif (x) {\n  y()\n}\n\nsaid\n')
})
