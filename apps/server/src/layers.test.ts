import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

/** The layers of `features/`, from the lowest to the highest. A feature imports from its own layer and from lower ones. */
const LAYERS = ['foundation', 'capabilities', 'operations']

/** Files of a feature that other features may import. */
const SHARED_FILE = /\.(usecases|models|presenters|table|http)\.ts$/

interface Import {
  readonly from: string
  readonly to: string
}

interface Source {
  readonly path: string
  readonly text: string
}

const isTest = (path: string) => /\.test\.ts$|(^|\/)testing\//.test(path)

const sources: Source[] = globSync('**/*.ts', { cwd: import.meta.dirname })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !isTest(path))
  .map((path) => ({ path, text: readFileSync(`${import.meta.dirname}/${path}`, 'utf8') }))

const IMPORT = /^(?:import|export)\s+(type\s)?([^'";]*?)\sfrom\s+'(\.[^']+)'/gms

/** Returns the imports that exist at run time. Type-only imports are erased. */
function valueImports({ path, text }: Source): Import[] {
  return [...text.matchAll(IMPORT)].flatMap(([, isType, names = '', target = '']) => {
    const parts = names.replaceAll(/[{}]/g, '').split(',')
    const isErased = isType !== undefined || parts.every((part) => /^\s*(type\s.*)?$/s.test(part))
    return isErased ? [] : [{ from: path, to: posix.join(posix.dirname(path), target) }]
  })
}

/** Returns the feature of a file, such as `features/foundation/mounts`, or null outside of the features. */
const featureOf = (path: string): string | null => /^features\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0] ?? null

const layerOf = (feature: string): number => LAYERS.indexOf(feature.split('/')[1] ?? '')

function betweenFeatures(all: readonly Source[]): Import[] {
  return all.flatMap(valueImports).filter(({ from, to }) => {
    const [own, other] = [featureOf(from), featureOf(to)]
    return own !== null && other !== null && own !== other
  })
}

const upwards = (imports: readonly Import[]) =>
  imports.filter(({ from, to }) => layerOf(featureOf(from) ?? '') < layerOf(featureOf(to) ?? ''))

/** Returns the first cycle of imports between features; empty if there is none. */
function findCircle(imports: readonly Import[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const feature = featureOf(from) ?? ''
    targets.set(feature, (targets.get(feature) ?? new Set()).add(featureOf(to) ?? ''))
  }
  const done = new Set<string>()
  function visit(feature: string, way: readonly string[]): string[] {
    if (way.includes(feature)) return [...way.slice(way.indexOf(feature)), feature]
    if (done.has(feature)) return []
    for (const next of targets.get(feature) ?? []) {
      const circle = visit(next, [...way, feature])
      if (circle.length > 0) return circle
    }
    done.add(feature)
    return []
  }
  for (const feature of targets.keys()) {
    const circle = visit(feature, [])
    if (circle.length > 0) return circle
  }
  return []
}

const imports = betweenFeatures(sources)

test('every feature lies in a layer', () => {
  const features = new Set(sources.flatMap(({ path }) => featureOf(path) ?? []))
  expect(features.size).toBeGreaterThan(30)
  expect([...features].filter((feature) => layerOf(feature) === -1)).toEqual([])
  expect(imports.length).toBeGreaterThan(200)
})

test('a feature imports from its own layer and from lower ones', () => {
  expect(upwards(imports)).toEqual([])
})

test('features do not import each other in a circle', () => {
  expect(findCircle(imports)).toEqual([])
})

test('a feature uses use cases, models, presenters and tables of another one, nothing else', () => {
  expect(imports.filter(({ to }) => !SHARED_FILE.test(to))).toEqual([])
})

/** Files with rules and queries, which must not use HTTP. */
const WITHOUT_HTTP = /\.(usecases|models|repository|table|memory)\.ts$/
/** Files that are allowed to use HTTP requests and replies. */
const WITH_HTTP = /\.(routes|handlers|http)\.ts$/

test('use cases, models and repositories know no HTTP', () => {
  const known = /from '(fastify|[^']*\/http\/[^']*|[^']*\.(?:http|routes|handlers)\.ts)'/
  const withoutHttp = sources.filter(({ path }) => path.startsWith('features/') && WITHOUT_HTTP.test(path))
  expect(withoutHttp.length).toBeGreaterThan(150)
  expect(withoutHttp.filter(({ text }) => known.test(text)).map(({ path }) => path)).toEqual([])
})

test('requests of the web framework appear in routes, handlers and what reads them only', () => {
  const features = sources.filter(({ path }) => path.startsWith('features/'))
  const others = features.filter(({ path, text }) => !WITH_HTTP.test(path) && text.includes('FastifyRequest'))
  expect(others.map(({ path }) => path)).toEqual([])
})

test('use cases name what they need of the context', () => {
  const whole = sources.filter(
    ({ path, text }) => /\.(usecases|jobs|presenters)\.ts$/.test(path) && /\bAppContext\b/.test(text),
  )
  expect(whole.map(({ path }) => path)).toEqual([])
})

describe('the tests above notice', () => {
  const added = (path: string, text: string) => betweenFeatures([...sources, { path, text }])

  test('an import from a lower layer to a higher one', () => {
    const text = "import { a, type B } from '../../capabilities/files/files.usecases.ts'"
    expect(upwards(added('features/foundation/mounts/x.usecases.ts', text))).toHaveLength(1)
  })

  test('a circle', () => {
    const text = "import {\n  a,\n} from '../mounts/mounts.usecases.ts'"
    expect(findCircle(added('features/foundation/storage-configs/x.usecases.ts', text))).not.toEqual([])
  })

  test('no import of types', () => {
    const text = "import type { A } from '../../capabilities/files/files.usecases.ts'"
    expect(added('features/foundation/mounts/x.usecases.ts', text)).toHaveLength(imports.length)
  })
})
