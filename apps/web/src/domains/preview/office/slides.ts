import { toDataUrl } from '../foreign-document.ts'
import {
  elementOf,
  elementsOf,
  openPackage,
  type PackageFiles,
  resolveName,
} from '../reading/package-files.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'
import { colourIn, fillOf, readTheme, type Theme } from './theme-colours.ts'

/** EMUs per CSS pixel. Source: ECMA-376 part 1, 20.1.2.1, read 2026-11-22. */
const UNITS_PER_PX = 9525
const DEFAULT_FONT_PT = 18
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

export interface Slides {
  readonly names: readonly string[]
  readonly widthPx: number
  readonly heightPx: number
  readonly files: PackageFiles
}

type Relations = ReadonlyMap<string, { readonly target: string; readonly type: string }>

async function readRelations(files: PackageFiles, part: string): Promise<Relations> {
  const at = part.lastIndexOf('/')
  const name = `${part.slice(0, at)}/_rels/${part.slice(at + 1)}.rels`
  if (!files.names.includes(name)) return new Map()
  const xml = await files.readXml(name)
  return new Map(
    elementsOf(xml, 'Relationship')
      // External content is not loaded.
      .filter((relation) => relation.getAttribute('TargetMode') !== 'External')
      .map((relation) => [
        relation.getAttribute('Id') ?? '',
        {
          target: resolveName(part, relation.getAttribute('Target') ?? ''),
          type: relation.getAttribute('Type') ?? '',
        },
      ]),
  )
}

const MAIN = 'ppt/presentation.xml'
const numberOf = (element: Element | undefined, name: string, otherwise = 0) => {
  const value = Number(element?.getAttribute(name) ?? Number.NaN)
  return Number.isFinite(value) ? value : otherwise
}
const relationId = (element: Element, name: string) =>
  [...element.attributes].find(({ localName, prefix }) => localName === name && prefix !== null)?.value ?? ''

/** @throws {PreviewError} `damaged` if there are no slides, and the errors of {@link openPackage} */
export async function openSlides(source: PreviewSource, signal: AbortSignal): Promise<Slides> {
  const files = await openPackage(source, signal)
  const [xml, relations] = await Promise.all([files.readXml(MAIN), readRelations(files, MAIN)])
  const names = elementsOf(xml, 'sldId').flatMap((slide) => {
    const target = relations.get(relationId(slide, 'id'))?.target
    return target !== undefined && files.names.includes(target) ? [target] : []
  })
  if (names.length === 0) throw new PreviewError('damaged')
  const size = elementOf(xml, 'sldSz')
  return {
    names,
    widthPx: numberOf(size, 'cx', 12_192_000) / UNITS_PER_PX,
    heightPx: numberOf(size, 'cy', 6_858_000) / UNITS_PER_PX,
    files,
  }
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly turn: number
}

function boxOf(shape: Element): Box | null {
  const place = elementOf(shape, 'xfrm')
  const offset = place && elementOf(place, 'off')
  const extent = place && elementOf(place, 'ext')
  if (!offset || !extent) return null
  return {
    left: numberOf(offset, 'x') / UNITS_PER_PX,
    top: numberOf(offset, 'y') / UNITS_PER_PX,
    width: numberOf(extent, 'cx') / UNITS_PER_PX,
    height: numberOf(extent, 'cy') / UNITS_PER_PX,
    turn: numberOf(place, 'rot') / 60_000,
  }
}

/** Properties of a placeholder, which slides inherit from their layout and master. */
interface Place {
  readonly box: Box | null
  readonly aligns: Aligns
  /** Vertical alignment of the text. */
  readonly anchor: string | null
  readonly colours: Colours
}
/** Inherited placeholder properties by key, those of the closest ancestor first. */
type Places = ReadonlyMap<string, readonly Place[]>

/** Text alignment by list level. */
type Aligns = ReadonlyMap<number, string>

/** Text colour by list level, as `#rrggbb`. */
type Colours = ReadonlyMap<number, string>

/** Reads a value for each level of a style list. */
const levelsOf = (styles: Element | undefined, read: (level: Element) => string | null) =>
  new Map(
    [...(styles?.children ?? [])].flatMap((level) => {
      const number = Number(/^lvl(\d)pPr$/.exec(level.localName)?.[1])
      const value = read(level)
      return Number.isNaN(number) || !value ? [] : [[number - 1, value] as const]
    }),
  )

const styleOf = (styles: Element | undefined, theme: Theme): Pick<Place, 'aligns' | 'colours'> => ({
  aligns: levelsOf(styles, (level) => level.getAttribute('algn')),
  colours: levelsOf(styles, (level) => fillOf(elementOf(level, 'defRPr'), theme)),
})

const placeOf = (shape: Element, theme: Theme): Place => ({
  box: boxOf(shape),
  ...styleOf(elementOf(shape, 'lstStyle'), theme),
  anchor: elementOf(shape, 'bodyPr')?.getAttribute('anchor') ?? null,
})

const placeKeys = (shape: Element): readonly string[] => {
  const holder = elementOf(shape, 'ph')
  if (!holder) return []
  const type = (holder.getAttribute('type') ?? 'body')
    .replace('ctrTitle', 'title')
    .replace('subTitle', 'body')
  const index = holder.getAttribute('idx')
  return index === null ? [type] : [`#${index}`, type]
}

const NO_STYLE: Place = { box: null, aligns: new Map(), anchor: null, colours: new Map() }
const MASTER_STYLES = [
  ['title', 'titleStyle'],
  ['body', 'bodyStyle'],
] as const

/** Properties that a slide inherits from its layout, its master and their theme. */
interface Heritage {
  readonly theme: Theme
  readonly places: Places
  /** Default background colour. */
  readonly ground: string
}

const relatedPart = (files: PackageFiles, relations: Relations, type: string): string | null => {
  const target = [...relations.values()].find((relation) => relation.type.endsWith(`/${type}`))?.target
  return target !== undefined && files.names.includes(target) ? target : null
}

const readPart = (files: PackageFiles, part: string | null): Promise<Document | null> =>
  part === null ? Promise.resolve(null) : files.readXml(part)

function groundOf(part: Document | null, theme: Theme): string {
  const ground = part && elementOf(part, 'bg')
  if (!ground) return ''
  return fillOf(elementOf(ground, 'bgPr'), theme) || colourIn(elementOf(ground, 'bgRef'), theme)
}

function placesOf(parts: { layout: Document | null; master: Document | null }, theme: Theme): Places {
  const places = new Map<string, Place[]>()
  const add = (key: string, place: Place) => places.set(key, [...(places.get(key) ?? []), place])
  for (const xml of [parts.layout, parts.master]) {
    if (xml === null) continue
    for (const shape of elementsOf(xml, 'sp')) {
      const place = placeOf(shape, theme)
      const [own, ...others] = placeKeys(shape)
      if (own !== undefined) add(own, place)
      // An indexed placeholder in a layout passes only its position to other placeholders of its type. A placeholder
      // in the master passes all its properties.
      for (const key of others) add(key, xml === parts.master ? place : { ...NO_STYLE, box: place.box })
    }
    for (const [key, name] of MASTER_STYLES)
      add(key, { ...NO_STYLE, ...styleOf(elementOf(xml, name), theme) })
  }
  return places
}

async function readHeritage(files: PackageFiles, relations: Relations): Promise<Heritage> {
  const layoutName = relatedPart(files, relations, 'slideLayout')
  const ofLayout: Relations = layoutName === null ? new Map() : await readRelations(files, layoutName)
  const masterName = relatedPart(files, ofLayout, 'slideMaster')
  const ofMaster: Relations = masterName === null ? new Map() : await readRelations(files, masterName)
  const [layout, master, themeXml] = await Promise.all(
    [layoutName, masterName, relatedPart(files, ofMaster, 'theme')].map((part) => readPart(files, part)),
  )
  const theme = readTheme(themeXml ?? null, master ? elementOf(master, 'clrMap') : undefined)
  const parts = { layout: layout ?? null, master: master ?? null }
  const ground = groundOf(parts.layout, theme) || groundOf(parts.master, theme)
  return { theme, places: placesOf(parts, theme), ground }
}

const ANCHORED: Readonly<Record<string, string>> = { ctr: 'center', b: 'flex-end' }
const ALIGNED: Readonly<Record<string, string>> = { ctr: 'center', r: 'right', just: 'justify' }

/** Renders a slide as a page: positioned texts, tables and images, with basic formatting. */
class SlideWriter {
  readonly #page = document.implementation.createHTMLDocument('')
  readonly #files: PackageFiles
  readonly #relations: Relations
  readonly #places: Places
  readonly #theme: Theme

  constructor(files: PackageFiles, relations: Relations, { places, theme }: Heritage) {
    this.#files = files
    this.#relations = relations
    this.#places = places
    this.#theme = theme
  }

  async write(slide: Document): Promise<string> {
    const tree = elementOf(slide, 'spTree')
    const body = this.#page.body
    if (tree) await this.#shapes(tree, body, { left: 0, top: 0 })
    return body.innerHTML
  }

  async #shapes(group: Element, into: Element, shift: { left: number; top: number }): Promise<void> {
    for (const shape of group.children) {
      if (shape.localName === 'grpSp') await this.#shapes(shape, into, this.#groupShift(shape, shift))
      else if (shape.localName === 'sp' || shape.localName === 'cxnSp') this.#text(shape, into, shift)
      else if (shape.localName === 'pic') await this.#picture(shape, into, shift)
      else if (shape.localName === 'graphicFrame') this.#table(shape, into, shift)
    }
  }

  #groupShift(group: Element, shift: { left: number; top: number }) {
    const place = elementOf(group, 'xfrm')
    const [outer, inner] = [place && elementOf(place, 'off'), place && elementOf(place, 'chOff')]
    return {
      left: shift.left + (numberOf(outer, 'x') - numberOf(inner, 'x')) / UNITS_PER_PX,
      top: shift.top + (numberOf(outer, 'y') - numberOf(inner, 'y')) / UNITS_PER_PX,
    }
  }

  /** Returns the properties that the shape itself declares, then the inherited properties. */
  #placesOf(shape: Element): readonly Place[] {
    return [placeOf(shape, this.#theme), ...placeKeys(shape).flatMap((key) => this.#places.get(key) ?? [])]
  }

  #place(shape: Element, into: Element, shift: { left: number; top: number }): HTMLElement {
    const box = this.#placesOf(shape).find((place) => place.box !== null)?.box
    const element = this.#page.createElement('div')
    const { style } = element
    if (box) {
      style.left = `${box.left + shift.left}px`
      style.top = `${box.top + shift.top}px`
      style.width = `${box.width}px`
      style.minHeight = `${box.height}px`
      if (box.turn !== 0) style.transform = `rotate(${box.turn}deg)`
    } else style.position = 'static'
    into.append(element)
    return element
  }

  #text(shape: Element, into: Element, shift: { left: number; top: number }): void {
    const body = elementOf(shape, 'txBody')
    const properties = elementOf(shape, 'spPr')
    const own = fillOf(properties, this.#theme)
    const fill = own === '' ? this.#styled(shape, 'fillRef') : (own ?? '')
    if (!body?.textContent?.trim() && fill === '') return
    const element = this.#place(shape, into, shift)
    if (fill !== '') element.style.background = fill
    element.style.color = this.#styled(shape, 'fontRef')
    const isTitle = placeKeys(shape).includes('title')
    const places = this.#placesOf(shape)
    const anchor = ANCHORED[places.find((place) => place.anchor !== null)?.anchor ?? '']
    if (anchor) {
      element.style.display = 'flex'
      element.style.flexDirection = 'column'
      element.style.justifyContent = anchor
    }
    if (body) this.#paragraphs(body, element, { isTitle, places })
  }

  /** Returns the colour of a theme style reference. Index 0 means no style. */
  #styled(shape: Element, name: 'fillRef' | 'fontRef'): string {
    const style = elementOf(shape, 'style')
    const reference = style && elementOf(style, name)
    return reference?.getAttribute('idx') === '0' ? '' : colourIn(reference, this.#theme)
  }

  #paragraphs(body: Element, into: Element, o: { isTitle: boolean; places: readonly Place[] }): void {
    const { isTitle, places } = o
    for (const paragraph of elementsOf(body, 'p')) {
      const properties = elementOf(paragraph, 'pPr')
      const line = this.#page.createElement(isTitle ? 'h2' : 'p')
      line.dir = 'auto'
      const level = numberOf(properties, 'lvl')
      line.style.marginLeft = `${level * 28}px`
      const inherited = places.find(({ aligns }) => aligns.has(level))?.aligns.get(level)
      line.style.color = places.find(({ colours }) => colours.has(level))?.colours.get(level) ?? ''
      const align = ALIGNED[properties?.getAttribute('algn') ?? inherited ?? '']
      if (align) line.style.textAlign = align
      if (properties && elementOf(properties, 'buChar')) line.append('• ')
      for (const run of paragraph.children) {
        if (run.localName === 'br') line.append(this.#page.createElement('br'))
        else if (run.localName === 'r' || run.localName === 'fld') line.append(this.#run(run, isTitle))
      }
      into.append(line)
    }
  }

  #run(run: Element, isTitle: boolean): HTMLElement {
    const properties = elementOf(run, 'rPr')
    const span = this.#page.createElement('span')
    const size = numberOf(properties, 'sz', (isTitle ? 32 : DEFAULT_FONT_PT) * 100) / 100
    span.style.fontSize = `${Math.min(200, Math.max(6, size))}pt`
    if (properties?.getAttribute('b') === '1') span.style.fontWeight = 'bold'
    if (properties?.getAttribute('i') === '1') span.style.fontStyle = 'italic'
    if (properties?.hasAttribute('u') && properties.getAttribute('u') !== 'none')
      span.style.textDecoration = 'underline'
    span.style.color = fillOf(properties, this.#theme) ?? ''
    span.textContent = elementOf(run, 't')?.textContent ?? ''
    return span
  }

  async #picture(shape: Element, into: Element, shift: { left: number; top: number }): Promise<void> {
    const blip = elementOf(shape, 'blip')
    const target = blip && this.#relations.get(relationId(blip, 'embed'))?.target
    const type = PICTURES[/\.(\w+)$/.exec(target ?? '')?.[1]?.toLowerCase() ?? '']
    if (target === undefined || type === undefined || !this.#files.names.includes(target)) return
    const element = this.#place(shape, into, shift)
    const picture = this.#page.createElement('img')
    picture.alt = elementOf(shape, 'cNvPr')?.getAttribute('descr') ?? ''
    picture.src = await toDataUrl(await this.#files.read(target), type)
    picture.style.height = element.style.minHeight
    element.append(picture)
  }

  #table(shape: Element, into: Element, shift: { left: number; top: number }): void {
    const source = elementOf(shape, 'tbl')
    if (!source) return
    const table = this.#page.createElement('table')
    for (const row of elementsOf(source, 'tr')) {
      const line = table.insertRow()
      for (const cell of elementsOf(row, 'tc'))
        this.#paragraphs(cell, line.insertCell(), { isTitle: false, places: [] })
    }
    this.#place(shape, into, shift).append(table)
  }
}

const PAGE_STYLES =
  'html { overflow: hidden } body { margin: 0; position: relative; font-family: sans-serif; color: #222; background: #fff } ' +
  'body > div { position: absolute; box-sizing: border-box; padding: 4px 8px } h2, p { margin: 0 0 4px; font-weight: 400; ' +
  'line-height: 1.2; white-space: pre-wrap } img { width: 100%; object-fit: fill } table { width: 100%; border-collapse: ' +
  'collapse } td { border: 1px solid #bbb; padding: 2px 6px }'

/** Returns a slide as a self-contained page in its original size. */
export async function readSlide({ names, files, widthPx, heightPx }: Slides, index: number): Promise<string> {
  const name = names[index] ?? ''
  const [slide, relations] = await Promise.all([files.readXml(name), readRelations(files, name)])
  const heritage = await readHeritage(files, relations)
  const { theme } = heritage
  const ground = groundOf(slide, theme) || heritage.ground || (theme.get('bg1') ?? '#fff')
  const body = await new SlideWriter(files, relations, heritage).write(slide)
  const text = theme.get('tx1') ?? '#222'
  const size = `width: ${widthPx}px; height: ${heightPx}px; background: ${ground}; color: ${text}`
  return `<style>${PAGE_STYLES} body { ${size} }</style><body>${body}</body>`
}
