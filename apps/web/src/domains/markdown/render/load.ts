import type * as renderModule from './render.ts'

export type Renderer = typeof renderModule

let renderer: Renderer | null = null
let loading: Promise<Renderer> | null = null

/** Fetches the renderer, once. A failed attempt may be repeated. */
export function loadRenderer(): Promise<Renderer> {
  loading ??= fetchRenderer()
  return loading
}

async function fetchRenderer(): Promise<Renderer> {
  try {
    renderer = await import('./render.ts')
    return renderer
  } catch (error) {
    loading = null
    throw error
  }
}

/** The renderer if it is here already, so that what can be drawn at once is. */
export const loadedRenderer = (): Renderer | null => renderer

/** Draws a text at once, if the renderer is here. */
export const loadedMarkdown = (): Renderer['renderMarkdown'] | null => renderer?.renderMarkdown ?? null

/** Longer texts are read by a worker and shown piece by piece. */
export const LONG_MARKDOWN_CHARACTERS = 60_000

const drawings = new Set<Promise<unknown>>()

/** Notes that a long text is being drawn. */
export function noteDrawing(drawing: Promise<unknown>): void {
  drawings.add(drawing)
  const forget = () => drawings.delete(drawing)
  drawing.then(forget, forget)
}

/** Until no long text is being drawn any more. */
export async function textsAreDrawn(): Promise<void> {
  while (drawings.size > 0) await Promise.allSettled(drawings)
}
