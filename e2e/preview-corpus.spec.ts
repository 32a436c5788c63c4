import { fileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import {
  CORPUS,
  docxPicture,
  inDocx,
  makeDocx,
  makeEpub,
  makeZip,
  STREAM,
  UNPLAYABLE,
} from './support/setup/corpus.ts'
import { PICTURE } from './support/media.ts'
import { expect, say, test } from './support/worlds.ts'

/** Tests previews of more than sixty formats, of damaged files and of malicious files. */

/** Selector of an element that exists once a provider shows its file. */
const SHOWN: Readonly<Record<string, string>> = {
  video: 'video',
  audio: 'audio',
  hls: 'video',
  image: 'img',
  heic: 'img',
  tiff: 'img',
  pdf: '.pdfViewer canvas',
  ebook: 'iframe[srcdoc]',
  word: 'iframe[srcdoc]',
  slides: 'iframe[srcdoc]',
  sheet: '[role="cell"]',
  table: '[role="cell"]',
  tree: '[role="treeitem"]',
  archive: '[role="treeitem"]',
  font: 'small',
  markdown: '.dl-prose h1',
  page: '[style*="counter-reset"]',
  text: '[style*="counter-reset"]',
  facts: 'dl',
}

interface Watch {
  /** Errors and dialogs of the page. */
  readonly faults: string[]
  readonly elsewhere: string[]
}

function watch(page: Page, origin: string): Watch {
  const seen: Watch = { faults: [], elsewhere: [] }
  page.on('pageerror', (error) => seen.faults.push(String(error)))
  page.on('dialog', (dialog) => {
    seen.faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => seen.elsewhere.push(popup.url()))
  const isElsewhere = (url: string) => !url.startsWith(origin) && !/^(?:blob|data|about):/.test(url)
  page.on('requestfinished', (request) => {
    if (isElsewhere(request.url())) seen.elsewhere.push(request.url())
  })
  page.on('requestfailed', (request) => {
    // Does not record a request that a policy blocks, because such a request never leaves the browser.
    const isForbidden = request.failure()?.errorText === 'csp'
    if (isElsewhere(request.url()) && !isForbidden) seen.elsewhere.push(request.url())
  })
  return seen
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('grid')).toBeVisible()
}

/** Previews a file of the open folder without reloading the page. */
async function show(page: Page, name: string): Promise<void> {
  await page.evaluate((file) => {
    const url = new URL(location.href)
    url.searchParams.set('preview', file)
    history.pushState(history.state, '', url)
  }, name)
  await expect(page.getByRole('dialog')).toHaveAccessibleName(name)
}

const section = (page: Page, provider: string) => page.locator(`section[data-provider="${provider}"]`)

/**
 * Checks that the content has really loaded. The element of a picture or recording alone proves nothing, because it
 * exists even if it is empty.
 */
async function expectLoaded(page: Page, provider: string): Promise<void> {
  const shown = section(page, provider)
    .locator(SHOWN[provider] ?? 'never')
    .first()
  await expect(shown).toBeAttached()
  if (!['image', 'heic', 'tiff', 'video', 'audio', 'hls'].includes(provider)) return
  await expect
    .poll(() =>
      shown.evaluate((element) =>
        element instanceof HTMLImageElement ? element.naturalWidth : (element as HTMLMediaElement).readyState,
      ),
    )
    .toBeGreaterThan(0)
}

test('files of more than sixty formats are shown, without contacting another host', async ({
  adminPage: page,
  server,
  place,
}) => {
  expect(Object.keys(CORPUS).length).toBeGreaterThanOrEqual(60)
  await place.put(Object.fromEntries(Object.entries(CORPUS).map(([name, { content }]) => [name, content])))
  await place.put(STREAM)
  const seen = watch(page, server.origin)
  await open(page, place.address)
  for (const [name, { provider }] of [
    ...Object.entries(CORPUS),
    ['stream.m3u8', { provider: 'hls' }] as const,
  ]) {
    await test.step(name, async () => {
      await show(page, name)
      await expectLoaded(page, provider)
      await expect(section(page, provider).getByRole('alert')).toHaveCount(0)
    })
  }
  expect(seen).toEqual({ faults: [], elsewhere: [] })
})

/** Names of files in formats in which a plain text is invalid. The test gives each file a text as its contents. */
const WRONG = [
  'p.jpg',
  'i.svg',
  'p.heic',
  'p.tif',
  'v.mp4',
  'a.mp3',
  'd.pdf',
  'b.epub',
  'd.docx',
  'd.odt',
].concat(['d.pptx', 's.xlsx', 's.xls', 'f.ttf', 'f.woff2', 'z.zip', 'z.tar', 'z.tgz'])
/**
 * Files whose truncation can be detected, because the format declares its length or cannot be read without its end.
 * `find-truncation.test.ts` tests further formats.
 */
const CUT = [
  'i.png',
  'p.webp',
  'p.avif',
  'p.gif',
  'p.heic',
  'p.tif',
  'v.mp4',
  'v.webm',
  'a.ogg',
  'd.pdf',
  'b.epub',
  'd.docx',
  'd.pptx',
  's.xlsx',
  's.xls',
  'f.ttf',
  'f.woff',
  'z.zip',
  'z.tar',
  'z.tgz',
  'z.txt.gz',
  'j.json',
  'j.jsonl',
]
/** Truncated files that can still be played. */
const CUT_SOUND = ['a.mp3', 'a.flac', 'a.aac']

const beginningOf = (name: string, share: number) => {
  const bytes = Buffer.from(CORPUS[name]?.content ?? '')
  return bytes.subarray(0, Math.floor(bytes.length * share))
}

test('truncated or misnamed files show a message, never an empty page', async ({
  adminPage: page,
  server,
  place,
  words,
}) => {
  const wrong = WRONG.map((name) => [
    `wrong-${name}`,
    `This is no ${name}, whatever it is called. `.repeat(9),
  ])
  const cut = CUT.map((name) => [`cut-${name}`, beginningOf(name, 0.4)] as const)
  const cutSound = CUT_SOUND.map((name) => [`cut-${name}`, beginningOf(name, 0.8)] as const)
  await place.put(Object.fromEntries(wrong))
  await place.put(Object.fromEntries([...cut, ...cutSound]))
  await place.put(UNPLAYABLE)
  const seen = watch(page, server.origin)
  await open(page, place.address)
  const alert = page.getByRole('dialog').getByRole('alert')
  for (const [name = ''] of [...wrong, ...Object.keys(UNPLAYABLE).map((name) => [name])]) {
    await test.step(name, async () => {
      await show(page, name)
      if (/^wrong-[av]/.test(name)) await expect(alert).toContainText(words.viewer.fault.damaged)
      await expect(alert.getByRole('link', { name: words.viewer.download })).toBeVisible()
      await expect(alert.getByRole('button', { name: words.common.retry })).toBeVisible()
    })
  }
  // The preview of a damaged JSON file shows the position of the error.
  const [beforePlace = ''] = words.viewer.tree.invalidAt.split('{{')
  const broken = page.getByText(beforePlace)
  const lacking = page.getByText(words.viewer.fault.media_damaged).or(page.getByText(words.viewer.incomplete))
  const incomplete = page.getByText(words.viewer.incomplete)
  for (const [name] of cut) {
    await test.step(name, async () => {
      await show(page, name)
      await expect(alert.or(incomplete).or(broken).first()).toBeVisible()
      if (/^cut-[av]/.test(name)) await expect(lacking.first()).toBeVisible()
      if (name.endsWith('.json'))
        await expect(page.getByRole('combobox', { name: words.viewer.showAs })).toHaveValue('text')
    })
  }
  for (const [name] of cutSound) {
    await test.step(name, async () => {
      await show(page, name)
      await expectLoaded(page, 'audio')
      await expect(incomplete).toBeVisible()
    })
  }
  expect(seen).toEqual({ faults: [], elsewhere: [] })
})

/** Leaves a trace in the page that runs this script. */
const SCRIPT = "(parent.__ran = (parent.__ran || 0) + 1, top.__ran = 1, alert('ran'))"
const OUT = 'http://elsewhere.invalid/x'

/** Builds a PDF that runs a script when it is opened, and when its link is clicked. */
function hostilePdf(): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\); top.__ran = 1)>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 200 100]/A<</S/URI/URI(javascript:top.__ran=1)>>>>]/AA<</O<</S/URI/URI(${OUT})>>>>>>`,
  ]
  let text = '%PDF-1.4\n'
  const starts = objects.map((object, index) => {
    const start = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  return `${text}xref\n0 4\n0000000000 65535 f \n${table}trailer<</Size 4/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
}

const MARKUP = `<script>${SCRIPT}</script><img src="${OUT}" onerror="${SCRIPT}"><iframe src="javascript:${SCRIPT}"></iframe><link rel="stylesheet" href="${OUT}"><style>@import '${OUT}'; body { background: url(${OUT}) }</style><meta http-equiv="refresh" content="0;url=${OUT}"><form action="${OUT}"><input autofocus onfocus="${SCRIPT}"></form>`
const external = (id: string, type: string) =>
  `<Relationship Id="${id}" TargetMode="External" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${type === 'hyperlink' ? `javascript:${SCRIPT}` : OUT}"/>`
const LINKED =
  '<w:p><w:hyperlink r:id="x1"><w:r><w:t>press me</w:t></w:r></w:hyperlink></w:p><w:p><w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="9525"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="x2" r:embed="x2"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9525" cy="9525"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p><w:altChunk r:id="x3"/>'

test('malicious files run nothing, and load nothing', async ({ adminPage: page, server, place, words }) => {
  const name = '<img src=x onerror=top.__ran=1>.txt'
  const files: Readonly<Record<string, readonly [string, string | Uint8Array]>> = {
    'a.html': ['page', MARKUP],
    'a.svg': [
      'image',
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${SCRIPT}"><script>${SCRIPT}</script><image href="${OUT}"/></svg>`,
    ],
    'a.md': ['markdown', `# x\n\n![p](${OUT})\n\n${MARKUP.replaceAll(OUT, '')}\n\n[x](javascript:${SCRIPT})`],
    'a.pdf': ['pdf', hostilePdf()],
    'a.docx': [
      'word',
      makeDocx(LINKED, [external('x1', 'hyperlink'), external('x2', 'image'), external('x3', 'aFChunk')]),
    ],
    'a.epub': [
      'ebook',
      makeEpub(
        `<h1>x</h1>${MARKUP.replaceAll(/<(img|link|meta|input)([^>]*)>/g, '<$1$2/>').replaceAll('autofocus', '')}`,
      ),
    ],
    'a.csv': ['table', `"${MARKUP.replaceAll('"', '""')}",=cmd()\n${MARKUP}`],
    'a.json': ['tree', JSON.stringify({ [MARKUP]: MARKUP, __proto__: 1 })],
    'a.zip': ['archive', makeZip({ [`../${MARKUP.replaceAll('/', '|')}`]: 'x', '../../etc/passwd': 'x' })],
    'a.vtt': ['text', `WEBVTT\n\n00:00.000 --> 00:01.000\n${MARKUP}`],
    [name]: ['text', 'a name'],
  }
  await place.put(Object.fromEntries(Object.entries(files).map(([file, [, content]]) => [file, content])))
  const seen = watch(page, server.origin)
  await open(page, place.address)
  for (const [file, [provider]] of Object.entries(files)) {
    await test.step(file, async () => {
      await show(page, file)
      await expect(
        section(page, provider)
          .locator(SHOWN[provider] ?? 'never')
          .first(),
      ).toBeAttached()
      if (provider === 'page') await page.getByRole('button', { name: words.preview.rendered }).click()
      for (const frame of await page.locator('section[data-provider] iframe').all())
        await expect(frame).toHaveAttribute('sandbox', '')
      const load = say(words.viewer.leftOut.load, { names: 'elsewhere.invalid' })
      if (['page', 'markdown', 'word'].includes(provider))
        await expect(page.getByRole('button', { name: load })).toBeVisible()
      for (const link of await page.locator('section[data-provider="pdf"] .annotationLayer a').all())
        expect(await link.getAttribute('href')).not.toMatch(/^javascript:/i)
    })
  }
  expect(await page.evaluate(() => (window as { __ran?: number }).__ran ?? 0)).toBe(0)
  expect(seen).toEqual({ faults: [], elsewhere: [] })
  expect(page.url()).toContain(place.address)
})

const MATH = 'http://schemas.openxmlformats.org/officeDocument/2006/math'
const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const POWER = `<m:oMath xmlns:m="${MATH}"><m:sSup><m:e>${run('e')}</m:e><m:sup>${run('-x2')}</m:sup></m:sSup></m:oMath>`

test('formulas keep their exponents, names their invisible characters, and objects their repeated names', async ({
  adminPage: page,
  place,
  words,
}) => {
  await place.put({
    'm.docx': makeDocx(
      `<w:p><w:r><w:t>before </w:t></w:r>${POWER}<w:r><w:t> after</w:t></w:r></w:p>` +
        `<w:p><m:oMathPara xmlns:m="${MATH}">${POWER}</m:oMathPara></w:p>`,
    ),
    'n.zip': makeZip({ 'holiday\u202Egpj.exe': 'x' }),
    'r.json': '{"once": 1, "twice": 2, "twice": 3}',
  })
  await open(page, place.address)
  await show(page, 'm.docx')
  const frame = page.locator('iframe[srcdoc]').contentFrame()
  await expect(frame.locator('p', { hasText: 'before' }).locator('math msup > :last-child')).toHaveText('−x2')
  await expect(frame.locator('math')).toHaveCount(2)
  await expect(frame.locator('math[display="block"] msup > mrow > mn')).toHaveText('2')
  await show(page, 'n.zip')
  await expect(section(page, 'archive').getByText('U+202E', { exact: true })).toBeVisible()
  await show(page, 'r.json')
  await expect(page.getByText(words.viewer.tree.repeated)).toBeVisible()
  await expect(section(page, 'tree').getByText('twice', { exact: true })).toHaveCount(2)
})

test('pictures of a Word document are shown, or replaced by the reason', async ({
  adminPage: page,
  server,
  place,
  words,
}) => {
  const { office } = words.viewer
  await place.put({
    'p.docx': makeDocx(
      ['r:embed="p1"', 'r:embed="p2"', 'r:link="p3"', 'r:link="p4"'].map(inDocx).join(''),
      [
        docxPicture('p1', 'media/a.png'),
        docxPicture('p2', 'media/b.emf'),
        docxPicture('p3', `${OUT}.png`, true),
        docxPicture('p4', 'file:///C:/Users/x/c.png', true),
      ],
      { 'a.png': PICTURE, 'b.emf': new Uint8Array([1, 0, 0, 0]) },
    ),
  })
  const seen = watch(page, server.origin)
  await open(page, place.address)
  await show(page, 'p.docx')
  const frame = page.locator('iframe[srcdoc]').contentFrame()
  const widths = () =>
    frame.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth))
  await expect.poll(widths).toEqual([48, 0])
  const elsewhere = say(office.pictureElsewhere, { host: 'elsewhere.invalid' })
  await expect(frame.getByRole('img', { name: elsewhere })).toBeVisible()
  await expect(frame.getByText(office.pictureUnknown)).toBeVisible()
  await expect(frame.getByText(office.pictureMissing)).toBeVisible()
  const load = page.getByRole('button', {
    name: say(words.viewer.leftOut.load, { names: 'elsewhere.invalid' }),
  })
  await expect(load).toBeVisible()
  expect(seen).toEqual({ faults: [], elsewhere: [] })
})

test('an Office file of a share with one view is shown with that view, on this device', async ({
  admin,
  adminToken,
  browser,
  server,
}) => {
  const upload = await fetch(`${server.origin}/api/upload-direct/once.docx?slug=seen-once&max_views=1`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}` },
    body: new Blob([makeDocx() as Uint8Array<ArrayBuffer>]),
  })
  expect(upload.status).toBe(200)
  const context = await browser.newContext()
  const visitor = await context.newPage()
  const seen = watch(visitor, server.origin)
  await visitor.goto(`${server.origin}/file/seen-once`)
  await expect(
    visitor.locator('iframe[srcdoc]').contentFrame().getByText('A document', { exact: true }),
  ).toBeVisible()
  const { data } = await admin.call(fileRoutes.adminList, {
    query: { limit: 50, offset: 0, created_by: null, s3_config_id: null },
  })
  expect(data.files.find(({ slug }) => slug === 'seen-once')).toMatchObject({ views: 1 })
  expect(seen).toEqual({ faults: [], elsewhere: [] })
  await context.close()
})
