// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { showInPieces } from './show-pieces.ts'

afterEach(() => vi.unstubAllGlobals())

let isWholeAskedFor = false

/** A worker that sends the start of the text and never finishes. */
class SlowWorker extends EventTarget {
  postMessage(asked: string | null) {
    isWholeAskedFor = asked === null
    const data = { kind: 'head', pieces: ['<h1>The beginning</h1>', '<p>goes on</p>'] }
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }
  terminate() {}
}

test('the start of a long text is available before the rest is rendered, also if its pieces are not used', async () => {
  vi.stubGlobal('Worker', SlowWorker)
  const root = document.createElement('div')
  document.body.append(root)
  const left = new AbortController()
  void showInPieces(root, 'a long text', { signal: left.signal })
  await vi.waitFor(() => expect(root.textContent).toBe('The beginninggoes on'))
  left.abort()
})

test('the whole text is rendered when the app takes over or the reader scrolls', async () => {
  vi.stubGlobal('Worker', SlowWorker)
  const left = new AbortController()
  const showEarly = async (text: string) => {
    const root = document.createElement('div')
    document.body.append(root)
    void showInPieces(root, text, { signal: left.signal })
    await vi.waitFor(() => expect(root.textContent).toBe('The beginninggoes on'))
    expect(isWholeAskedFor).toBe(false)
  }
  await showEarly('one text')
  const app = document.createElement('div')
  document.body.append(app)
  void showInPieces(app, 'one text', { signal: left.signal, onPiece: () => undefined })
  expect(app.textContent).toBe('The beginninggoes on')
  await vi.waitFor(() => expect(isWholeAskedFor).toBe(true))
  await showEarly('another text')
  window.dispatchEvent(new Event('scroll'))
  await vi.waitFor(() => expect(isWholeAskedFor).toBe(true))
  left.abort()
})
