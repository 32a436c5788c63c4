import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sealPart } from '../objects/seal-part.ts'
import { counting } from '../testing/stored.ts'
import type { Bytes } from './bytes.ts'
import { markSealed, type Sealed } from './sealed.ts'

const send = (bytes: Sealed<Bytes>): number => bytes.length
const sendFacts = (facts: Sealed<{ readonly size: number }>): string => JSON.stringify(facts)

test('only sealed bytes can be sent', async () => {
  const plain = new TextEncoder().encode('plain')
  const { bytes } = await sealPart({ dek: counting(32), part: 0, plain, isLast: true })
  expect(send(bytes)).toBe(53)
  // @ts-expect-error Plain bytes do not compile.
  expect(send(plain)).toBe(5)
  // @ts-expect-error A copy of sealed bytes counts as plain, because the type does not show what was copied into it.
  expect(send(new Uint8Array(bytes))).toBe(53)
  // @ts-expect-error A part of sealed bytes counts as plain too.
  expect(send(bytes.subarray(1))).toBe(52)
})

test('nothing can be added to sealed facts', () => {
  const facts = markSealed({ size: 1 })
  expect(sendFacts(facts)).toBe('{"size":1}')
  // @ts-expect-error The result of a spread is not sealed.
  expect(sendFacts({ ...facts, name: 'secret.txt' })).toContain('secret')
  // @ts-expect-error A literal is not sealed.
  expect(sendFacts({ size: 1 })).toBe('{"size":1}')
})

test('few functions mark values as sealed', () => {
  const folder = join(import.meta.dirname, '..')
  const callers = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !file.endsWith('.test.ts') && /markSealed\(/.test(readFileSync(join(folder, file), 'utf8')),
  )
  expect(callers.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
    'core/bytes.ts',
    'keys/schedule.ts',
    'keys/share.ts',
    'manifest/manifest.ts',
    'objects/seal-part.ts',
    'sending/encrypting-source.ts',
  ])
})
