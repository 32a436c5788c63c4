import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const MODULE = new URL('log.ts', import.meta.url).href

/** Writes a line when its input ends, and exits before the line would be flushed automatically. */
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

test('the last line goes out before the end', async () => {
  const { child, ended } = writeLastLine()
  child.stdin?.end()
  expect(await text(child.stdout as Readable)).toContain('the last line')
  expect(await ended).toEqual([3, null])
})

test('what was gathered while a write was on its way is out before what comes after', async () => {
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

test('where nobody reads any more, the process ends all the same', async () => {
  const { child, ended } = writeLastLine()
  child.stdout?.destroy()
  child.stdin?.end()
  expect(await ended).toEqual([3, null])
})

test('a disk without any room for the log keeps nobody from going on, nor from ending', async ({ skip }) => {
  const full = '/dev/full'
  skip(!existsSync(full), `there is no ${full} here`)
  const { child, ended } = writeLastLine(openSync(full, 'w'))
  child.stdin?.end()
  expect(await ended).toEqual([3, null])
})
