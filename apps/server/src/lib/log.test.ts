import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const MODULE = new URL('log.ts', import.meta.url).href

/** Writes a line when its input ends, and ends before that would go out by itself. */
const SCRIPT = `
  const { openLog } = await import(${JSON.stringify(MODULE)})
  const log = openLog('info')
  process.stdin.resume().once('end', () => {
    log.info('the last line')
    process.exitCode = 3
  })
`

function writeLastLine() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 10_000,
    killSignal: 'SIGKILL',
  })
  return { child, ended: once(child, 'exit') }
}

test('the last line goes out before the end', async () => {
  const { child, ended } = writeLastLine()
  child.stdin.end()
  expect(await text(child.stdout)).toContain('the last line')
  expect(await ended).toEqual([3, null])
})

test('where nobody reads any more, the process ends all the same', async () => {
  const { child, ended } = writeLastLine()
  child.stdout.destroy()
  child.stdin.end()
  expect(await ended).toEqual([3, null])
})
