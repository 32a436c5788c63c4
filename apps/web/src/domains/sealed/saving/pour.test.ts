import { expect, test } from 'vitest'
import { IncompleteError, pour, type SaveContents } from './pour.ts'
import type { SaveTarget } from './save-targets.ts'

const bytes = (length: number) => new Uint8Array(length).fill(7)

function targetOf(startBytes = 0, fails: 'write' | 'finish' | null = null) {
  const log: string[] = []
  const act = (name: 'write' | 'finish', text: string) => async () => {
    log.push(text)
    if (name === fails) throw new Error(`no ${name}`)
  }
  const target: SaveTarget = {
    startBytes,
    write(piece) {
      const { length } = piece
      piece.buffer.transfer()
      return act('write', `write ${length}`)()
    },
    finish: act('finish', 'finish'),
    discard: async () => void log.push('discard'),
  }
  return { log, target }
}

const contentsOf = (pieces: readonly number[], sizeBytes: number, failure?: Error): SaveContents => ({
  name: 'a',
  sizeBytes,
  isSizeExact: true,
  resumeKey: null,
  async *stream() {
    for (const length of pieces) yield bytes(length)
    if (failure) throw failure
  },
})

const signal = new AbortController().signal
const run = (contents: SaveContents, target: SaveTarget, stop = signal) =>
  pour({ contents, target, signal: stop, onBytes: () => undefined })

test('a file is finished after its last byte', async () => {
  const { log, target } = targetOf()
  const seen: number[] = []
  await pour({ contents: contentsOf([3, 2], 5), target, signal, onBytes: (done) => seen.push(done) })
  expect(log).toEqual(['write 3', 'write 2', 'finish'])
  expect(seen).toEqual([3, 5])
})

test('an interrupted attempt continues after its bytes', async () => {
  const { log, target } = targetOf(3)
  await run(contentsOf([2], 5), target)
  expect(log).toEqual(['write 2', 'finish'])
})

test('contents that end early, fail or are cancelled leave no file', async () => {
  const short = targetOf()
  await expect(run(contentsOf([3], 5), short.target)).rejects.toThrow(IncompleteError)
  const broken = targetOf()
  await expect(run(contentsOf([3], 5, new Error('cut')), broken.target)).rejects.toThrow('cut')
  const left = targetOf()
  await expect(run(contentsOf([5], 5), left.target, AbortSignal.abort())).rejects.toThrow()
  for (const { log } of [short, broken, left]) {
    expect(log.at(-1)).toBe('discard')
    expect(log).not.toContain('finish')
  }
})

test('a full disk leaves no file', async () => {
  for (const fails of ['write', 'finish'] as const) {
    const { log, target } = targetOf(0, fails)
    await expect(run(contentsOf([5], 5), target)).rejects.toThrow(`no ${fails}`)
    expect(log.at(-1)).toBe('discard')
  }
})
