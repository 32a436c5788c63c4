import { expect, type Locator, type Page } from '@playwright/test'

/** Returns a description of the focused element if its focus is invisible, off screen or covered; otherwise `null`. */
export const unseenFocus = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return null
    const complain = (fault: string) => `${fault}: ${focused.outerHTML.slice(0, 200)}`
    // A grid shows the focus on the active row, and an editor on its frame. Radio groups and file fields show the
    // focus on their label.
    const shown = [
      focused.querySelector('[data-active]'),
      focused,
      focused.nextElementSibling,
      focused.nextElementSibling?.querySelector('label'),
    ]
    for (let around = focused.parentElement; around; around = around.parentElement) shown.push(around)
    const sign = shown.find((element) => {
      // Ignores empty elements, because a visually hidden field has an outline too.
      const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
      if (!element || width < 2 || height < 2) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    })
    if (!sign) return complain('not shown')
    const { left, right, top, bottom } = sign.getBoundingClientRect()
    const [fromX, toX] = [Math.max(left, 0), Math.min(right, window.innerWidth)]
    const [fromY, toY] = [Math.max(top, 0), Math.min(bottom, window.innerHeight)]
    if (toX - fromX < 1 || toY - fromY < 1) return complain('not on the screen')
    const places = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [x, y] as const))
    const isCovered = places.every(([x, y]) => {
      const on = document.elementFromPoint(fromX + (toX - fromX) * x, fromY + (toY - fromY) * y)
      return on === null || !(sign.contains(on) || on.contains(sign))
    })
    return isCovered ? complain('covered') : null
  })

const STEPS_MAX = 120

/** A user with only a keyboard. The focus must be visible at every step. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Presses the key until one of the targets has the focus. */
  async to(target: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' | 'ArrowUp' = 'Tab'): Promise<void> {
    await expect(target.first()).toBeVisible()
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if (step > 0) await this.press(key)
      if (!(await hasFocus(target))) continue
      expect(await unseenFocus(this.#page)).toBeNull()
      return
    }
    throw new Error(`${key} does not reach ${String(target)}.`)
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key)
      expect(await unseenFocus(this.#page)).toBeNull()
    }
  }

  /** Presses a button or follows a link. */
  async enter(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(target.first()).toBeEnabled()
    await this.to(target, key)
    await this.#page.keyboard.press('Enter')
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.to(field)
    await this.#page.keyboard.insertText(text)
  }

  /** Selects an option of a closed list with the arrow keys. */
  async choose(field: Locator, label: string): Promise<void> {
    await this.to(field)
    const chosen = () => field.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
    const count = await field.evaluate((select: HTMLSelectElement) => select.options.length)
    await this.press('Home')
    for (let step = 1; step < count && (await chosen()) !== label; step += 1) await this.press('ArrowDown')
    expect(await chosen()).toBe(label)
  }

  /** Moves down an open menu to an item and presses it. */
  async pick(item: Locator): Promise<void> {
    await this.to(item, 'ArrowDown')
    await this.#page.keyboard.press('Enter')
  }
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluateAll((elements) => elements.some((element) => element === document.activeElement))

interface Tabbing {
  /** Number of controls on the page. */
  readonly controls: number
  readonly unreached: readonly string[]
  readonly unseen: readonly string[]
}

/**
 * Tabs through the page, from the first to the last control.
 * @returns the controls that cannot be reached and those without a visible focus; a group of radio buttons counts as
 * one control
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
    // Starts at the beginning of the page, regardless of the current focus.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
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
