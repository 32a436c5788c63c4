import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inOppositeWorlds, say, test } from './support/explorer.ts'
import { PICTURE } from './support/media.ts'

/** Tests links, shares, downloads and properties of files and folders. */

const run = promisify(execFile)

/** Returns the names in an archive, and a function that reads one of its files. */
async function readArchive(path: string) {
  const { stdout } = await run('unzip', ['-Z1', path])
  const names = stdout.trim().split('\n').toSorted()
  const textOf = async (name: string) => (await run('unzip', ['-p', path, name])).stdout
  return { names, textOf }
}

inOppositeWorlds(() => {
  test('a direct link works without a login, and shows or saves the file as chosen', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'plan.txt': 'the plan' })
    await explorer.open(place)
    await explorer.choose('plan.txt', words.explorer.command.link)
    await expect(explorer.dialog).toContainText(say(words.explorer.link.text, { name: 'plan.txt' }))
    const url = explorer.dialog.getByRole('textbox', { name: words.explorer.link.made })
    const disposition = async () => {
      const answer = await fetch(await url.inputValue())
      expect(await answer.text()).toBe('the plan')
      return answer.headers.get('content-disposition') ?? 'inline'
    }
    const untils = new Set<string>()
    for (const lifetime of ['3600', '86400', '604800']) {
      await explorer.dialog.getByLabel(words.explorer.link.lifetime).selectOption(lifetime)
      await expect(url).toHaveCount(0)
      await explorer.answer(words.explorer.link.submit)
      await expect(url).toBeVisible()
      expect(await disposition()).toContain('inline')
      untils.add(await explorer.dialog.innerText())
    }
    expect(untils.size).toBe(3)
    await press(explorer.dialog.getByLabel(words.explorer.link.download))
    await explorer.answer(words.explorer.link.submit)
    await expect(url).toBeVisible()
    expect(await disposition()).toContain('attachment')
    await explorer.answer(words.common.close)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('a file is shared without a copy, a visitor opens it, and a deletion warns about the link', async ({
    adminPage: page,
    browser,
    explorer,
    place,
    words,
    world,
  }) => {
    await place.put({ 'plan.txt': 'the plan' })
    await explorer.open(place)
    await explorer.choose('plan.txt', words.explorer.command.share)
    await explorer.dialog.getByLabel(words.common.slug.label).fill(`shared-${place.name}`)
    await explorer.answer(words.files.shareHere.submit)
    const link = explorer.dialog.getByRole('link')
    await expect(link).toHaveAttribute('href', new RegExp(`/file/shared-${place.name}$`))
    await expect(explorer.title).toHaveText(say(words.files.shareHere.doneTitle, { name: 'plan.txt' }))
    const href = (await link.getAttribute('href')) ?? ''
    await explorer.answer(words.common.close)
    await expect(explorer.dialog).toHaveCount(0)
    const visitor = await browser.newContext({ locale: world.language })
    const other = await visitor.newPage()
    await other.goto(new URL(href, page.url()).href)
    await expect(other.getByText('the plan')).toBeVisible()
    await visitor.close()
    await explorer.choose('plan.txt', words.explorer.command.delete)
    await expect(explorer.dialog).toContainText(say(words.explorer.remove.links_one, { count: 1 }))
  })

  test('one file is downloaded unchanged; a folder and a selection as archives with the same content', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({
      '说明.txt': 'alpha',
      'b.txt': 'beta',
      'not-wanted.txt': 'no',
      'deep/': '',
      'deep/er/': '',
      'deep/er/c.txt': 'gamma',
      'empty/': '',
    })
    await explorer.open(place)
    const downloadBy = async (act: () => Promise<void>) => {
      const [download] = await Promise.all([page.waitForEvent('download'), act()])
      return download
    }
    const one = await downloadBy(() => explorer.choose('b.txt', words.explorer.command.download))
    expect(one.suggestedFilename()).toBe('b.txt')
    expect((await run('cat', [await one.path()])).stdout).toBe('beta')
    const folder = await downloadBy(() => explorer.choose('deep', words.explorer.command.download))
    expect(folder.suggestedFilename()).toBe('deep.zip')
    expect((await readArchive(await folder.path())).names).toContain('deep/er/c.txt')
    await explorer.mark('说明.txt', 'b.txt', 'deep', 'empty')
    const all = await downloadBy(() => press(explorer.tool(words.explorer.command.download)))
    expect(all.suggestedFilename()).toBe(`${place.name}.zip`)
    const { names, textOf } = await readArchive(await all.path())
    expect(names.filter((name) => !name.endsWith('/'))).toEqual(['b.txt', 'deep/er/c.txt', '说明.txt'])
    expect(names).toContain('empty/')
    expect(await textOf('b.txt')).toBe('beta')
    expect(await textOf('deep/er/c.txt')).toBe('gamma')
  })

  test('properties show the size and type of a file, and count the content of a folder', async ({
    adminPage: page,
    explorer,
    place,
    words,
  }) => {
    await place.put({
      'a.png': PICTURE,
      'box/': '',
      'box/1.txt': '12345',
      'box/in/': '',
      'box/in/2.txt': '12345',
    })
    await explorer.open(place)
    await explorer.choose('a.png', words.explorer.command.properties)
    await expect(explorer.dialog).toContainText(say(words.explorer.bytes_other, { count: PICTURE.length }))
    await expect(explorer.dialog).toContainText(
      say(words.common.nameAndKind, { name: words.preview.kinds.image, kind: 'image/png' }),
    )
    await expect(explorer.dialog).toContainText(`${place.path}/a.png`)
    await page.keyboard.press('Escape')
    await explorer.choose('box', words.explorer.command.properties)
    await expect(explorer.dialog).toContainText(
      say(words.explorer.properties.counts, { files: 2, folders: 1 }),
    )
    await expect(explorer.dialog).toContainText(say(words.explorer.bytes_other, { count: 10 }))
    await explorer.answer(words.common.close)
    await expect(explorer.dialog).toHaveCount(0)
  })
})
