// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { divideLongCode } from './long-code.ts'

function divided(text: string): HTMLElement {
  const piece = document.createElement('div')
  piece.innerHTML = '<pre><code></code></pre>'
  piece.querySelector('code')!.textContent = text
  divideLongCode(piece)
  return piece
}

test('long code is laid out by parts of whole lines, and is still the same code', () => {
  const text = Array.from({ length: 5000 }, (_line, index) => `const answer${index} = 42\n\n`).join('')
  const parts = [...divided(text).querySelectorAll<HTMLElement>('.dl-code-part')]
  expect(parts.map((part) => part.textContent).join('')).toBe(text)
  expect(parts.every((part) => part.textContent.length < 7000 && part.textContent.endsWith('\n'))).toBe(true)
  const lines = parts.map((part) => Number(part.style.getPropertyValue('--dl-lines')))
  expect(lines.reduce((sum, count) => sum + count, 0)).toBe(10_000)
})

const allRows = (piece: HTMLElement) => [...piece.querySelectorAll<HTMLElement>('.dl-code-row')]

/** Shows the text in the page, and resolves when all its long lines are cut. */
async function cut(text: string): Promise<HTMLElement> {
  const piece = divided(text)
  document.body.replaceChildren(piece)
  // A part can be a short line after a long line. Short lines stay uncut.
  const isCut = (part: Element) => part.firstElementChild !== null || part.textContent.length < 400
  await vi.waitFor(() => expect([...piece.querySelectorAll('.dl-code-part')].every(isCut)).toBe(true))
  return piece
}

test('a line without an end is divided, too', async () => {
  const text = 'x'.repeat(1_000_000)
  const piece = await cut(text)
  expect(piece.textContent).toBe(text)
  expect(piece.querySelectorAll('.dl-code-part').length).toBeGreaterThan(100)
  const rows = allRows(piece)
  expect(Math.max(...rows.map((row) => row.textContent.length))).toBeLessThan(1000)
  const lines = [...piece.querySelectorAll<HTMLElement>('.dl-code-part')].map((part) =>
    Number(part.style.getPropertyValue('--dl-lines')),
  )
  expect(lines.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
})

test('only the visible part of a long line is divided immediately, and the text stays complete', () => {
  const text = 'a few words '.repeat(100_000)
  const piece = divided(text)
  expect(piece.textContent).toBe(text)
  const { length } = allRows(piece)
  expect(length).toBeGreaterThan(100)
  expect(length).toBeLessThan(300)
})

test('a line is never divided within a character', async () => {
  const text = `x${'😀'.repeat(80_000)}\nend`
  const piece = await cut(text)
  expect(piece.textContent).toBe(text)
  const rows = allRows(piece)
  expect(rows.every((row) => row.textContent.isWellFormed())).toBe(true)
})

test('code that will be highlighted is not divided', () => {
  expect(divided('short\n'.repeat(1000)).querySelector('.dl-code-part')).toBeNull()
})
