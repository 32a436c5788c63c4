import type { RenderedMarkdown } from './render.ts'

type Render = (text: string) => RenderedMarkdown

let render: Render | null = null
let loading: Promise<Render> | null = null

/** Fetches the renderer, once. A failed attempt may be repeated. */
export function loadMarkdown(): Promise<Render> {
  loading ??= fetchRenderer()
  return loading
}

async function fetchRenderer(): Promise<Render> {
  try {
    const module = await import('./render.ts')
    render = module.renderMarkdown
    return render
  } catch (error) {
    loading = null
    throw error
  }
}

/** The renderer if it is here already, so that what can be drawn at once is. */
export const loadedMarkdown = (): Render | null => render

/** Longer texts are shown plain at first: laying them out as Markdown could hold a phone up for seconds. */
export const LONG_MARKDOWN_CHARACTERS = 500_000
