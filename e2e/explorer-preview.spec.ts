import { fsFileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expect, inOppositeWorlds, say, test } from './support/explorer.ts'
import { makePdf, makeSound, PICTURE, VIDEO } from './support/media.ts'

/** Tests the preview of a file, navigation to its neighbors, and editing. */

/** Swipes with one finger across the middle of the screen. */
async function swipe(page: Page, { to }: { to: 'left' | 'right' }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const [from, end] = to === 'left' ? [280, 80] : [80, 280]
  // Holds the finger still before lifting it. After a fling, the browser would use the next tap to stop scrolling.
  const startedAt = Date.now() / 1000
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number | null, seconds: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === null ? [] : [{ x, y: 500 }],
      timestamp: startedAt + seconds,
    })
  await send('touchStart', from, 0)
  await send('touchMove', (from + end) / 2, 0.05)
  await send('touchMove', end, 0.1)
  await send('touchEnd', null, 0.5)
  await session.detach()
}

inOppositeWorlds(({ device }) => {
  test('text, Markdown, pictures, sound, video and PDF are shown; other types show the name', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({
      '1.txt': 'plain words',
      '2.md': '# A heading\n\n- [x] done',
      '3.png': PICTURE,
      '4.wav': makeSound(),
      '5.webm': VIDEO,
      '6.pdf': makePdf(),
      '7.bin': new Uint8Array([0, 1, 2]),
      '8.png': 'no picture',
      '9.txt': '',
      '5.zh.srt': '1\n00:00:00,000 --> 00:00:09,000\n<font color="red">字幕</font>\n',
      'z.wav': makeSound(),
    })
    await page.goto(`${place.address}?preview=1.txt`)
    const cover = page.getByRole('dialog')
    const next = async (name: string) => {
      if (device === 'desktop') await page.keyboard.press('ArrowRight')
      else await swipe(page, { to: 'left' })
      await expect(page).toHaveURL(new RegExp(`preview=${name}$`))
      await expect(cover).toHaveAccessibleName(name)
    }
    await expect(cover.getByText('plain words')).toBeVisible()
    await next('2.md')
    await expect(cover.getByRole('heading', { name: 'A heading' })).toBeVisible()
    await press(cover.getByRole('button', { name: words.preview.source }))
    await expect(cover.getByText('# A heading')).toBeVisible()
    await next('3.png')
    await expect
      .poll(() =>
        cover.getByRole('img', { name: '3.png' }).evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBe(48)
    await next('4.wav')
    await expect
      .poll(() => cover.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration))
      .toBeCloseTo(0.1)
    // Playback continues with the next file that can be played.
    await next('z.wav')
    await expect(cover.getByRole('button', { name: words.explorer.preview.after })).toBeDisabled()
    await expect(cover.getByRole('switch', { name: words.explorer.preview.playsOn })).toBeVisible()
    await page.goto(`${place.address}?preview=5.webm`)
    await expect
      .poll(() => cover.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth))
      .toBe(32)
    // Subtitle files next to the video are shown with it.
    const said = (video: HTMLVideoElement) =>
      [...video.textTracks].flatMap((track) => [...(track.cues ?? [])].map((cue) => (cue as VTTCue).text))
    await expect.poll(() => cover.locator('video').evaluate(said)).toEqual(['字幕'])
    await page.goto(`${place.address}?preview=6.pdf`)
    await expect(cover.locator('.textLayer').getByText('Hello')).toBeVisible()
    await press(cover.getByRole('button', { name: words.explorer.preview.after }))
    await expect(cover.getByText(words.preview.none)).toBeVisible()
    await press(cover.getByRole('button', { name: words.explorer.preview.after }))
    await expect(cover.getByText(words.viewer.fault.image)).toBeVisible()
    await press(cover.getByRole('button', { name: words.explorer.preview.after }))
    await expect(cover.getByText(words.preview.empty)).toBeVisible()
    if (device === 'desktop') await page.keyboard.press('ArrowLeft')
    else await swipe(page, { to: 'right' })
    await expect(page).toHaveURL(/preview=8\.png$/)
    await press(cover.getByRole('button', { name: words.explorer.preview.close }))
    await expect(cover).toHaveCount(0)
    await expect(explorer.names).toHaveCount(11)
  })

  test('texts without an extension are shown and edited, and a page is shown without its scripts', async ({
    adminPage: page,
    place,
    words,
    press,
  }) => {
    const html = `<h1 style="color: red">A page</h1><script>document.body.append('ran')</script>
      <img src="${place.address}/none.png"><a href="/">out</a>`
    await place.put({
      README: 'read me',
      notes: 'words of nobody knows what',
      firmware: new Uint8Array([127, 69, 76, 70, 0, 1]),
      'page.html': html,
      'photo.txt': PICTURE,
      'raw.log': new Uint8Array([1, 2, 0, 3, 200, 255]),
      'letter.txt': new Uint8Array([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]),
    })
    const cover = page.getByRole('dialog')
    const edit = cover.getByRole('button', { name: words.explorer.edit.open, exact: true })
    for (const [name, text] of [
      ['README', 'read me'],
      ['notes', 'words of nobody'],
    ] as const) {
      await page.goto(`${place.address}?preview=${name}`)
      await expect(cover.getByText(text)).toBeVisible()
      await expect(edit).toBeVisible()
    }
    await page.goto(`${place.address}?preview=firmware`)
    await expect(cover.getByText(words.preview.none)).toBeVisible()
    await expect(edit).toHaveCount(0)

    // A file that has the extension of a text file but other content cannot be edited. The preview shows its actual
    // content.
    for (const [name, provider] of [
      ['photo.txt', 'image'],
      ['raw.log', 'facts'],
    ] as const) {
      await page.goto(`${place.address}?preview=${name}`)
      await expect(cover.locator(`section[data-provider="${provider}"]`)).toBeVisible()
      await expect(edit).toHaveCount(0)
      await press(cover.getByRole('button', { name: words.viewer.disguised.asText }))
      await expect(cover.locator('section[data-provider="text"] [style*="counter-reset"]')).toBeVisible()
      await expect(edit).toHaveCount(0)
    }
    // For a file in another encoding, the editor explains the effect of saving, and offers other encodings.
    await page.goto(`${place.address}?preview=letter.txt`)
    await expect(cover.getByText('你好世界')).toBeVisible()
    await press(edit)
    const foreign = say(words.explorer.edit.foreign, { encoding: 'GB18030' })
    await expect(cover.getByText(foreign)).toBeVisible()
    await expect(cover.locator('.cm-content')).toHaveText('你好世界')
    await cover.getByLabel(words.explorer.edit.encoding).selectOption('big5')
    await expect(cover.locator('.cm-content')).not.toHaveText('你好世界')
    await cover.getByLabel(words.explorer.edit.encoding).selectOption('gb18030')
    await expect(cover.locator('.cm-content')).toHaveText('你好世界')
    await press(cover.getByRole('button', { name: words.common.close, exact: true }))

    await page.goto(`${place.address}?preview=page.html`)
    await expect(cover.getByText('<h1 style="color: red">')).toBeVisible()
    await press(cover.getByRole('button', { name: words.preview.rendered }))
    const frame = cover.locator('iframe')
    await expect(frame).toHaveAttribute('sandbox', '')
    await expect(frame.contentFrame().getByRole('heading', { name: 'A page' })).toHaveCSS(
      'color',
      'rgb(255, 0, 0)',
    )
    await expect(frame.contentFrame().getByText('ran', { exact: true })).toHaveCount(0)
    await press(cover.getByRole('button', { name: words.preview.source }))
    await expect(cover.getByText('<h1 style="color: red">')).toBeVisible()
  })

  test('a text is edited and saved; with a concurrent change, either or both stay', async ({
    adminPage: page,
    admin,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'b.txt': 'second' })
    await explorer.open(place)
    await explorer.edit('b.txt')
    await expect(explorer.editor).toHaveText('second')
    const write = async (text: string) => {
      await press(explorer.editor)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
      await expect(page.getByText(words.explorer.edit.unsaved, { exact: true })).toBeVisible()
    }
    const save = async () => press(explorer.button(words.common.save))
    const changeMeanwhile = async (content: string) => {
      await admin.call(fsFileRoutes.update, { body: { path: `${place.path}/b.txt`, content } })
    }
    await write('mine')
    await save()
    await expect(page.getByText(words.explorer.edit.saved, { exact: true })).toBeVisible()
    expect(await place.readText('b.txt')).toBe('mine')

    await changeMeanwhile('theirs')
    await write('mine again')
    await save()
    const conflict = page.getByRole('dialog', { name: words.explorer.edit.changedTitle })
    await press(conflict.getByRole('button', { name: words.explorer.edit.keepBoth }))
    await expect(page.getByText(say(words.explorer.edit.savedBeside, { name: 'b(1).txt' }))).toBeVisible()
    await expect(explorer.editor).toHaveText('theirs')
    expect(await place.readText('b(1).txt')).toBe('mine again')
    expect(await place.readText('b.txt')).toBe('theirs')

    await changeMeanwhile('theirs, too')
    await write('mine wins')
    await save()
    await press(conflict.getByRole('button', { name: words.explorer.edit.takeMine }))
    await expect(page.getByText(words.explorer.edit.saved, { exact: true })).toBeVisible()
    expect(await place.readText('b.txt')).toBe('mine wins')

    await changeMeanwhile('theirs win')
    await write('mine goes')
    await save()
    await press(conflict.getByRole('button', { name: words.explorer.edit.takeTheirs }))
    await expect(explorer.editor).toHaveText('theirs win')
    expect(await place.readText('b.txt')).toBe('theirs win')
  })

  test('an editor stays open, and asks before unsaved text is lost', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'first', 'b.txt': 'second' })
    await explorer.open(place)
    await explorer.edit('a.txt')
    await press(explorer.editor)
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText(' and more')
    const unsaved = page.getByText(words.explorer.edit.unsaved, { exact: true })
    await expect(unsaved).toBeVisible()

    // Simulates a window that loses and regains the focus, and a network that disconnects and reconnects.
    await page.evaluate(() => {
      window.dispatchEvent(new Event('blur'))
      document.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event('focus'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await place.put({ 'new.txt': 'arrives meanwhile' })
    await expect(explorer.editor).toHaveText('first and more')
    await expect(unsaved).toBeVisible()
    const leaving = page.getByRole('dialog', { name: words.explorer.edit.leaveTitle })
    await expect(leaving).toHaveCount(0)
    const { href } = new URL(page.url())
    await page.goBack()
    await expect(leaving).toBeVisible()
    // The URL is still that of the file. Going back again has the same effect as "Stay".
    await expect(page).toHaveURL(href)
    await page.goBack()
    await expect(leaving).toHaveCount(0)
    await expect(page).toHaveURL(href)
    await page.goBack()
    await press(leaving.getByRole('button', { name: words.explorer.edit.stay }))
    await expect(page).toHaveURL(href)
    await expect(explorer.editor).toHaveText('first and more')
    await press(explorer.button(words.explorer.preview.close))
    await press(leaving.getByRole('button', { name: words.explorer.edit.stay }))
    await press(page.getByRole('button', { name: words.common.cancel, exact: true }))
    await press(leaving.getByRole('button', { name: words.explorer.edit.discard }))
    await expect(page.getByText('first', { exact: true })).toBeVisible()
    expect(await place.readText('a.txt')).toBe('first')
  })
})
