// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { type RelativeFiles, isRelative, resolvePath } from './relative-links.ts'
import { renderMarkdown } from './render.ts'

test('a relative URL is resolved against its folder, and never above the root', () => {
  const from = (address: string) => resolvePath('/docs/guide/', address)
  expect(from('img/red.png')).toBe('/docs/guide/img/red.png')
  expect(from('./img/%E7%BA%A2%20%E5%9B%BE.png')).toBe('/docs/guide/img/红 图.png')
  expect(from('../other.md?x=1#part')).toBe('/docs/other.md')
  expect(from('sub/')).toBe('/docs/guide/sub/')
  expect(from('..')).toBe('/docs/')
  expect(from('../..')).toBe('/')
  for (const address of ['../../../x', '../../../../docs/x', 'a%2F..%2F..%2Fx', 'a%5Cx', '%E7'])
    expect(from(address)).toBeNull()
})

test('addresses of hosts, schemes, roots and places are not relative', () => {
  for (const address of [
    'https://a.example/x',
    '//a.example',
    '/paste/a',
    '#part',
    '?x',
    'mailto:a@b',
    'data:x',
    '',
  ])
    expect(isRelative(address)).toBe(false)
  for (const address of ['a.png', './a', '../a', '红.png', 'a b:c']) expect(isRelative(address)).toBe(true)
})

const beside: RelativeFiles = {
  pageOf: (address) => {
    const path = resolvePath('/docs/', address)
    return path === null ? null : `/mount-explorer${path}`
  },
  open: () => undefined,
  findBytes: () => Promise.resolve(''),
}

test('pictures and links of a text in a folder refer to the files beside it', () => {
  const text =
    '![a](img/red.png) ![b](<img/红 图.png>) ![c](/own.png) <img src="img/red.png" width="60" onerror="x()"> ![v](clip.mp4)\n\n' +
    '[other](sub/other.md) [place](#part) [out](../../etc) [web](https://a.example)\n\n# Part'
  const body = new DOMParser().parseFromString(renderMarkdown(text, { beside }).html, 'text/html').body
  const media = [...body.querySelectorAll('img, video')]
  // The elements have no `src`, so the browser requests nothing.
  expect(media.map((one) => [one.getAttribute('data-beside'), one.getAttribute('src')])).toEqual([
    ['img/red.png', null],
    ['img/%E7%BA%A2%20%E5%9B%BE.png', null],
    [null, '/own.png'],
    ['img/red.png', null],
    ['clip.mp4', null],
  ])
  expect([media[3]?.getAttribute('width'), media[3]?.hasAttribute('onerror')]).toEqual(['60', false])
  expect([...body.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/mount-explorer/docs/sub/other.md',
    '#user-content-part',
    null,
    'https://a.example',
  ])
})

test('an HTML picture is kept with its size, and without other attributes', () => {
  const draw = (text: string) => new DOMParser().parseFromString(renderMarkdown(text).html, 'text/html').body
  const image = draw(`<img alt='a "b" &amp; c' src=/x.png width=50% height="20px" class="y" style="z">`)
  expect(image.querySelector('img')?.outerHTML).toBe(
    '<img src="/x.png" alt="a &quot;b&quot; &amp; c" width="50%" height="20" loading="lazy" decoding="async" referrerpolicy="no-referrer">',
  )
  for (const text of ['<img>', '<img src="javascript:alert(1)">', '<img src="x"', '`<img src="/x">`'])
    expect(draw(text).querySelector('img')).toBeNull()
  expect(draw('<img src="/x.png" width="1e9">').querySelector('img')?.hasAttribute('width')).toBe(false)
})
