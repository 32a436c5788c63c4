import type { Locator, Page } from '@playwright/test'
import type { Place } from './place.ts'
import { expect, say, test as base, type Words, type World } from './worlds.ts'

export type View = 'list' | 'grid' | 'gallery'
export const VIEWS: readonly View[] = ['list', 'grid', 'gallery']

interface ExplorerOptions {
  readonly page: Page
  readonly words: Words
  readonly world: World
  readonly press: (target: Locator) => Promise<void>
}

/** The folder on the screen. Tests operate it in the language and with the input method of their world. */
export class Explorer {
  readonly grid: Locator
  /** Names in the order in which they are shown. */
  readonly names: Locator
  readonly marked: Locator
  readonly dialog: Locator
  /** Title of the open dialog. */
  readonly title: Locator
  /** The text editor of a file. */
  readonly editor: Locator
  readonly #page: Page
  readonly #words: Words
  readonly #world: World
  readonly #press: ExplorerOptions['press']

  constructor({ page, words, world, press }: ExplorerOptions) {
    this.#page = page
    this.#words = words
    this.#world = world
    this.#press = press
    this.grid = page.getByRole('grid')
    this.names = this.grid.locator('a[data-role="open"]')
    this.marked = page.locator('[role="row"][aria-selected="true"]')
    // Matches only `dialog` elements, because the preview also has the role of a dialog.
    this.dialog = page.locator('dialog[open]')
    this.title = this.dialog.getByRole('heading')
    this.editor = page.locator('.cm-content')
  }

  link(name: string): Locator {
    return this.grid.getByRole('link', { name, exact: true })
  }

  row(name: string): Locator {
    return this.grid.getByRole('row').filter({ has: this.#page.getByRole('link', { name, exact: true }) })
  }

  item(name: string): Locator {
    return this.#page.getByRole('menuitem', { name, exact: true })
  }

  button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true })
  }

  /** Returns a folder that a dialog offers as a target. */
  target(name: string): Locator {
    return this.dialog.getByRole('treeitem', { name, exact: true })
  }

  /** Returns a button of the toolbar, for the folder or for the selection. */
  tool(name: string): Locator {
    return this.#page.getByRole('toolbar').getByRole('button', { name, exact: true }).first()
  }

  box(name: string): Locator {
    return this.grid.getByRole('checkbox', { name: say(this.#words.explorer.selectOne, { name }) })
  }

  async open(place: Place, below = ''): Promise<void> {
    await this.#page.goto(`${place.address}${below}`)
    await expect(this.#page.getByRole('toolbar').first()).toBeVisible()
  }

  /** Loads changes that were made outside the server. */
  async refresh(): Promise<void> {
    await this.#press(this.tool(this.#words.explorer.refresh))
  }

  async show(view: View): Promise<void> {
    const name = this.#words.explorer.view[view]
    if (this.#world.device === 'desktop') {
      await this.button(name).click()
      return
    }
    await this.button(this.#words.explorer.display).tap()
    await this.#page.getByRole('menuitemradio', { name, exact: true }).tap()
  }

  /** Opens the menu of an entry with a right click or a long press. */
  async openMenu(name: string): Promise<void> {
    const target = this.link(name)
    if (this.#world.device === 'desktop') await target.click({ button: 'right' })
    else await this.longPress(target)
    await expect(this.#page.getByRole('menuitem').first()).toBeVisible()
  }

  async longPress(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('The control is not visible.')
    const session = await this.#page.context().newCDPSession(this.#page)
    const touchPoints = [{ x: box.x + Math.min(box.width / 2, 20), y: box.y + box.height / 2 }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await expect(this.#page.getByRole('menuitem').first()).toBeVisible()
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await session.detach()
  }

  async choose(name: string, command: string): Promise<void> {
    await this.openMenu(name)
    await this.#press(this.item(command))
  }

  async makeFolder(name: string): Promise<void> {
    const { open, submit } = this.#words.explorer.newFolder
    await this.#press(this.tool(open))
    await this.dialog.getByRole('textbox').fill(name)
    await this.answer(submit)
  }

  /** Opens a file in the text editor. */
  async edit(name: string): Promise<void> {
    await this.#press(this.link(name))
    await this.#press(this.button(this.#words.explorer.edit.open))
    await expect(this.editor).toBeVisible()
  }

  /** Selects exactly these entries, one after another. */
  async mark(...names: string[]): Promise<void> {
    if ((await this.marked.count()) > 0) await this.#press(this.tool(this.#words.explorer.unselect))
    for (const [index, name] of names.entries()) {
      if (this.#world.device === 'desktop') {
        await this.row(name).hover()
        await this.box(name).click()
      } else if (index === 0) await this.choose(name, this.#words.explorer.select)
      else await this.link(name).tap()
    }
    await expect(this.marked).toHaveCount(names.length)
  }

  /** Presses a button of the open dialog. */
  async answer(button: string): Promise<void> {
    await this.#press(this.dialog.getByRole('button', { name: button, exact: true }).first())
  }
}

interface ExplorerFixtures {
  explorer: Explorer
}

/** Test of the explorer, logged in as the administrator. */
export const test = base.extend<ExplorerFixtures>({
  explorer: async ({ adminPage: page, words, world, press }, use) => {
    await use(new Explorer({ page, words, world, press }))
  },
})

export { expect, inOppositeWorlds, say, type Words } from './worlds.ts'
