export interface Complaint {
  readonly fault: 'not translated' | 'cut off' | 'beyond the screen' | 'moves sideways'
  readonly text: string
  readonly place: string
}

interface Expectations {
  readonly data: readonly string[]
  readonly patterns: readonly (readonly [source: string, flags: string])[]
  readonly opening: string
  readonly closing: string
}

type Words = ReturnType<typeof createWords>
type Complaints = ReturnType<typeof createComplaints>

// The functions in `PARTS` run inside a page, so they can call only each other.

function createWords({ data, patterns, opening, closing }: Expectations) {
  const known = [...data].sort((a, b) => b.length - a.length)
  const same = patterns.map(([source, flags]) => new RegExp(source, `${flags}g`))
  const rest = (text: string): string => {
    let left = text
    for (const pattern of same) left = left.replaceAll(pattern, ' ')
    for (const datum of known) left = left.replaceAll(datum, ' ')
    return left
  }
  return {
    isTranslated: (text: string) => !/[a-z]{2,}|\p{Script=Han}/iu.test(rest(text)),
    isOurs: (text: string) => text.includes(opening) || text.includes(closing) || /[À-ɏ]/.test(text),
    holdsData: (text: string) => known.some((datum) => text.includes(datum)),
  }
}

function createComplaints() {
  const found = new Map<string, Complaint>()
  const placeOf = (element: Element): string => {
    const names = [...element.classList].slice(0, 2).map((name) => `.${name}`)
    return `${element.tagName.toLowerCase()}${names.join('')}`
  }
  return {
    add(fault: Complaint['fault'], text: string, element: Element) {
      const short = text.replaceAll(/\s+/g, ' ').trim().slice(0, 80)
      found.set(`${fault} ${short}`, { fault, text: short, place: placeOf(element) })
    },
    list: () => [...found.values()],
  }
}

/**
 * Returns a function that reports a text if an ancestor clips it or if it is beyond the screen. Ignores text that can
 * be scrolled into view.
 */
function createLookAtEdges(words: Words, complaints: Complaints) {
  /** Cache of the style and edges of elements, because many texts share ancestors. */
  const frames = new Map<HTMLElement, { style: CSSStyleDeclaration; edge: DOMRect }>()
  const frameOf = (around: HTMLElement) => {
    const frame = frames.get(around) ?? {
      style: getComputedStyle(around),
      edge: around.getBoundingClientRect(),
    }
    frames.set(around, frame)
    return frame
  }
  const isScrolled = (overflow: string) => overflow === 'auto' || overflow === 'scroll'
  const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
  return (node: Text, element: HTMLElement) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width }) => width > 1)
    if (rects.length === 0) return
    let canMoveX = false
    let canMoveY = false
    for (
      let around: HTMLElement | null = element;
      around && around !== document.body;
      around = around.parentElement
    ) {
      const { style, edge } = frameOf(around)
      const isInvisible = edge.width <= 2 || edge.height <= 2 || style.clip === 'rect(0px, 0px, 0px, 0px)'
      if (isInvisible && style.overflow !== 'visible') return
      if (isScrolled(style.overflowX)) canMoveX = true
      if (isScrolled(style.overflowY)) canMoveY = true
      const isCutX =
        !canMoveX &&
        cuts(style.overflowX) &&
        rects.some(({ left, right }) => left < edge.left - 1.5 || right > edge.right + 1.5)
      const isCutY =
        !canMoveY &&
        cuts(style.overflowY) &&
        rects.some(({ top, bottom }) => top < edge.top - 5 || bottom > edge.bottom + 5)
      // A name may be cut off if a tooltip shows the whole name.
      const isToldElsewhere = around.closest('[title]') !== null && words.holdsData(node.data)
      if ((isCutX || isCutY) && !isToldElsewhere) complaints.add('cut off', node.data, around)
      if (isCutX || isCutY) return
      if (style.position === 'fixed') break
    }
    const isOutside = rects.some(({ left, right }) => left < -1 || right > window.innerWidth + 1)
    if (isOutside && !canMoveX) complaints.add('beyond the screen', node.data, element)
  }
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
}

function lookAtTexts(roots: readonly HTMLElement[], words: Words, complaints: Complaints): void {
  /** Matches user content, code, and text that is deliberately in another language. */
  const FOREIGN =
    'script,style,noscript,pre,code,kbd,samp,textarea,[contenteditable],.dl-prose,.cm-content,[data-user-text],option[lang]'
  const lookAtEdges = createLookAtEdges(words, complaints)
  const nodes = roots.flatMap((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    return texts
  })
  for (const node of nodes) {
    const element = node.parentElement
    if (!element || node.data.trim() === '' || element.closest(FOREIGN) || !isShown(element)) continue
    if (!words.isTranslated(node.data)) complaints.add('not translated', node.data, element)
    if (words.isOurs(node.data)) lookAtEdges(node, element)
  }
}

/** Checks whether a field cuts off its placeholder or its selected option. */
function lookAtField(element: HTMLElement, words: Words, complaints: Complaints): void {
  const isField = element instanceof HTMLSelectElement || element instanceof HTMLInputElement
  if (!isField || element.clientWidth <= 2) return
  const shown =
    element instanceof HTMLSelectElement
      ? (element.selectedOptions[0]?.text ?? '')
      : element.value === ''
        ? element.placeholder
        : ''
  if (!words.isOurs(shown)) return
  const style = getComputedStyle(element)
  const pen = document.createElement('canvas').getContext('2d')
  if (!pen) return
  pen.font = style.font
  const room =
    element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
  if (pen.measureText(shown).width > room + 2) complaints.add('cut off', shown, element)
}

function lookAtElements(roots: readonly HTMLElement[], words: Words, complaints: Complaints): void {
  const NAMING = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt']
  const elements = roots.flatMap((root) => [root, ...root.querySelectorAll<HTMLElement>('*')])
  for (const element of elements) {
    // Skips emoji. Their names are part of the emoji data and exist only in certain languages.
    const isEmoji = /^\p{Extended_Pictographic}/u.test(element.textContent)
    if (element.matches('script,style') || isEmoji || !isShown(element)) continue
    for (const name of NAMING) {
      const text = element.matches('[data-user-text]') ? null : element.getAttribute(name)
      if (text && !words.isTranslated(text)) complaints.add('not translated', `${name}=${text}`, element)
    }
    lookAtField(element, words, complaints)
  }
}

async function inspect(expectations: Expectations): Promise<readonly Complaint[]> {
  // Waits for layout that depends on the screen width. This layout settles within a frame.
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  const words = createWords(expectations)
  const complaints = createComplaints()
  // Content below a dialog or menu was checked before the dialog or menu opened.
  const layers = [...document.querySelectorAll<HTMLElement>('dialog[open], [role=menu]')]
  const notices = [...document.querySelectorAll<HTMLElement>('[role=status], [role=alert]')]
  const roots = layers.length > 0 ? [...layers, ...notices] : [document.body]
  lookAtTexts(roots, words, complaints)
  lookAtElements(roots, words, complaints)
  if (document.title && !words.isTranslated(document.title))
    complaints.add('not translated', document.title, document.head)
  if (document.documentElement.scrollWidth > window.innerWidth + 1)
    complaints.add('moves sideways', '', document.body)
  return complaints.list()
}

const PARTS = [
  createWords,
  createComplaints,
  createLookAtEdges,
  isShown,
  lookAtTexts,
  lookAtField,
  lookAtElements,
  inspect,
]

/** Returns an expression for the page to evaluate. */
export const inspectionFor = (expectations: Expectations): string =>
  `(() => { ${PARTS.map(String).join('\n')}\n return inspect(${JSON.stringify(expectations)}) })()`
