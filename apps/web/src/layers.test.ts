import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * The layers of the web app, from the lowest to the highest. Each layer imports only lower layers. Files outside these
 * folders belong to the top layer.
 */
const LAYERS = ['locales', 'lib', 'i18n', 'ui', 'domains', 'features', 'app'] as const
const LIB_LINES_MAX = 2000
const FILES_IN_FOLDER_MAX = 25
const LINES_MAX = 400

interface Import {
  readonly from: string
  /** A file of the app, or a package. */
  readonly to: string
  /** A type-only import. */
  readonly isType: boolean
}

const ROOT = import.meta.dirname
const isSource = (name: string) =>
  /\.(?:tsx?|css)$/.test(name) && !/\.test\./.test(name) && !/(?:^|\/)testing\//.test(name)
const sources = new Map(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter(isSource)
    .map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]),
)

/** `import … from`, `export … from`, `import '…'`. */
const STATIC = /^(?:import|export)\s+(?:(type\s)?([^'";]*?)\sfrom\s+)?'([^']+)'/gm
/** Dynamic imports, `new URL` with `import.meta.url` (workers), and imports within style sheets. */
const LATER =
  /\bimport\(\s*'([^']+)'|new URL\(\s*'([^']+)',\s*import\.meta\.url|composes:[^;]*from\s+'([^']+)'|@import\s+'([^']+)'/g

const areTypes = (names: string) =>
  /^\{[^}]*\}$/.test(names) &&
  names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim())
    .every((name) => name === '' || name.startsWith('type '))

/** @param from the importing file */
const resolve = (from: string, specifier: string) =>
  specifier.startsWith('.') ? normalize(join(dirname(from), specifier.replace(/\?.*$/, ''))) : specifier

function importsOf([from, text]: readonly [string, string]): Import[] {
  const first = [...text.matchAll(STATIC)].map(([, type, names = '', specifier = '']) => ({
    from,
    to: resolve(from, specifier),
    isType: type !== undefined || areTypes(names.trim()),
  }))
  const later = [...text.matchAll(LATER)].map((match) => ({
    from,
    to: resolve(from, match.slice(1).find(Boolean) ?? ''),
    isType: false,
  }))
  return [...first, ...later]
}

const imports = [...sources].flatMap(importsOf)
const inside = imports.filter(({ to }) => sources.has(to))
const say = ({ from, to }: Import) => `${from} imports ${to}`

const layerOf = (name: string): number => {
  const found = LAYERS.findIndex((layer) => name.startsWith(`${layer}/`))
  return found === -1 ? LAYERS.indexOf('app') : found
}

/** Returns the domain or feature of a file, such as `features/fs`. */
const partOf = (name: string): string | null => /^(?:domains|features)\/[^/]+/.exec(name)?.[0] ?? null

/** Finds a cycle of imports between parts. */
function findCircle(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | null {
  const done = new Set<string>()
  const visit = (part: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(part)) return [...way.slice(way.indexOf(part)), part]
    if (done.has(part)) return null
    for (const next of edges.get(part) ?? []) {
      const circle = visit(next, [...way, part])
      if (circle) return circle
    }
    done.add(part)
    return null
  }
  for (const part of edges.keys()) {
    const circle = visit(part, [])
    if (circle) return circle
  }
  return null
}

function edgesBetweenParts(): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const { from, to, isType } of inside) {
    const [one, other] = [partOf(from), partOf(to)]
    if (isType || one === null || other === null || one === other) continue
    edges.set(one, (edges.get(one) ?? new Set()).add(other))
  }
  return edges
}

const linesOf = (text: string) => text.split('\n').length - 1

describe('imports', () => {
  test('are found', () => {
    expect(inside.length).toBeGreaterThan(2000)
    const missing = imports.filter(({ to }) => /^(?:\.|\w+\/).*\.tsx?$/.test(to) && !sources.has(to))
    expect(missing.map(say)).toEqual([])
  })

  test('lead down', () => {
    const up = inside.filter(({ from, to, isType }) => !isType && layerOf(to) > layerOf(from))
    expect(up.map(say)).toEqual([])
  })

  test('of types lead down too', () => {
    const up = inside.filter(({ from, to, isType }) => isType && layerOf(to) > layerOf(from))
    expect(up.map(say)).toEqual([])
  })

  test('make no circle of domains', () => {
    expect(findCircle(edgesBetweenParts())).toBeNull()
  })

  test('of a feature lead to no other feature: a page of the app composes them', () => {
    const across = inside.filter(
      ({ from, to }) =>
        from.startsWith('features/') && to.startsWith('features/') && partOf(from) !== partOf(to),
    )
    expect(across.map(say)).toEqual([])
  })

  test('of the design system lead to no package of the product', () => {
    const known = imports.filter(({ from, to }) => from.startsWith('ui/') && to.startsWith('@dropleaf/'))
    expect(known.map(say)).toEqual([])
    const calling = [...sources].filter(([name, text]) => name.startsWith('ui/') && /\bfetch\(/.test(text))
    expect(calling.map(([name]) => name)).toEqual([])
  })
})

describe('what is beside each other can be looked over', () => {
  test('lib is small', () => {
    const lib = [...sources].filter(([name]) => name.startsWith('lib/'))
    expect(lib.reduce((sum, [, text]) => sum + linesOf(text), 0)).toBeLessThanOrEqual(LIB_LINES_MAX)
  })

  test('no folder has too many files', () => {
    const folders = Map.groupBy(sources.keys(), (name) => dirname(name))
    const large = [...folders].filter(([, names]) => names.length > FILES_IN_FOLDER_MAX)
    expect(large.map(([folder, names]) => `${folder}: ${names.length}`)).toEqual([])
  })

  test('no file is too long', () => {
    const long = [...sources].filter(([, text]) => linesOf(text) > LINES_MAX)
    expect(long.map(([name, text]) => `${name}: ${linesOf(text)}`)).toEqual([])
  })
})

test('a circle is found, whatever leads to it', () => {
  const edges = (list: Readonly<Record<string, readonly string[]>>) =>
    new Map(Object.entries(list).map(([part, others]) => [part, new Set(others)]))
  expect(findCircle(edges({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toBeNull()
  expect(findCircle(edges({ a: ['b'], b: ['c'], c: ['d'], d: ['b'] }))).toEqual(['b', 'c', 'd', 'b'])
})
