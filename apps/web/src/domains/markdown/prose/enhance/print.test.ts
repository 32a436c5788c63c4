// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import type { Enhancement } from './enhance.ts'
import { prepareForPrint } from './print.ts'

test('formulas outside the viewport are rendered for printing, and deferred again afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const shownIn = document.createElement('div')
  const html =
    '<p>In a line: <code class="language-math">x^2</code></p>' +
    '<pre><code class="language-math">\\frac12</code></pre><p><code class="language-math">\\wrong{</code></p>'
  shownIn.innerHTML = html
  const left = new AbortController()
  const noteNews = prepareForPrint({ shownIn, signal: left.signal } as unknown as Enhancement)
  noteNews()
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  await vi.waitFor(() => {
    window.dispatchEvent(new Event('beforeprint'))
    expect(shownIn.querySelectorAll('math')).toHaveLength(2)
  })
  expect(shownIn.querySelectorAll('code')).toHaveLength(1)
  window.dispatchEvent(new Event('afterprint'))
  expect(shownIn.innerHTML).toBe(html)
  left.abort()
  window.dispatchEvent(new Event('beforeprint'))
  expect(shownIn.innerHTML).toBe(html)
})
