/** Code that has no colours because it is so long: see `highlight.ts`. */
const LONG_CODE = 100_000
const PART_CHARACTERS = 6000
/** A longer line goes on below: laying out megabytes as one would stop the page, and each is seen at once. */
const LINE_MAX_CHARACTERS = 12_000
const LINE_PART_CHARACTERS = 2000

function* cutCode(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start + PART_CHARACTERS)
    const end = newline === -1 ? text.length : newline + 1
    const isOneLine = end - start > LINE_MAX_CHARACTERS
    const part = text.slice(start, isOneLine ? start + LINE_PART_CHARACTERS : end)
    yield part
    start += part.length
  }
}

/** Divides long code into parts that are laid out only when they come near the screen. Their text together is the code. */
export function divideLongCode(root: ParentNode): void {
  for (const code of root.querySelectorAll('pre > code')) {
    const text = code.textContent
    if (text.length <= LONG_CODE) continue
    const parts = [...cutCode(text)].map((part) => {
      const element = document.createElement('span')
      element.className = 'dl-code-part'
      element.textContent = part
      element.style.setProperty('--dl-lines', String(part.replace(/\n$/, '').split('\n').length))
      return element
    })
    code.replaceChildren(...parts)
  }
}
