import type { Locator, Page } from '@playwright/test'
import { listComplaints } from './pseudo/pseudo.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
type Screen = typeof DESKTOP
/**
 * Screens to check. A desktop is checked only with `EVERY_WORLD=1`, because a small phone is the first to cut texts
 * off.
 */
const SCREENS: readonly Screen[] = process.env['EVERY_WORLD'] === '1' ? [PHONE, DESKTOP] : [PHONE]

/** Names that tests create. They start with `zz`, which no text of the product contains. */
const DATA = ['zz-readme.md', 'zz-notes.txt', 'zz-song.mp3', 'zz-folder', 'zz-limited', 'zz-locked']
const MORE_DATA = [
  'zz.bin',
  'zz-2.bin',
  'zz-key',
  'zz-text',
  'zz-admin',
  'zz-file-locked',
  'zz-file',
  'zz-none',
  'zz-made',
  'zz',
]
/** Names that exist on a new server. */
const FIRST_DATA = ['Local disk', 'local', 'admin']

/** Checks a page and everything that its buttons open. */
export class Walk {
  readonly #page: Page
  readonly #leftAlone: readonly string[]
  readonly #complaints = new Set<string>()
  readonly #pressed = new Set<string>()
  readonly #data: readonly string[] = [...DATA, ...MORE_DATA, ...FIRST_DATA]
  looks = 0
  #pendingRequests = 0

  /** @param leftAlone prefixes of button labels that are not pressed */
  constructor(page: Page, leftAlone: readonly string[]) {
    this.#page = page
    page.on('request', () => (this.#pendingRequests += 1))
    page.on('requestfinished', () => (this.#pendingRequests -= 1))
    page.on('requestfailed', () => (this.#pendingRequests -= 1))
    this.#leftAlone = leftAlone
  }

  get complaints(): readonly string[] {
    return [...this.#complaints]
  }

  async go(address: string): Promise<void> {
    await this.#page.goto(address)
    await this.#settle()
  }

  /** Opens a page and presses all buttons that were not pressed on other pages. Starts with a phone's screen. */
  async visit(address: string): Promise<void> {
    await this.go(address)
    await this.look(address)
    for (const screen of SCREENS) {
      await this.#page.setViewportSize(screen)
      await this.#pressAll(address, screen)
    }
  }

  /** Opens a page, clicks the targets in order and checks the result. */
  async open(address: string, ...targets: readonly ((page: Page) => Locator)[]): Promise<void> {
    await this.go(address)
    for (const target of targets) await target(this.#page).click()
    await this.#quiet()
    await this.look(`${address}, opened`)
  }

  async look(name: string, screens: readonly Screen[] = SCREENS): Promise<void> {
    for (const screen of screens) {
      if (this.#page.viewportSize()?.width !== screen.width) await this.#page.setViewportSize(screen)
      const view = { name: `${name}, ${screen.width} px`, data: this.#data }
      for (const complaint of await listComplaints(this.#page, view)) this.#complaints.add(complaint)
      this.looks += 1
    }
  }

  async #settle(): Promise<void> {
    await this.#page.getByRole('main').first().waitFor()
    await this.#page.waitForFunction(isReady, undefined, { polling: 100, timeout: 60_000 })
  }

  /**
   * Presses all buttons of a page. Presses each label only once, because buttons with the same label do the same on
   * every page.
   */
  async #pressAll(address: string, screen: Screen): Promise<void> {
    for (;;) {
      const label = await this.#page.evaluate(markNext, [...this.#pressed, ...this.#leftAlone])
      if (label === null) return
      this.#pressed.add(label)
      const before = this.#page.url()
      await this.#press()
      if (await this.#hasChanged()) {
        const name = `${address} ${label.replaceAll(/\s+/g, ' ')}`
        await this.#lookAtOpened(name, screen)
        await this.#pressItems(name, screen)
        await this.#close()
      }
      if (this.#page.url() === before && !(await this.#page.evaluate(hasLayer))) continue
      await this.go(address)
    }
  }

  /** Presses the items of an open menu and checks what they open. */
  async #pressItems(name: string, screen: Screen): Promise<void> {
    const before = this.#page.url()
    const labels = await this.#page.getByRole('menuitem').allInnerTexts()
    for (const label of labels.filter((text) => !this.#pressed.has(text))) {
      this.#pressed.add(label)
      if ((await this.#page.getByRole('menuitem').count()) === 0) await this.#press()
      await this.#page.evaluate(press, label)
      if (await this.#hasChanged()) await this.#lookAtOpened(`${name} ${label}`, screen)
      await this.#close()
      if (this.#page.url() !== before) return
    }
  }

  async #press(): Promise<void> {
    await this.#page.evaluate(press, null)
  }

  async #hasChanged(): Promise<boolean> {
    await this.#quiet()
    return this.#page.evaluate(hasChanged)
  }

  /** Waits until the page has rendered its changes and no request is pending. */
  async #quiet(): Promise<void> {
    for (let quietFrames = 0; quietFrames < 2;) {
      await this.#page.evaluate(drawn)
      quietFrames = this.#pendingRequests <= 0 ? quietFrames + 1 : 0
    }
  }

  /**
   * Checks the view that a button has opened. A view opened on a phone is checked only there, because the button can
   * open something else on a desktop.
   */
  async #lookAtOpened(name: string, screen: Screen): Promise<void> {
    await this.look(name, screen === PHONE ? [PHONE] : SCREENS)
  }

  async #close(): Promise<void> {
    for (let tries = 0; tries < 3 && (await this.#page.evaluate(hasLayer)); tries += 1) {
      await this.#page.keyboard.press('Escape')
      await this.#quiet()
    }
  }
}

/**
 * Marks a visible button that was not pressed yet.
 * @returns its label, with numbers and test names replaced; `null` if there is none
 */
function markNext(pressed: readonly string[]): string | null {
  document.querySelector('[data-next]')?.removeAttribute('data-next')
  const around = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  for (const button of around.querySelectorAll<HTMLElement>('button:not(:disabled), summary, [role=tab]')) {
    const label = (button.getAttribute('aria-label') ?? button.innerText)
      .replaceAll(/[\d.,]+|zz[\w.-]*/g, '#')
      .trim()
    const isSeen = button.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    if (!isSeen || label === '' || pressed.some((known) => label.startsWith(known))) continue
    button.dataset['next'] = ''
    return label
  }
  return null
}

/** Presses an item of the open menu, or the marked button if it still exists. */
function press(label: string | null): void {
  const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const next = document.querySelector<HTMLElement>('[data-next]')
  const target = label === null ? next : items.find(({ innerText }) => innerText === label)
  document.body.dataset['before'] = String(document.body.innerText.length)
  target?.click()
}

const hasChanged = () => document.body.dataset['before'] !== String(document.body.innerText.length)

/** Whether the page has finished loading, and its text is the same as in the previous call. */
const isReady = () => {
  const shown = document.querySelector('main')?.textContent ?? ''
  const isWaiting =
    document.querySelector('[aria-busy=true], .dl-waiting, [role=status][aria-label]') !== null ||
    document.querySelector('main h1, main [role=grid]') === null
  const { body } = document
  const isSame = body.dataset['shown'] === String(shown.length)
  body.dataset['shown'] = String(shown.length)
  return shown.length > 0 && isSame && !isWaiting
}

/** Waits for two frames and for the end of all finite animations. */
const drawn = async (): Promise<void> => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  const moving = document
    .getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(moving.map(({ finished }) => finished))
}

const hasLayer = () => document.querySelector('dialog[open], [role=menu]') !== null
