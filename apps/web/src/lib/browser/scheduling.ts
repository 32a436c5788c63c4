/** Yields to the event loop. */
export const nextTurn = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve())
    port1.start()
    port2.postMessage(null)
  })

/** Resolves after the next paint, or soon in a background tab. */
export const nextFrame = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 100)
    requestAnimationFrame(() => void nextTurn().then(resolve))
  })

/**
 * Resolves when the browser is idle, at the latest after 200 ms. If the browser does not support
 * `requestIdleCallback`, yields to the event loop instead.
 */
export const nextIdleTurn = () =>
  'requestIdleCallback' in window
    ? new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve(), { timeout: 200 })
      })
    : nextTurn()
