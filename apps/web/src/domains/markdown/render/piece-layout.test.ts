// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { PieceLayout } from './piece-layout.ts'

/** Creates a piece. Pieces have different lengths, because the content determines where groups end. */
const pieceOf = (number: number) => `<p>${number}</p>${'.'.repeat((number * 7) % 23)}`
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

function make(html: string): HTMLElement {
  const piece = document.createElement('div')
  piece.textContent = html
  return piece
}

function show(
  root: HTMLElement,
  pieces: readonly string[],
): { readonly made: number; readonly moves: number } {
  const observer = new MutationObserver(() => undefined)
  observer.observe(root, { childList: true, subtree: true })
  const layout = new PieceLayout(root, make)
  const made = pieces.filter((html) => layout.add(html).isNew).length
  layout.end()
  const moves = observer.takeRecords().length
  observer.disconnect()
  return { made, moves }
}

/** Returns the text of all pieces in order. Reports empty groups, which would take up space. */
const shownIn = (root: HTMLElement) =>
  [...root.children].flatMap((group) =>
    group.children.length === 0 ? ['an empty group'] : [...group.children].map((piece) => piece.textContent),
  )

describe('pieces of a text', () => {
  const first = numbers(0, 400).map(pieceOf)

  test('are in order, in small groups', () => {
    const root = document.createElement('div')
    expect(show(root, first).made).toBe(400)
    expect(shownIn(root)).toEqual(first)
    expect(root.children.length).toBeGreaterThan(12)
    for (const group of root.children) expect(group.children.length).toBeLessThanOrEqual(48)
  })

  test('stay where they are when one of them changes', () => {
    const root = document.createElement('div')
    show(root, first)
    const kept = new Set(root.querySelectorAll('.dl-group > *'))
    const { made, moves } = show(root, first.with(5, pieceOf(1000)))
    expect(made).toBe(1)
    expect(moves).toBeLessThan(10)
    expect([...root.querySelectorAll('.dl-group > *')].filter((piece) => kept.has(piece))).toHaveLength(399)
  })

  test('stay where they are when some come and go', () => {
    const root = document.createElement('div')
    show(root, first)
    const then = [...first.slice(0, 10), 'a new one', ...first.slice(10, 200), ...first.slice(205)]
    const { made, moves } = show(root, then)
    expect(shownIn(root)).toEqual(then)
    expect(made).toBe(1)
    expect(moves).toBeLessThan(60)
  })

  test.each([
    ['moved up', [...first.slice(300), ...first.slice(0, 300)]],
    ['turned round', first.toReversed()],
    ['fewer', first.slice(0, 3)],
    ['the same many times', [...first.slice(0, 50), ...first.slice(0, 50), ...first.slice(40)]],
    ['none', []],
  ])('are right after a larger change: %s', (_, then) => {
    const root = document.createElement('div')
    show(root, first)
    show(root, then)
    expect(shownIn(root)).toEqual(then)
    show(root, first)
    expect(shownIn(root)).toEqual(first)
  })

  test('are correct after a version that was not rendered completely', () => {
    const root = document.createElement('div')
    show(root, first)
    const stopped = new PieceLayout(root, make)
    for (const html of [pieceOf(1000), ...first.slice(3, 40), pieceOf(1001)]) stopped.add(html)
    const then = first.with(30, pieceOf(1002))
    show(root, then)
    expect(shownIn(root)).toEqual(then)
  })
})
