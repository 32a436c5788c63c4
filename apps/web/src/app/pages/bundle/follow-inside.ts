/** Follows links within the text of an encrypted bundle without replacing the key in the address. */
export function followInside(event: Event): void {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
  if (!link) return
  event.preventDefault()
  const id = (link.getAttribute('href') ?? '').slice(1)
  document.getElementById(decodeFragment(id))?.scrollIntoView()
}

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
