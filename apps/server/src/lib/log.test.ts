import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const MODULE = new URL('log.ts', import.meta.url).href

/** Program that writes a line when its input ends, and exits before the line would be flushed automatically. */
const SCRIPT = `
  const { openLog } = await import(${JSON.stringify(MODULE)})
  const log = openLog('info')
  process.stdin.resume().once('end', () => {
    log.info('the last line')
    process.exitCode = 3
  })
`

function writeLastLine(output: 'pipe' | number = 'pipe', script = SCRIPT) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', output, 'ignore'],
    timeout: 100_000,
    killSignal: 'SIGKILL',
  })
  return { child, ended: once(child, 'exit') }
}

test('the last line is written before the process ends', async () => {
  const { child, ended } = writeLastLine()
  child.stdin?.end()
  expect(await text(child.stdout as Readable)).toContain('the last line')
  expect(await ended).toEqual([3, null])
})

test('lines that were buffered during a write are written before later lines', async () => {
  const script = `
    const { flushed, openLog } = await import(${JSON.stringify(MODULE)})
    const log = openLog('info')
    log.info('one')
    log.flush()
    log.info('two')
    await flushed(log)
    process.stdout.write('three')
  `
  const { child } = writeLastLine('pipe', script)
  expect(await text(child.stdout as Readable)).toMatch(/one.*two.*three/s)
})

test('the process can end although the reader of its log is closed', async () => {
  const { child, ended } = writeLastLine()
  child.stdout?.destroy()
  child.stdin?.end()
  expect(await ended).toEqual([3, null])
})

test('a full disk for the log blocks neither the process nor its end', async ({ skip }) => {
  const full = '/dev/full'
  skip(!existsSync(full), `there is no ${full} here`)
  const { child, ended } = writeLastLine(openSync(full, 'w'))
  child.stdin?.end()
  expect(await ended).toEqual([3, null])
})
