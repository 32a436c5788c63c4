/** Open layers over the page: the last one is on top. */
const layers: (() => void)[] = []

/** @returns a function that removes it. */
export function openLayer(close: () => void): () => void {
  layers.push(close)
  return () => {
    layers.splice(layers.indexOf(close), 1)
  }
}

export const hasLayer = (): boolean => layers.length > 0

/** Closes the top layer, like Esc: it may ask first. Returns whether there was one. */
export function closeTopLayer(): boolean {
  const close = layers.at(-1)
  close?.()
  return close !== undefined
}
