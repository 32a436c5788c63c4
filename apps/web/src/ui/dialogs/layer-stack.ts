/** Close functions of the open layers over the page; the last layer is on top. */
const layers: (() => void)[] = []

/** @returns a function that removes the layer */
export function openLayer(close: () => void): () => void {
  layers.push(close)
  return () => {
    layers.splice(layers.indexOf(close), 1)
  }
}

export const hasLayer = (): boolean => layers.length > 0

/** Closes the top layer, like Esc. The layer can ask for confirmation first. Returns whether there was a layer. */
export function closeTopLayer(): boolean {
  const close = layers.at(-1)
  close?.()
  return close !== undefined
}
