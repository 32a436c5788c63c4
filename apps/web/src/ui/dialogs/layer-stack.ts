/** What lies over the page and closes: the last one is on top. */
const layers: (() => void)[] = []

/** @returns what takes it away again. */
export function openLayer(close: () => void): () => void {
  layers.push(close)
  return () => {
    layers.splice(layers.indexOf(close), 1)
  }
}

export const hasLayer = (): boolean => layers.length > 0

/** Closes what is on top, as Esc does: it may ask first. Answers whether there was anything. */
export function closeTopLayer(): boolean {
  const close = layers.at(-1)
  close?.()
  return close !== undefined
}
