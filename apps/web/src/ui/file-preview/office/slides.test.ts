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

const FILES: Readonly<Record<string, string>> = {
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

test('lines are aligned as the layout and the master say, unless they say it themselves', async () => {
  const files = {
    names: Object.keys(FILES),
    read: () => Promise.reject(new Error('no picture')),
    readXml: (name: string) =>
      Promise.resolve(new DOMParser().parseFromString(FILES[name] ?? '', 'text/xml')),
  }
  const slides = { names: ['ppt/slides/slide1.xml'], widthPx: 960, heightPx: 540, files }
  const page = new DOMParser().parseFromString(await readSlide(slides, 0), 'text/html')
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
