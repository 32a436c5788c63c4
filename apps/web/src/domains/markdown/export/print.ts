/** Prints a page in a separate frame that contains only the page. */
export async function printPage(html: string): Promise<void> {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;inset:auto 0 0 auto;width:1px;height:1px;border:0;opacity:0'
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  // Printing requires the same origin; scripts stay disabled.
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals')
  frame.srcdoc = html
  await new Promise<void>((resolve) => {
    frame.addEventListener('load', () => resolve(), { once: true })
    document.body.append(frame)
  })
  const view = frame.contentWindow
  if (!view) return
  await Promise.all([...view.document.images].map((image) => image.decode().catch(() => undefined)))
  // Removes the frame a little later, because some browsers read the page after `print()` has returned.
  view.addEventListener('afterprint', () => setTimeout(() => frame.remove(), 1000), { once: true })
  view.focus()
  view.print()
}
