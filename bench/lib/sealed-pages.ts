import type { Download, Page } from '@playwright/test'
import { requireGoingOn, row, unfoldOptions, until } from './upload-page.ts'

/** Transfers of bundles with one file in a browser, with or without end-to-end encryption. */

export interface Sending {
  readonly file: string
  readonly storageId: string
  readonly isSealed: boolean
}

/** Chooses a file by its path. Works for any file size, and no matter how the browser was started. */
async function chooseFile(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: 'input[type=file]',
  })
  await session.send('DOM.setFileInputFiles', { nodeId, files: [file] })
  await session.detach()
}

/** Chooses a file on the upload page, and starts its upload to a storage. */
export async function startUpload(page: Page, { file, storageId, isSealed }: Sending): Promise<void> {
  await unfoldOptions(page)
  await page.getByLabel('Storage', { exact: true }).selectOption(storageId)
  await page.locator('input[type=file]').first().waitFor({ state: 'attached' })
  await chooseFile(page, file)
  await page.getByRole('checkbox', { name: 'End-to-end encrypted', exact: true }).setChecked(isSealed)
  await page.getByRole('button', { name: 'Start upload', exact: true }).click()
}

/** Waits for the end of an upload. @returns its link */
export async function sharedLink(page: Page): Promise<string> {
  await until('shared', async () => {
    await requireGoingOn(page)
    return (await row(page).getAttribute('data-status')) === 'success'
  })
  const href = await row(page).locator('a[href*="/"]').first().getAttribute('href')
  return new URL(href ?? '', page.url()).href
}

/**
 * Makes the file dialog of a page return a file in the browser's own storage, because a headless browser has no
 * dialog. Everything after the dialog works as for a user, except that the browser does not scan a finished download.
 */
export const withFileDialog = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
    Object.assign(window, { showSaveFilePicker })
  })

export const withoutFileDialog = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))

const downloadButton = (page: Page) => page.getByRole('button', { name: 'Download', exact: true }).first()

/** Clicks the download button of a bundle with one file. */
export const startDownload = (page: Page): Promise<void> => downloadButton(page).click()

/** Clicks the download button, and waits until the browser starts a download. */
export async function download(page: Page): Promise<Download> {
  const [started] = await Promise.all([page.waitForEvent('download', { timeout: 0 }), startDownload(page)])
  return started
}
