import {
  fileRoutes,
  fsShareRoutes,
  managedPasteRoutes,
  type OpeningKind,
  pasteRoutes,
} from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import type { Api } from './api.ts'
import type { Place } from './place.ts'

/** Content of the shares in these tests. It must not appear before the share is opened. */
export const SECRET = 'only for one pair of eyes'
export const SECRET_NAME = 'name-of-the-file.txt'

interface ShareSettings {
  readonly password?: string
  readonly pin?: string
  readonly maxViews?: number
}

export interface AskingShare {
  readonly kind: OpeningKind
  readonly id: string
  readonly slug: string
}

let count = 0

/** Creates a share that requires confirmation. The share has one view unless the settings contain another number. */
export async function shareAsking(
  { admin, place }: { admin: Api; place: Place },
  kind: OpeningKind,
  { maxViews = 1, ...keys }: ShareSettings = {},
): Promise<AskingShare> {
  count += 1
  const slug = `asks-${process.pid}-${count}`
  const options = { slug, opening: 'ask', ...keys } as const
  if (kind === 'paste') {
    const body = { content: SECRET, content_type: 'text/plain', maxViews, ...options } as const
    const { id } = await admin.call(pasteRoutes.create, { body })
    return { kind, id, slug }
  }
  const name = `${count}-${SECRET_NAME}`
  await place.put({ [name]: SECRET })
  const body = { path: `${place.path}/${name}`, max_views: maxViews, ...options }
  await admin.call(fsShareRoutes.share, { body })
  return { kind, slug, id: (await findFile(admin, slug)).id }
}

export const pageOf = ({ kind, slug }: AskingShare): string => `/${kind}/${slug}`

async function findFile(admin: Api, slug: string) {
  const query = { search: slug, limit: 10, offset: 0 }
  const [file] = (await admin.call(fileRoutes.adminList, { query })).data.files
  if (!file) throw new Error(`There is no file ${slug}.`)
  return file
}

export async function ownerSees(admin: Api, { kind, slug }: AskingShare) {
  if (kind === 'file') return findFile(admin, slug)
  const query = { search: slug, limit: 10, page: 1 }
  const [paste] = (await admin.call(managedPasteRoutes.adminList, { query })).data
  if (!paste) throw new Error(`There is no text ${slug}.`)
  return { ...paste, views: paste.view_count }
}

export const viewsOf = async (admin: Api, share: AskingShare): Promise<number> =>
  (await ownerSees(admin, share)).views

export const openButton = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: true })

async function centreOf(button: Locator) {
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not on the screen.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Waits until the ring is full. The response of the server may arrive earlier. */
const untilFull = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector<HTMLElement>('button[data-stage]')?.dataset['stage'] !== 'holding',
  )

export async function holdByMouse(page: Page, button: Locator): Promise<void> {
  const { x, y } = await centreOf(button)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await untilFull(page)
  await page.mouse.up()
}

export async function holdByTouch(page: Page, button: Locator): Promise<void> {
  const point = await centreOf(button)
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await untilFull(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}
