import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * The layers of `features/`, from the lowest to the highest. A feature imports from its own layer and from lower
 * layers.
 */
const LAYERS = ['foundation', 'capabilities', 'operations']

/** Files of a feature that other features may import. */
const SHARED_FILE = /\.(usecases|models|presenters|table|http)\.ts$/

interface Import {
  readonly from: string
  /** A file of the server, or a package. */
  readonly to: string
  /** A type-only import, which is erased. */
  readonly isType: boolean
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

/** Matches `import … from`, `export … from` and `import '…'`. */
const STATIC = /^(?:import|export)\s+(?:(type\s)?([^'";]*?)\sfrom\s+)?'([^']+)'/gm
/** Matches dynamic imports, including those in types, and files that are started as workers. */
const LATER = /\bimport\(\s*'([^']+)'|new URL\(\s*'([^']+)',\s*import\.meta\.url/g

const areTypes = (names: string) =>
  /^\{[^}]*\}$/.test(names) &&
  names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim())
    .every((name) => name === '' || name.startsWith('type '))

/** @param from the importing file */
const resolve = (from: string, specifier: string) =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier

function importsOf({ path: from, text }: Source): Import[] {
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

/** Returns the imports that exist at run time. */
const valueImports = (source: Source): Import[] => importsOf(source).filter(({ isType }) => !isType)

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

test('every feature belongs to a layer', () => {
  const features = new Set(sources.flatMap(({ path }) => featureOf(path) ?? []))
  expect(features.size).toBeGreaterThan(30)
  expect([...features].filter((feature) => layerOf(feature) === -1)).toEqual([])
  expect(imports.length).toBeGreaterThan(200)
})

test('a feature imports from its own layer and from lower ones', () => {
  expect(upwards(imports)).toEqual([])
})

test('features have no import cycles', () => {
  expect(findCircle(imports)).toEqual([])
})

test('a feature imports only use cases, models, presenters and tables of another one', () => {
  expect(imports.filter(({ to }) => !SHARED_FILE.test(to))).toEqual([])
})

/** Files of a feature that are allowed to use HTTP requests and replies. */
const WITH_HTTP = /\.(routes|handlers|http)\.ts$/

/** Returns the imports of HTTP, values or types, in files of features that are not allowed to use it. */
const httpImports = (all: readonly Source[]): Import[] =>
  all
    .filter(({ path }) => path.startsWith('features/') && !WITH_HTTP.test(path))
    .flatMap(importsOf)
    .filter(({ to }) => /^(?:@?fastify(?:\/|$)|http\/)/.test(to) || WITH_HTTP.test(to))

test('only routes, handlers and request parsers import HTTP modules, as values or as types', () => {
  const others = sources.filter(({ path }) => path.startsWith('features/') && !WITH_HTTP.test(path))
  expect(others.length).toBeGreaterThan(190)
  expect(httpImports(sources)).toEqual([])
})

test('only routes, handlers and request parsers use request types of the web framework', () => {
  const features = sources.filter(({ path }) => path.startsWith('features/'))
  const others = features.filter(({ path, text }) => !WITH_HTTP.test(path) && text.includes('FastifyRequest'))
  expect(others.map(({ path }) => path)).toEqual([])
})

test('use cases declare which parts of the context they need', () => {
  const whole = sources.filter(
    ({ path, text }) => /\.(usecases|jobs|presenters)\.ts$/.test(path) && /\bAppContext\b/.test(text),
  )
  expect(whole.map(({ path }) => path)).toEqual([])
})

describe('the tests above detect', () => {
  const added = (path: string, text: string) => betweenFeatures([...sources, { path, text }])

  test('an import from a lower layer to a higher one', () => {
    const text = "import { a, type B } from '../../capabilities/files/files.usecases.ts'"
    expect(upwards(added('features/foundation/mounts/x.usecases.ts', text))).toHaveLength(1)
  })

  test('a cycle', () => {
    const text = "import {\n  a,\n} from '../mounts/mounts.usecases.ts'"
    expect(findCircle(added('features/foundation/storage-configs/x.usecases.ts', text))).not.toEqual([])
  })

  test('a dynamic import, one for its effects, and a worker', () => {
    const to = '../../capabilities/files/files.usecases.ts'
    for (const text of [
      `const { a } = await import('${to}')`,
      `const { a } = await import(\n  '${to}',\n)`,
      `import '${to}'`,
      `new Worker(new URL('${to}', import.meta.url))`,
      `export * from '${to}'`,
    ])
      expect([text, upwards(added('features/foundation/mounts/x.usecases.ts', text)).length]).toEqual([
        text,
        1,
      ])
  })

  test('HTTP in other files of a feature', () => {
    for (const text of [
      "import { sendBytes } from '../../../http/bodies/send-bytes.ts'",
      "import type { Access } from '../../../http/core/access.ts'",
      "import type { FastifyReply } from 'fastify'",
      "import { type FastifyReply } from 'fastify'",
      "const { default: fastify } = await import('fastify')",
      "import multipart from '@fastify/multipart'",
      "import { actorOf } from '../identity/request-actor.http.ts'",
    ]) {
      for (const kind of ['.presenters', '.jobs', '.usecases', ''])
        expect([text, httpImports([{ path: `features/foundation/mounts/x${kind}.ts`, text }])]).toMatchObject(
          [text, [{}]],
        )
      expect(httpImports([{ path: 'features/foundation/mounts/x.routes.ts', text }])).toEqual([])
    }
  })

  test('no import of types', () => {
    const text = "import type { A } from '../../capabilities/files/files.usecases.ts'"
    expect(added('features/foundation/mounts/x.usecases.ts', text)).toHaveLength(imports.length)
  })
})
