import { expect, test } from 'vitest'
import { HIGHLIGHTED_MAX_CHARACTERS, highlight, highlightedBefore } from './highlight.ts'

test('code is coloured by the name or an alias of its language, in any case', async () => {
  expect(await highlight('const a = 1', 'js')).toContain('<span class="hljs-keyword">const</span>')
  expect(await highlight('def f(): pass', 'Python')).toContain('hljs-keyword')
})

test('rare languages are supported', async () => {
  expect(await highlight('program p; begin end.', 'pascal')).toContain('hljs-keyword')
  expect(await highlight('FROM node', 'dockerfile')).toContain('hljs-keyword')
})

test.each(['text', 'mermaid', 'no-such-language', '__proto__', 'constructor'])(
  'code of %s is not highlighted',
  async (language) => {
    expect(await highlight('a < b', language)).toBeNull()
  },
)

test('very long code is not highlighted', async () => {
  expect(await highlight('a'.repeat(HIGHLIGHTED_MAX_CHARACTERS + 1), 'js')).toBeNull()
})

test('code is escaped', async () => {
  const html = await highlight('"<img src=x onerror=alert(1)>" </script><b>', 'js')
  expect(html).not.toMatch(/<(?!\/?span)/)
})

test('highlighted code is cached', async () => {
  expect(highlightedBefore('let z', 'ts')).toBeNull()
  const html = await highlight('let z', 'ts')
  expect(highlightedBefore('let z', 'ts')).toBe(html)
})
