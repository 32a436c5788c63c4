import { readdirSync, readFileSync } from 'node:fs'
import path, { extname } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { makePdf, makeSound, PICTURE, VIDEO } from '../media.ts'

const FOLDER = path.join(import.meta.dirname, '../../corpus')

const u16 = (value: number) => [value & 255, (value >> 8) & 255]
const u32 = (value: number) => [...u16(value), ...u16(value >>> 16)]

/** Creates an archive of uncompressed files. */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: number[] = []
  let position = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const title = Buffer.from(name)
    const facts = [
      ...u16(20),
      ...u16(2048),
      ...u16(0),
      ...u32(0x5c_21_60_00),
      ...u32(crc32(bytes)),
      ...u32(bytes.length),
      ...u32(bytes.length),
      ...u16(title.length),
      ...u16(0),
    ]
    directory.push(...u32(0x02_01_4b_50), ...u16(20), ...facts, ...u16(0), ...u16(0), ...u16(0), ...u32(0))
    directory.push(...u32(position), ...title)
    const part = Buffer.concat([Buffer.from([...u32(0x04_03_4b_50), ...facts]), title, bytes])
    parts.push(part)
    position += part.length
  }
  const count = Object.keys(files).length
  const end = [
    ...u32(0x06_05_4b_50),
    ...u32(0),
    ...u16(count),
    ...u16(count),
    ...u32(directory.length),
    ...u32(position),
    ...u16(0),
  ]
  return Buffer.concat([...parts, Buffer.from(directory), Buffer.from(end)])
}

function makeTar(name: string, content: string): Buffer {
  const block = Buffer.alloc(512)
  block.write(name)
  block.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000001\0', 136)
  block.write('        0ustar\u000000', 148)
  block.write('ustar\u000000', 257)
  block.fill(0, 157, 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const bytes = Buffer.alloc(512)
  bytes.write(content)
  return Buffer.concat([block, bytes, Buffer.alloc(1024)])
}

const TYPES = 'http://schemas.openxmlformats.org'
const relation = (id: string, type: string, target: string, rest = '') =>
  `<Relationship Id="${id}" Type="${TYPES}/officeDocument/2006/relationships/${type}" Target="${target}" ${rest}/>`
const relations = (...list: readonly string[]) =>
  `<Relationships xmlns="${TYPES}/package/2006/relationships">${list.join('')}</Relationships>`

/**
 * @param more additional parts of the body
 * @param links relationships of the document
 * @param pictures pictures of the document by name
 */
export function makeDocx(
  more = '',
  links: readonly string[] = [],
  pictures: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array {
  const text = (words: string, style = '') =>
    `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${words}</w:t></w:r></w:p>`
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${TYPES}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>${Object.keys(
      pictures,
    )
      .map(
        (name) => `<Override PartName="/word/media/${name}" ContentType="image/${extname(name).slice(1)}"/>`,
      )
      .join('')}</Types>`,
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'word/document.xml')),
    'word/_rels/document.xml.rels': relations(...links),
    'word/document.xml': `<w:document xmlns:w="${TYPES}/wordprocessingml/2006/main" xmlns:r="${TYPES}/officeDocument/2006/relationships" xmlns:wp="${TYPES}/drawingml/2006/wordprocessingDrawing" xmlns:a="${TYPES}/drawingml/2006/main" xmlns:pic="${TYPES}/drawingml/2006/picture"><w:body>${text('A document', 'Heading1')}${text('字 and words')}${more}</w:body></w:document>`,
    ...Object.fromEntries(
      Object.entries(pictures).map(([name, bytes]) => [`word/media/${name}`, bytes] as const),
    ),
  })
}

/** Returns a picture of a document, identified by its reference attribute. */
export const inDocx = (reference: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="952500"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip ${reference}/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="952500" cy="952500"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

/** Returns a relationship that maps an ID to a picture. */
export const docxPicture = (id: string, target: string, isExternal = false): string =>
  relation(id, 'image', target, isExternal ? 'TargetMode="External"' : '')

function makePptx(): Uint8Array {
  const shape = (words: string, y: number) =>
    `<p:sp><p:nvSpPr/><p:spPr><a:xfrm><a:off x="600000" y="${y}"/><a:ext cx="8000000" cy="900000"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:rPr sz="2800" b="1"/><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp>`
  const slide = (words: string) =>
    `<p:sld xmlns:p="${TYPES}/presentationml/2006/main" xmlns:a="${TYPES}/drawingml/2006/main" xmlns:r="${TYPES}/officeDocument/2006/relationships"><p:cSld><p:spTree>${shape(words, 500_000)}${shape('第二行', 2_000_000)}</p:spTree></p:cSld></p:sld>`
  return makeZip({
    'ppt/presentation.xml': `<p:presentation xmlns:p="${TYPES}/presentationml/2006/main" xmlns:r="${TYPES}/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r2"/></p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      relation('r1', 'slide', 'slides/slide1.xml'),
      relation('r2', 'slide', 'slides/slide2.xml'),
    ),
    'ppt/slides/slide1.xml': slide('First slide'),
    'ppt/slides/slide2.xml': slide('Second slide'),
  })
}

const OPEN = 'urn:oasis:names:tc:opendocument:xmlns'
const makeOdt = (): Uint8Array =>
  makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<o:document-content xmlns:o="${OPEN}:office:1.0" xmlns:t="${OPEN}:text:1.0"><o:body><o:text><t:h t:outline-level="1">Open text</t:h><t:p>Words<t:s t:c="2"/>字</t:p></o:text></o:body></o:document-content>`,
  })

/** @param body contents of the only chapter */
export const makeEpub = (body = '<h1>Chapter one</h1><p>It was a dark night. 夜。</p>'): Uint8Array =>
  makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A book</dc:title><dc:creator>Nobody</dc:creator></metadata><manifest><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="c" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'OEBPS/nav.xhtml':
      '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li><a href="one.xhtml#x">One</a></li></ol></nav></body></html>',
    'OEBPS/one.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`,
  })

/** A picture of two red pixels. */
const BMP = Buffer.from([
  ...Buffer.from('BM'),
  ...u32(62),
  ...u32(0),
  ...u32(54),
  ...u32(40),
  ...u32(2),
  ...u32(1),
  ...u16(1),
  ...u16(24),
  ...Array.from({ length: 24 }, () => 0),
  0,
  0,
  255,
  0,
  0,
  255,
  0,
  0,
])
const ICO = Buffer.concat([
  Buffer.from([
    ...u16(0),
    ...u16(1),
    ...u16(1),
    48,
    48,
    0,
    0,
    ...u16(1),
    ...u16(32),
    ...u32(PICTURE.length),
    ...u32(22),
  ]),
  PICTURE,
])

export interface Sample {
  readonly content: string | Uint8Array
  /** Name of the preview provider that opens the file. */
  readonly provider: string
}

const inFolder = (provider: string, names: string) =>
  names
    .split(' ')
    .map((name) => [name, { provider, content: readFileSync(path.join(FOLDER, name)) }] as const)

const text = (provider: string, files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, content]) => [name, { provider, content }] as const)

/** Files of more than sixty formats, keyed by name. */
export const CORPUS: Readonly<Record<string, Sample>> = Object.fromEntries<Sample>([
  ...inFolder('image', 'p.jpg p.webp p.avif p.gif'),
  ['i.png', { provider: 'image', content: PICTURE }],
  ['i.bmp', { provider: 'image', content: BMP }],
  ['i.ico', { provider: 'image', content: ICO }],
  [
    'i.svg',
    {
      provider: 'image',
      content:
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>',
    },
  ],
  ...inFolder('heic', 'p.heic'),
  ...inFolder('tiff', 'p.tif p.tiff'),
  ...inFolder('video', 'v.mp4 v.m4v v.mov v.mkv v.webm'),
  ['v8.webm', { provider: 'video', content: VIDEO }],
  ...inFolder('audio', 'a.mp3 a.m4a a.aac a.ogg a.opus a.flac'),
  ['a.wav', { provider: 'audio', content: makeSound() }],
  ['d.pdf', { provider: 'pdf', content: makePdf() }],
  ['b.epub', { provider: 'ebook', content: makeEpub() }],
  ['d.docx', { provider: 'word', content: makeDocx() }],
  ['d.odt', { provider: 'word', content: makeOdt() }],
  ['d.pptx', { provider: 'slides', content: makePptx() }],
  ...inFolder('sheet', 's.xlsx s.xls s.ods s.xlsb'),
  ...inFolder('font', 'f.ttf f.otf f.woff f.woff2'),
  ['z.zip', { provider: 'archive', content: makeZip({ 'a/b.txt': 'b', '说明.txt': 'c' }) }],
  ['z.jar', { provider: 'archive', content: makeZip({ 'META-INF/MANIFEST.MF': 'x' }) }],
  ['z.tar', { provider: 'archive', content: makeTar('in/one.txt', 'one') }],
  ['z.tar.gz', { provider: 'archive', content: gzipSync(makeTar('in/one.txt', 'one')) }],
  ['z.tgz', { provider: 'archive', content: gzipSync(makeTar('in/one.txt', 'one')) }],
  ['z.txt.gz', { provider: 'archive', content: gzipSync('some words') }],
  ...text('table', { 't.csv': 'a,b\n1,"2, 3"\n', 't.tsv': 'a\tb\n1\t2\n' }),
  ...text('tree', {
    'j.json': '{"a": [1, {"b": null}], "字": "x"}',
    'j.jsonl': '{"a":1}\n{"a":2}\n',
    'j.geojson': '{"type":"Point","coordinates":[1,2]}',
    'j.ipynb': '{"cells": []}',
  }),
  ...text('markdown', { 'm.md': '# Heading\n\n| a | b |\n| - | - |\n| 1 | 2 |\n' }),
  ...text('page', { 'h.html': '<h1>A page</h1>' }),
  ...text('text', {
    'x.txt': 'plain',
    'x.log': '2026-01-01 started\n',
    'x.ini': '[a]\nb = c\n',
    'x.srt': '1\n00:00:00,000 --> 00:00:01,000\nHi\n',
    'x.rst': 'Title\n=====\n',
    'x.m3u': '#EXTM3U\n#EXTINF:123,Somebody\na song.mp3\n',
    'x.m3u8': '#EXTM3U\n#EXTINF:123,某人\n歌.mp3\n',
    'c.ts': 'export const a: number = 1\n',
    'c.js': 'const a = 1\n',
    'c.py': 'def f():\n    return 1\n',
    'c.go': 'package main\n',
    'c.rs': 'fn main() {}\n',
    'c.c': 'int main(void) { return 0; }\n',
    'c.java': 'class A {}\n',
    'c.sh': 'echo hi\n',
    'c.sql': 'select 1;\n',
    'c.css': 'a { color: red }\n',
    'c.xml': '<a><b/></a>\n',
    'c.yaml': 'a: 1\n',
    'c.toml': 'a = 1\n',
    'c.diff': '-a\n+b\n',
    Makefile: 'all:\n\techo\n',
  }),
  ['d.rtf', { provider: 'facts', content: '{\\rtf1\\ansi Some \\b words\\b0 .\\par}' }],
  ...['r.rar', 'r.7z', 'q.sqlite', 'e.exe', 'o.doc', 'k.bin'].map(
    (name) => [name, { provider: 'facts', content: new Uint8Array([1, 2, 3, 0, 4]) }] as const,
  ),
])

/** An HLS stream: its playlist and its segments. */
export const STREAM: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  readdirSync(path.join(FOLDER, 'hls')).map((name) => [name, readFileSync(path.join(FOLDER, 'hls', name))]),
)

/** Recordings that no browser used in tests can play. */
export const UNPLAYABLE: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  inFolder('video', 'v.flv v.avi').map(([name, { content }]) => [name, content as Uint8Array]),
)
