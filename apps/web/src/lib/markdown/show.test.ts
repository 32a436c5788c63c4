// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { showInPieces } from './show.ts'

afterEach(() => vi.unstubAllGlobals())

/** Knows how the text begins, and does not come to its end. */
class SlowWorker extends EventTarget {
  postMessage() {
    const data = { kind: 'head', pieces: ['<h1>The beginning</h1>', '<p>goes on</p>'] }
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }
  terminate() {
    // Nothing runs.
  }
}

test('how a long text begins is there before the rest is read, also for who does nothing with its pieces', async () => {
  vi.stubGlobal('Worker', SlowWorker)
  const root = document.createElement('div')
  document.body.append(root)
  const left = new AbortController()
  void showInPieces(root, 'a long text', { signal: left.signal })
  await vi.waitFor(() => expect(root.textContent).toBe('The beginninggoes on'))
  left.abort()
})
