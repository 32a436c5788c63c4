import type { Page } from '@playwright/test'

/** What has the focus, if nothing of it can be seen. */
export const unseenFocus = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return null
    // A grid shows the row of the keyboard, an editor its frame, a choice of several its box.
    const row = focused.querySelector('[data-active]')
    const shown = [
      row,
      focused,
      focused.closest('.cm-editor'),
      focused.closest('label'),
      focused.nextElementSibling,
    ]
    const isSeen = shown.some((element) => {
      if (!element) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
    })
    return isSeen ? null : focused.outerHTML.slice(0, 200)
  })

interface Tabbing {
  /** How many controls there are. */
  readonly controls: number
  readonly unreached: readonly string[]
  readonly unseen: readonly string[]
}

/**
 * Goes through the page by Tab, from its first control until there is none left.
 * @returns what cannot be reached, and what has the focus without a sign of it; a group of radio buttons counts as one.
 */
export async function tabThrough(page: Page): Promise<Tabbing> {
  const total = await page.evaluate(() => {
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex]'
    const controls = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (control) =>
        control.tabIndex >= 0 &&
        !control.matches(':disabled, [inert] *') &&
        control.checkVisibility({ visibilityProperty: true }) &&
        !(control instanceof HTMLInputElement && control.type === 'radio' && !control.checked),
    )
    for (const control of controls) control.dataset['toReach'] = ''
    ;(document.activeElement as HTMLElement | null)?.blur()
    return controls.length
  })
  const unseen: string[] = []
  for (let count = 0; count < total + 5; count += 1) {
    await page.keyboard.press('Tab')
    const isOver = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement | null
      delete focused?.dataset['toReach']
      return !focused || focused === document.body
    })
    if (isOver) break
    const hidden = await unseenFocus(page)
    if (hidden !== null) unseen.push(hidden)
  }
  const unreached = await page.evaluate(() =>
    [...document.querySelectorAll('[data-to-reach]')].map((control) => control.outerHTML.slice(0, 160)),
  )
  return { controls: total, unreached, unseen }
}
