import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from '@playwright/test'

/** Copies the built app, and returns a function that turns the copy into a new version. */
export async function copyApp() {
  const root = await mkdtemp(path.join(tmpdir(), 'dropleaf-web-'))
  await cp(path.resolve(import.meta.dirname, '../../apps/web/dist'), root, { recursive: true })
  const change = async (name: string, edit: (text: string) => string) => {
    const before = await readFile(path.join(root, name), 'utf8')
    const after = edit(before)
    expect(after).not.toBe(before)
    await writeFile(path.join(root, name), after)
    await Promise.all(['br', 'gz'].map((form) => rm(path.join(root, `${name}.${form}`), { force: true })))
  }
  const deploy = async (word: string) => {
    await change('index.html', (html) => html.replace('<title>', `<title>${word} `))
    await change('sw.js', (script) =>
      script
        .replace(/(url:.index\.html.,revision:.)/, `$1${word}`)
        .replace(/(case.version.:\w+\?\.postMessage\(.)/, `$1${word}`),
    )
  }
  return { root, deploy, remove: () => rm(root, { recursive: true }) }
}
