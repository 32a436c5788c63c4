import type { DrawEarly } from '../lib/early-page.ts'
import { painted } from '../lib/painted.ts'

const DRAWINGS: Readonly<Record<string, () => Promise<{ readonly drawEarly: DrawEarly }>>> = {
  '/file': () => import('../features/files/early-file.ts'),
  '/mount-explorer': () => import('../features/fs/early-folder.ts'),
  '/admin': () => import('./pages/early-dashboard.ts'),
}

/** Longer than a server nearby takes to answer; an app is not held up by what is long in coming. */
const LONGEST_WAIT_MS = 500

async function draw(load: () => Promise<{ readonly drawEarly: DrawEarly }>): Promise<void> {
  const { drawEarly } = await load()
  const content = await drawEarly()
  if (content) document.querySelector('#early main')?.replaceChildren(content)
}

/**
 * Draws what a page shows first in the markup of the app, which takes its place unnoticed: it is read while the app is on its
 * way. Whatever goes wrong here is left to the app.
 *
 * @param pathname below the base path
 */
export async function drawEarlyPage(pathname: string): Promise<void> {
  const [start = ''] = /^\/[^/]+/.exec(pathname) ?? []
  const load = Object.hasOwn(DRAWINGS, start) ? DRAWINGS[start] : undefined
  if (!load) return
  const drawn = draw(load).catch(reportError)
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
  await painted()
}
