/** Lets the browser paint, also in a tab that is not looked at. */
export const painted = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 100)
    requestAnimationFrame(() => setTimeout(resolve, 0))
  })
