// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { readSlide } from './slides.ts'

const NAMES =
  'xmlns:p="urn:p" xmlns:a="urn:a" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const shape = (holder: string, { text = '', box = '', body = '', style = '', line = '' } = {}) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph ${holder}/></p:nvPr></p:nvSpPr><p:spPr>${box}</p:spPr>` +
  `<p:txBody><a:bodyPr ${body}/><a:lstStyle>${style}</a:lstStyle><a:p>${line}<a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const tree = (name: string, shapes: string, more = '') =>
  `<p:${name} ${NAMES}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>${more}</p:${name}>`
const related = (type: string, target: string) =>
  `<Relationships><Relationship Id="r1" Type="urn:x/${type}" Target="${target}"/></Relationships>`
const BOX = '<a:xfrm><a:off x="95250" y="95250"/><a:ext cx="952500" cy="952500"/></a:xfrm>'

type Files = Readonly<Record<string, string>>

const FILES: Files = {
  'ppt/slides/slide1.xml': tree(
    'sld',
    shape('type="ctrTitle"', { text: 'centred' }) +
      shape('type="subTitle" idx="1"', { text: 'right' }) +
      shape('type="body" idx="7"', { text: 'own', line: '<a:pPr algn="r"/>' }) +
      shape('type="body" idx="8"', { text: 'left' }),
  ),
  'ppt/slides/_rels/slide1.xml.rels': related('slideLayout', '../slideLayouts/slideLayout1.xml'),
  'ppt/slideLayouts/slideLayout1.xml': tree(
    'sldLayout',
    shape('type="ctrTitle"', { box: BOX, body: 'anchor="b"', style: '<a:lvl1pPr algn="ctr"/>' }) +
      shape('type="subTitle" idx="1"', { box: BOX, style: '<a:lvl1pPr algn="r"/>' }),
  ),
  'ppt/slideLayouts/_rels/slideLayout1.xml.rels': related('slideMaster', '../slideMasters/slideMaster1.xml'),
  'ppt/slideMasters/slideMaster1.xml': tree(
    'sldMaster',
    shape('type="title"', { box: BOX, body: 'anchor="ctr"' }),
    '<p:txStyles><p:titleStyle><a:lvl1pPr algn="l"/></p:titleStyle><p:bodyStyle><a:lvl1pPr algn="l"/></p:bodyStyle></p:txStyles>',
  ),
}

async function show(parts: Files): Promise<Document> {
  const files = {
    names: Object.keys(parts),
    read: () => Promise.reject(new Error('no picture')),
    readXml: (name: string) =>
      Promise.resolve(new DOMParser().parseFromString(parts[name] ?? '', 'text/xml')),
  }
  const slides = { names: ['ppt/slides/slide1.xml'], widthPx: 960, heightPx: 540, files }
  return new DOMParser().parseFromString(await readSlide(slides, 0), 'text/html')
}

test('lines have the alignment of the layout and the master, unless they have their own', async () => {
  const page = await show(FILES)
  const lines = [...page.querySelectorAll<HTMLElement>('h2, p')]
  expect(lines.map(({ textContent, style }) => [textContent, style.textAlign])).toEqual([
    ['centred', 'center'],
    ['right', 'right'],
    ['own', 'right'],
    ['left', ''],
  ])
  const title = page.querySelector<HTMLElement>('h2')?.parentElement
  expect([title?.style.justifyContent, title?.style.left]).toEqual(['flex-end', '10px'])
})

const scheme = (name: string, more = '') =>
  `<a:solidFill><a:schemeClr val="${name}">${more}</a:schemeClr></a:solidFill>`
const THEME =
  `<a:theme ${NAMES}><a:themeElements><a:clrScheme name="Office"><a:dk1><a:sysClr val="windowText" lastClr="111111"/></a:dk1>` +
  '<a:lt1><a:srgbClr val="FAFAFA"/></a:lt1><a:dk2><a:srgbClr val="202040"/></a:dk2><a:accent1><a:srgbClr val="4472C4"/></a:accent1>' +
  '</a:clrScheme></a:themeElements></a:theme>'

test('named colours come from the theme, for shapes, texts and the background', async () => {
  const drawn = (properties: string, style: string) =>
    `<p:sp><p:spPr>${BOX}${properties}</p:spPr><p:style>${style}</p:style>` +
    '<p:txBody><a:bodyPr/><a:p><a:r><a:t>drawn</a:t></a:r></a:p></p:txBody></p:sp>'
  const style =
    '<a:fillRef idx="1"><a:schemeClr val="accent1"/></a:fillRef><a:fontRef idx="minor"><a:schemeClr val="bg1"/></a:fontRef>'
  const master = FILES['ppt/slideMasters/slideMaster1.xml'] ?? ''
  const page = await show({
    ...FILES,
    'ppt/slides/slide1.xml': tree(
      'sld',
      shape('type="title"', { text: 'a title' }) +
        drawn('', style) +
        drawn('<a:noFill/>', style) +
        drawn(scheme('accent1', '<a:lumMod val="50000"/>'), style),
    ),
    'ppt/slideMasters/slideMaster1.xml': master
      .replace('<p:spTree>', `<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg><p:spTree>`)
      .replace(
        '<p:titleStyle><a:lvl1pPr algn="l"/>',
        `<p:titleStyle><a:lvl1pPr><a:defRPr>${scheme('tx2')}</a:defRPr></a:lvl1pPr>`,
      )
      .replace('<p:txStyles>', '<p:clrMap bg1="dk1" tx1="lt1" tx2="accent1"/><p:txStyles>'),
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': related('theme', '../theme/theme1.xml'),
    'ppt/theme/theme1.xml': THEME,
  })
  expect(page.querySelector('style')?.textContent).toMatch(/background: #111111; color: #fafafa/)
  expect(page.querySelector<HTMLElement>('h2')?.style.color).toBe('rgb(68, 114, 196)')
  const boxes = [...page.querySelectorAll<HTMLElement>('div')].slice(1)
  expect(boxes.map(({ style: { background, color } }) => [background, color])).toEqual([
    ['rgb(68, 114, 196)', 'rgb(17, 17, 17)'],
    ['', 'rgb(17, 17, 17)'],
    ['rgb(32, 56, 100)', 'rgb(17, 17, 17)'],
  ])
})
