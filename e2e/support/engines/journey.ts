import type { Words } from '../../../apps/web/src/testing/words.ts'
import { say } from '../worlds.ts'
import { downloadOf, type Profile, type Tab, textOf, waitFor } from './tab.ts'

/** Sends and reads encrypted bundles in any browser. */

const buttonNamed = (name: string): string => `//button[normalize-space()="${name}" or @aria-label="${name}"]`
const fieldNamed = (label: string) => `//*[@id=//label[normalize-space()="${label}"]/@for]`
const fileLink = (name: string) => `//main//a[normalize-space()="${name}"]`
/** The link with the key of a finished upload. */
const FULL_LINK = '//main//a[contains(@href, "/s/") and contains(@href, "#")]'

/** Opens a tab in which the administrator is logged in. */
async function logInTab(
  profile: Profile,
  { origin, token }: { readonly origin: string; readonly token: string },
): Promise<Tab> {
  const tab = await profile.openTab()
  await tab.goto(new URL('api/health', origin).href)
  await tab.evaluate((value) => localStorage.setItem('admin_token', value), token)
  await tab.evaluate(() => localStorage.setItem('dropleaf.share-options', 'open'))
  return tab
}

async function waitForLink(tab: Tab, patienceMs?: number): Promise<string> {
  const found = await waitFor(
    'link',
    () =>
      tab.evaluate((path) => {
        const failed = document.querySelector('li[data-status=error]')
        if (failed) return { failure: failed.textContent, link: null }
        const link = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE)
        const { singleNodeValue: node } = link
        return node && { failure: null, link: (node as HTMLAnchorElement).href }
      }, FULL_LINK),
    patienceMs,
  )
  if (found.link === null) throw new Error(`The upload failed: ${found.failure}`)
  return found.link
}

export interface Sending {
  readonly origin: string
  /** Session token of the administrator. */
  readonly token: string
  readonly storageId: string
  readonly paths: readonly string[]
  /** If set, the files are sent as the contents of this folder. */
  readonly folder?: string
  readonly patienceMs?: number
}

/** Encrypts files on the upload page. @returns the link with its key */
export async function sendFiles(
  profile: Profile,
  words: Words,
  { origin, token, storageId, paths, folder, patienceMs }: Sending,
): Promise<string> {
  const tab = await logInTab(profile, { origin, token })
  await tab.goto(new URL('upload', origin).href)
  const storage = fieldNamed(words.files.upload.storage)
  await textOf(tab, `${storage}/option[@value="${storageId}"]`)
  await tab.evaluate(
    (path, value) => {
      const field = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE)
      const { singleNodeValue: select } = field
      Object.assign(select as HTMLSelectElement, { value })
      select?.dispatchEvent(new Event('change', { bubbles: true }))
    },
    storage,
    storageId,
  )
  // Sets the path of each file in the page, because only Chromium's own protocol can choose a folder.
  if (folder !== undefined)
    await tab.evaluate((name) => {
      Object.defineProperty(File.prototype, 'webkitRelativePath', {
        get(this: File) {
          return `${name}/${this.name}`
        },
      })
    }, folder)
  await tab.choose('//main//label//input[@type="file"]', paths)
  await tab.click(fieldNamed(words.common.sealed.label))
  await tab.click(buttonNamed(words.files.upload.start))
  return waitForLink(tab, patienceMs)
}

/** Encrypts a text on the home page. @returns the link with its key */
export async function sendText(
  profile: Profile,
  words: Words,
  {
    text,
    password,
    ...login
  }: { origin: string; token: string; readonly text: string; readonly password: string },
): Promise<string> {
  const tab = await logInTab(profile, login)
  await tab.goto(login.origin)
  // Waits for the toolbar, because the editor replaces a plain field when it is loaded.
  await textOf(tab, `//*[@role="toolbar"][@aria-label="${words.editor.tools}"]`)
  await tab.type('//*[contains(@class, "cm-content")]', text)
  await tab.type(fieldNamed(words.common.password.label), password)
  await tab.click(fieldNamed(words.common.sealed.label))
  await tab.click(buttonNamed(words.home.submit))
  return waitForLink(tab)
}

export async function openLink(profile: Profile, link: string): Promise<Tab> {
  const tab = await profile.openTab()
  await tab.goto(link)
  return tab
}

/** Enters the password of a bundle. */
export async function unlock(tab: Tab, words: Words, password: string): Promise<void> {
  await tab.type(fieldNamed(words.bundle.locked.password), password)
  await tab.click(buttonNamed(words.bundle.locked.open))
}

/** Opens a file or folder in the list. */
export const openItem = (tab: Tab, name: string): Promise<void> => tab.click(fileLink(name))

/** Downloads a file of the open folder without a file dialog. @returns the path of the complete file */
export async function saveFile(
  profile: Profile,
  words: Words,
  {
    tab,
    name,
    sizeBytes,
    patienceMs,
  }: {
    readonly tab: Tab
    readonly name: string
    readonly sizeBytes: number
    readonly patienceMs?: number
  },
): Promise<string> {
  // Removes the file dialog, because nothing can answer it in a headless browser. The file then goes to the download
  // list.
  await tab.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
  const menu = buttonNamed(say(words.explorer.actionsOf, { name }))
  // A bundle with one file has a download button instead of a list.
  const button = `(//main${buttonNamed(words.files.view.download)})[1]`
  await textOf(tab, `${menu} | ${button}`)
  const hasList = await tab.evaluate(
    (path) => document.evaluate(`boolean(${path})`, document).booleanValue,
    menu,
  )
  await tab.click(hasList ? menu : button)
  if (hasList)
    await tab.click(`//*[@role="menuitem"][normalize-space()="${words.explorer.command.download}"]`)
  return downloadOf(profile, { name, sizeBytes }, patienceMs)
}
