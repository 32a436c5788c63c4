import type { Mermaid, MermaidConfig } from 'mermaid'
import { namesAddress } from './diagram-addresses.ts'
import { diagramCss, diagramVariables } from './diagram-colours.ts'

const LONGEST = 50_000
const REMEMBERED = 100

export interface Diagram {
  /** A `data:` URL. An SVG that is shown as an image cannot run scripts or load anything. */
  readonly url: string
  readonly svg: string
  readonly width: number
  readonly height: number
}

/**
 * Reports a faulty source. This module sets the messages `address`, `too-long` and `no picture`; any other message is
 * an English message of Mermaid.
 */
export class DiagramError extends Error {
  override name = 'DiagramError'
}

const remembered = new Map<string, Diagram>()
let loading: Promise<Mermaid> | null = null
let lastNumber = 0
/** Draws diagrams one after the other, because Mermaid cannot draw several at once. */
let queue: Promise<unknown> = Promise.resolve()

function loadMermaid(): Promise<Mermaid> {
  loading ??= import('mermaid').then(
    (module) => module.default,
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

const FONTS = 'system-ui, "PingFang SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif'

const settings = (isDark: boolean): MermaidConfig => ({
  startOnLoad: false,
  securityLevel: 'strict',
  // Settings that a diagram must not change. Mermaid adds its default list.
  secure: [
    'secure',
    'securityLevel',
    'startOnLoad',
    'maxTextSize',
    'maxEdges',
    'suppressErrorRendering',
    'themeCSS',
    'fontFamily',
    'altFontFamily',
    'htmlLabels',
    'dompurifyConfig',
    'theme',
    'darkMode',
  ],
  theme: 'base',
  themeVariables: diagramVariables(isDark),
  darkMode: isDark,
  themeCSS: diagramCss(isDark),
  fontFamily: FONTS,
  htmlLabels: false,
  flowchart: { htmlLabels: false, useMaxWidth: false },
  // Shows menus permanently, because pop-up menus would need scripts, which do not run in an image.
  sequence: { forceMenus: true },
  suppressErrorRendering: true,
  maxTextSize: LONGEST,
})

/**
 * Inserts a zero-width space into tags, which makes them plain text. Mermaid would otherwise measure labels as HTML
 * before sanitising them. Keeps Mermaid's own syntax (`<br>`, `<<interface>>`, arrows).
 */
const withoutTags = (source: string): string =>
  source.replaceAll(/<(?!br\s*\/?>)(?=[a-z/!?])/gi, (sign, at: number) =>
    /^<<[\w-]+>>/.test(source.slice(at - 1, at + 60)) ? sign : `${sign}\u200b`,
  )

const keyOf = (source: string, isDark: boolean) => `${isDark ? 'D' : 'L'}${source}`

/** Returns the cached diagram of a source, or `null`. */
export const diagramBefore = (source: string, isDark: boolean): Diagram | null =>
  remembered.get(keyOf(source, isDark)) ?? null

/** Converts Mermaid's SVG to an image: removes external references and scripts, and reads the size. */
function toPicture(svg: string): Diagram {
  const page = new DOMParser().parseFromString(svg, 'text/html')
  const element = page.querySelector('svg')
  if (!element) throw new DiagramError('no picture')
  for (const inner of element.querySelectorAll('script, iframe, object, embed')) inner.remove()
  for (const inner of [element, ...element.querySelectorAll('*')]) {
    for (const { name, value } of inner.attributes) {
      const leadsAway = /(?:^|:)(?:href|src)$/i.test(name) && !value.startsWith('#')
      if (leadsAway || /^on/i.test(name)) inner.removeAttribute(name)
    }
  }
  const [, , width = 0, height = 0] = (element.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const size = { width: Math.ceil(width) || 600, height: Math.ceil(height) || 400 }
  element.setAttribute('width', String(size.width))
  element.setAttribute('height', String(size.height))
  element.style.maxWidth = ''
  const text = new XMLSerializer().serializeToString(element)
  return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, svg: text, ...size }
}

async function draw(source: string, isDark: boolean): Promise<Diagram> {
  const mermaid = await loadMermaid()
  mermaid.initialize(settings(isDark))
  lastNumber += 1
  const id = `dl-diagram-${lastNumber}`
  try {
    const { svg } = await mermaid.render(id, withoutTags(source))
    const diagram = toPicture(svg)
    remembered.set(keyOf(source, isDark), diagram)
    const oldest = remembered.size > REMEMBERED ? remembered.keys().next().value : undefined
    if (oldest !== undefined) remembered.delete(oldest)
    return diagram
  } catch (error) {
    throw error instanceof DiagramError ? error : new DiagramError(reasonOf(error), { cause: error })
  } finally {
    document.getElementById(`d${id}`)?.remove()
    document.getElementById(id)?.remove()
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 4).join('\n')

/**
 * Draws a Mermaid diagram.
 * @throws {DiagramError} if the source is faulty or too long, or could load something from a URL
 * @throws if Mermaid cannot be loaded
 */
export async function drawDiagram(source: string, isDark: boolean): Promise<Diagram> {
  const before = diagramBefore(source, isDark)
  if (before) return before
  if (source.length > LONGEST) throw new DiagramError('too-long')
  if (namesAddress(source)) throw new DiagramError('address')
  const drawing = queue.then(() => draw(source, isDark))
  queue = drawing.catch(() => undefined)
  return drawing
}
