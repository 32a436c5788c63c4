import type * as renderModule from './render.ts'

export type Renderer = typeof renderModule

let renderer: Renderer | null = null
let loading: Promise<Renderer> | null = null

/** Loads the renderer on the first call. After a failure, the next call tries again. */
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

/** Returns the renderer if it is loaded, for synchronous rendering. */
export const loadedRenderer = (): Renderer | null => renderer

/** Returns the render function if the renderer is loaded, for synchronous rendering. */
export const loadedMarkdown = (): Renderer['renderMarkdown'] | null => renderer?.renderMarkdown ?? null

/** Length above which a text is long. A worker parses a long text, and the page shows it part by part. */
export const LONG_MARKDOWN_CHARACTERS = 60_000

const drawings = new Set<Promise<unknown>>()

/** Registers a long text that is being rendered, for {@link textsAreDrawn}. */
export function noteDrawing(drawing: Promise<unknown>): void {
  drawings.add(drawing)
  const forget = () => drawings.delete(drawing)
  drawing.then(forget, forget)
}

/** Resolves when no long text is being rendered. */
export async function textsAreDrawn(): Promise<void> {
  while (drawings.size > 0) await Promise.allSettled(drawings)
}
