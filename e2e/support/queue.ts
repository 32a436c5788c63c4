import { managedPasteRoutes, pasteRevisionRoutes, pasteRoutes } from '@dropleaf/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { queue as words } from '../../apps/web/src/locales/en-US/queue.ts'
import type { Api } from './api.ts'
import { keptKeys } from './kept.ts'
import { writeText } from './pages.ts'

/**
 * When the connection breaks: before a change is sent, while it is sent, or after the server has made the change but
 * before it responds.
 */
export const BROKEN_LINES = ['before', 'on its way', 'after'] as const
export type BrokenLine = (typeof BROKEN_LINES)[number]

interface Call {
  readonly method: string
  /** Pattern of the request's URL. */
  readonly address: string
  /** Expected notice after the queue has sent the change. The default says that one change was sent. */
  readonly saying?: string
}

/** A user with an unreliable connection. */
export class Traveller {
  readonly page: Page
  private readonly admin: Api

  constructor(page: Page, admin: Api) {
    this.page = page
    this.admin = admin
  }

  leave = (): Promise<void> => this.page.context().setOffline(true)

  back = (): Promise<void> => this.page.context().setOffline(false)

  chip = (): Locator => this.page.getByRole('banner').getByRole('link', { name: /waiting to be sent/ })

  /** Expects that the header shows this number of waiting changes. */
  waits = (count: number): Promise<void> => expect(this.chip()).toHaveText(String(count))

  /**
   * Waits until all changes in the browser are sent. Reads the stored queue, because a new page shows no changes at
   * first.
   */
  async settled(): Promise<void> {
    await expect.poll(() => keptKeys(this.page, 'offlineQueue')).toEqual([])
    await expect(this.chip()).toHaveCount(0)
  }

  /** Waits until the server has this many matching texts and no changes are waiting. */
  async sent(search: string, count: number): Promise<void> {
    await expect.poll(() => this.countTexts(search)).toBe(count)
    await this.settled()
  }

  entry = (text: string): Locator => this.page.getByRole('listitem').filter({ hasText: text })

  async openQueue(): Promise<void> {
    await this.chip().click()
    await expect(this.page.getByRole('heading', { name: words.title })).toBeVisible()
  }

  /** Types a text on the home page and shares it. */
  async share(text: string, { suffix = '', password = '' } = {}): Promise<void> {
    const { page } = this
    if (!/^https?:\/\/[^/]+\/$/.test(page.url())) await page.getByRole('link', { name: 'Dropleaf' }).click()
    await writeText(page, text)
    if (suffix) await page.getByLabel('Custom link').fill(suffix)
    if (password) await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create share' }).click()
  }

  /** Opens a text for editing while online. */
  async beginEdit(slug: string): Promise<void> {
    await this.page.goto(`/paste/${slug}`)
    await this.page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(this.editor()).toBeVisible()
  }

  private editor = (): Locator => this.page.getByRole('textbox', { name: 'Text to share' })

  async save(text: string): Promise<void> {
    await this.editor().click()
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.page.keyboard.insertText(text)
    await this.page.getByRole('button', { name: 'Save', exact: true }).click()
  }

  /**
   * Makes a change over a connection that breaks, and waits until the change was sent from the queue.
   * @param call request of the change
   */
  async over(line: BrokenLine, call: Call, change: () => Promise<void>): Promise<void> {
    const { method, address, saying = words.toasts.synced_one.replace('{{count}}', '1') } = call
    const isSent = this.page.getByText(saying)
    await expect(isSent).toHaveCount(0)
    if (line === 'before') {
      await this.leave()
      await change()
      await this.waits(1)
      await this.back()
    } else {
      let isBroken = false
      const isChanged = Promise.withResolvers<void>()
      await this.page.route(address, async (route) => {
        if (route.request().method() !== method) return route.fallback()
        // The queue sends the change again at once. `change` checks what the page shows until then.
        if (isBroken) return isChanged.promise.then(() => route.fallback())
        isBroken = true
        if (line === 'after') await route.fetch()
        return route.abort('connectionreset')
      })
      await change().finally(isChanged.resolve)
    }
    await expect(isSent).toBeVisible()
    await this.settled()
    await this.page.unrouteAll({ behavior: 'wait' })
  }

  /** Returns the number of matching texts on the server. */
  async countTexts(search: string): Promise<number> {
    const { pagination } = await this.admin.call(managedPasteRoutes.adminList, { query: { search } })
    return pagination.total
  }

  /** Returns the current content of a text. */
  async textOf(slug: string): Promise<string> {
    return (await this.admin.call(pasteRoutes.adminRead, { params: { id: slug } })).data.content
  }

  /** Returns the number of earlier versions of a text. */
  async earlier(slug: string): Promise<number> {
    const { data } = await this.admin.call(pasteRevisionRoutes.list, { params: { id: slug } })
    return data.length
  }
}
