/** After what else the page has to do. */
export const nextTurn = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve())
    port1.start()
    port2.postMessage(null)
  })

/** After what is there has been painted, or soon in a tab that is not looked at. */
export const nextFrame = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 100)
    requestAnimationFrame(() => void nextTurn().then(resolve))
  })

/** Not every browser tells when it is idle. */
export const nextIdleTurn = () =>
  'requestIdleCallback' in window
    ? new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve(), { timeout: 200 })
      })
    : nextTurn()
