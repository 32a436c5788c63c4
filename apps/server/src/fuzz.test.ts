import { posix } from 'node:path'
import { createArchiveNames, findSlugProblem } from '@dropleaf/contract'
import { parseStorageKey } from '@dropleaf/storage'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml } from './features/operations/webdav/xml.models.ts'
import { AppError } from './lib/app-error.ts'
import { planBytes } from './lib/bodies/byte-range.ts'
import { contentDisposition } from './lib/bodies/content-headers.ts'
import { isAtOrBelow, parseVirtualPath, type VirtualPath } from './lib/paths.ts'
import { FUZZ_TIMEOUT_MS, fuzzing } from './testing/fuzzing.ts'

const SEGMENTS = [
  '.',
  '..',
  '...',
  '%2e',
  '%2E%2e',
  '%252e%252e',
  '%2f',
  '%5c',
  '\\',
  '%c0%ae',
  '%00',
  '\u0000',
  '．．',
  'a',
  'b',
  'photos',
  'photos2',
  ' ',
  '~',
  'C:',
  '\u202e',
]

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(...SEGMENTS),
)
const hostilePath = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...SEGMENTS) }, hostileText), { maxLength: 8 })
  .chain((segments) => fc.constantFrom('/', '//', '').map((glue) => segments.join(glue)))

/** Decodes percent-escapes as another program would. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

describe('random input', { timeout: FUZZ_TIMEOUT_MS }, () => {
  test('an accepted path addresses the intended location below its base, decoded or not', () => {
    const base = '/photos' as VirtualPath
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom('', '/', '/photos/', '/photos'), hostilePath, (start, rest) => {
        const path = parseVirtualPath(start + rest)
        if (path === null) return
        taken += 1
        for (const form of [path, decoded(path)]) {
          expect(posix.normalize(form)).toBe(form)
          if (isAtOrBelow(path, base))
            expect(`${posix.resolve('/', form)}/`.startsWith('/photos/')).toBe(true)
        }
        expect(parseVirtualPath(path)).toBe(path)
      }),
      fuzzing(5000),
    )
    expect(taken).toBeGreaterThan(200)
  })

  test('a key that a storage accepts stays below its root', () => {
    fc.assert(
      fc.property(hostilePath, (text) => {
        try {
          const key = parseStorageKey(text)
          expect(posix.resolve('/root', key).startsWith('/root/')).toBe(true)
          expect(posix.normalize(key)).toBe(key)
        } catch (error) {
          expect((error as Error).message).toMatch(/^Not a storage key/)
        }
      }),
      fuzzing(3000),
    )
  })

  test('a range of a file is within the file', () => {
    const number = fc.oneof(
      fc.nat(30),
      fc.constantFrom('', '-', ' ', '9'.repeat(400), '-1', '1e3', '0x1', 'NaN'),
    )
    const range = fc.oneof(
      fc.tuple(number, number).map(([first, last]) => `bytes=${first}-${last}`),
      fc
        .array(fc.tuple(number, number), { maxLength: 4 })
        .map((all) => `bytes=${all.map((one) => one.join('-')).join(',')}`),
      fc.string({ maxLength: 20 }),
    )
    const texts = fc.option(
      fc.oneof(fc.constantFrom('"e"', 'W/"e"', '*', 'Tue, 01 Jan 2030 00:00:00 GMT'), fc.string()),
      {
        nil: undefined,
      },
    )
    fc.assert(
      fc.property(range, texts, texts, texts, fc.nat(20), (header, ifRange, ifMatch, since, sizeBytes) => {
        const headers = {
          range: header,
          ...(ifRange === undefined ? {} : { 'if-range': ifRange }),
          'if-match': ifMatch,
          'if-unmodified-since': since,
        }
        const plan = planBytes({ method: 'GET', headers }, { sizeBytes, etag: 'e', modifiedAtMs: 0 })
        if (plan.kind !== 'part') return
        const { firstByte, lastByte } = plan.range
        expect(0 <= firstByte && firstByte <= lastByte && lastByte < sizeBytes).toBe(true)
      }),
      fuzzing(5000),
    )
  })

  test('XML is parsed or refused, but declared entities are never expanded', () => {
    const name = fc.constantFrom('D:propfind', 'a', 'D:prop', 'x:y', '')
    const piece = fc.oneof(
      name.map((tag) => `<${tag} xmlns:D="DAV:">`),
      name.map((tag) => `</${tag}>`),
      fc.constantFrom(
        '&a;',
        '&amp;',
        '&#x0;',
        '&#xd800;',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?x?>',
        '<?xml version="1.1"?>',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const definition = fc.tuple(
      fc.constantFrom('a', 'b', '% p'),
      fc.constantFrom('"&b;&b;&b;"', 'SYSTEM "file:///etc/passwd"', '"x"'),
    )
    const document = fc
      .tuple(
        fc.option(fc.array(definition, { minLength: 1, maxLength: 4 })),
        fc.array(piece, { maxLength: 12 }),
      )
      .map(([entities, pieces]) => ({
        hasEntities: entities !== null,
        text: `${entities === null ? '' : `<!DOCTYPE a [${entities.map(([key, value]) => `<!ENTITY ${key} ${value}>`).join('')}]>`}<a>${pieces.join('')}</a>`,
      }))
    fc.assert(
      fc.property(document, ({ text, hasEntities }) => {
        let isRead = false
        try {
          parseXml(text)
          isRead = true
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
        expect(hasEntities && isRead).toBe(false)
      }),
      fuzzing(2000),
    )
  })

  test('a suffix is accepted only if it has the right format', () => {
    const slug = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^[\w-]{0,52}$/),
      fc.uuid(),
      hostileText,
    )
    fc.assert(
      fc.property(slug, (text) => {
        const isTaken = findSlugProblem(text) === null
        const hasForm = /^[A-Za-z0-9_-]{1,50}$/.test(text) && encodeURIComponent(text) === text
        expect([text, isTaken && !hasForm]).toEqual([text, false])
      }),
      fuzzing(3000),
    )
  })

  test('members of an archive have unique names that stay within the archive', () => {
    const segment = fc.oneof(
      fc.constantFrom('a', 'A', 'a (1)', 'C:', 'x\\..\\y', 'b.txt', '.', '..', 'b.', 'CON'),
      fc.stringMatching(/^[^/\0]{1,8}$/),
    )
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), (tops) => {
        const names = createArchiveNames()
        const members = tops.map((top) => names.forRoot()(top))
        expect(new Set(members.map((member) => member.toLowerCase())).size).toBe(members.length)
        for (const member of members) {
          expect(member).not.toMatch(/\\|^[A-Za-z]:|^\//)
          expect(posix.resolve('/out', member).startsWith('/out/')).toBe(true)
        }
      }),
      fuzzing(2000),
    )
  })

  test('a name in a header is one line of printable ASCII', () => {
    fc.assert(
      fc.property(fc.constantFrom('inline', 'attachment'), hostileText, (kind, name) => {
        expect(contentDisposition(kind as 'inline', name)).toMatch(/^(?:inline|attachment)(?:; [ -~]+)?$/)
      }),
      fuzzing(3000),
    )
  })
})
