import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, type Profile, type Tab, textOf, waitFor } from './tab.ts'

/** Controls WebKitGTK with WebDriver, because its driver does not support BiDi. */

/** Name of the field that contains the ID of an element, as the WebDriver standard defines it. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const SCRIPT_MS = 600_000

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

type Call = (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

const callerOf =
  (base: string): Call =>
  async (method, path, body) => {
    const answer = await fetch(`${base}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }

function tabOf(call: Call): Tab {
  const evaluate: Tab['evaluate'] = (run, ...args) =>
    call('POST', '/execute/sync', { script: `return (${String(run)})(...arguments)`, args }) as never
  const find = async (xpath: string) => {
    await textOf({ evaluate } as Tab, xpath)
    const found = await call('POST', '/element', { using: 'xpath', value: xpath })
    return `/element/${(found as Record<string, string>)[ELEMENT]}`
  }
  return {
    async goto(url) {
      await call('POST', '/url', { url })
    },
    evaluate,
    async click(xpath) {
      const element = await find(xpath)
      // Scrolls the element to the middle. The driver would scroll it to the edge, where a bar of the page can cover
      // it.
      await evaluate((path) => {
        const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE)
        const { singleNodeValue: node } = found
        if (node instanceof Element) node.scrollIntoView({ block: 'center' })
      }, xpath)
      await call('POST', `${element}/click`, {})
    },
    async type(xpath, text) {
      await call('POST', `${await find(xpath)}/value`, { text })
    },
    async choose(xpath, paths) {
      await call('POST', `${await find(xpath)}/value`, { text: paths.join('\n') })
    },
  }
}

/** Starts a driver with a separate home folder. The driver starts one browser. */
async function startDriver(driver: string, home: string) {
  const port = await findFreePort()
  const child = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      LANG: 'C.UTF-8',
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(home, 'cache'),
    },
  })
  const base = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${base}/status`).then(
      () => true,
      () => null,
    )
  await waitFor('answer of the driver of WebKit', isReady)
  return { base, child }
}

async function openProfile(driver: string): Promise<Profile> {
  const home = await mkdtemp(join(tmpdir(), 'dropleaf-webkit-'))
  const downloads = join(home, 'downloads')
  await mkdir(downloads)
  await mkdir(join(home, 'config'))
  await writeFile(join(home, 'config', 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
  const { base, child } = await startDriver(driver, home)
  const made = await callerOf(base)('POST', '/session', { capabilities: { alwaysMatch: {} } })
  const call = callerOf(`${base}/session/${(made as { sessionId: string }).sessionId}`)
  await call('POST', '/timeouts', { script: SCRIPT_MS })
  return {
    downloads,
    // Returns the only tab of the session, because the driver shows one tab at a time.
    openTab: async () => tabOf(call),
    async close() {
      await call('DELETE', '')
      child.kill()
      await once(child, 'exit')
      // Repeats the removal, because the processes of the browser may still be ending.
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

/** Returns the engine WebKitGTK. It needs a screen, so run the test with `xvfb-run`. */
export const webKit = (driver: string): Engine => ({
  name: 'WebKitGTK',
  openProfile: () => openProfile(driver),
  close: async () => undefined,
})
