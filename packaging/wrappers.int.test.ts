import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** Runs a script of the checkout. */
function run(args: readonly string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => void (words += chunk.toString()))
  const done = once(child, 'close').then(([code]) => ({ code: code as number | null, words }))
  return { child, done }
}

test.each([
  ['the command line', ['scripts/cli.mjs', 'no-such-command'], 2, 'There is no command no-such-command.'],
  ['a command of the console', ['scripts/command.mjs', 'restore'], 1, 'Usage: '],
])('a script that runs %s exits like it', async (_what, args, code, words) => {
  expect(await run(args).done).toEqual({ code, words: expect.stringContaining(words) })
})

/** Starts a server that never responds, until the test ends. */
async function stallingServer() {
  const asked = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const server = createServer((request) => {
    request.socket.once('close', () => left.resolve())
    asked.resolve()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, asked: asked.promise, left: left.promise }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a script forwards %s, and ends with it like the program',
  async (signal) => {
    const { address, asked, left } = await stallingServer()
    const { child, done } = run(['scripts/cli.mjs', 'list', '--server', address, '--key', 'k'])
    await asked
    child.kill(signal)
    expect(await done).toEqual({ code: signal === 'SIGTERM' ? 143 : 130, words: '' })
    await left
  },
)

test('a program gets the script’s environment', async () => {
  const script = `
    import { runOurs } from ${JSON.stringify(new URL('../scripts/lib/child.mjs', import.meta.url).href)}
    process.env.HANDED_ON = 'handed on'
    runOurs(process.execPath, ['-e', 'process.stderr.write(String(process.env.HANDED_ON), () => process.exit())'])
  `
  expect(await run(['--input-type=module', '-e', script]).done).toEqual({ code: 0, words: 'handed on' })
})

test('a program that cannot be started is reported in one sentence', async () => {
  const script = `
    import { runOurs } from ${JSON.stringify(new URL('../scripts/lib/child.mjs', import.meta.url).href)}
    runOurs('/no/such/node', [])
  `
  expect(await run(['--input-type=module', '-e', script]).done).toEqual({
    code: 1,
    words: 'spawn /no/such/node ENOENT\n',
  })
})

const inPackaging = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)

/** Runs a script through a shell, as npm does. The shell either waits for the script or is replaced by it. */
test.each([
  ['by a shell that stays', '"$NODE" "$SCRIPT"; exit $?'],
  ['by a shell that goes', 'exec "$NODE" "$SCRIPT"'],
])('a program started by npm %s ends when npm is killed', async (_how, command) => {
  const { address, asked, left } = await stallingServer()
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-wrappers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const script = join(folder, 'script.mjs')
  const program = `fetch('${address}')`
  const lines = [
    "import { spawn } from 'node:child_process'",
    `import { stopWithoutParent } from ${inPackaging('stop-without-parent.mjs')}`,
    `stopWithoutParent(spawn(process.execPath, ['-e', ${JSON.stringify(program)}], { stdio: 'ignore' }))`,
  ]
  await writeFile(script, lines.join('\n'))
  const npm = spawn(
    process.execPath,
    ['-e', `require('child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'ignore' })`],
    { stdio: 'ignore', env: { NODE: process.execPath, SCRIPT: script, PATH: process.env['PATH'] } },
  )
  await asked
  npm.kill('SIGKILL')
  await expect(left).resolves.toBeUndefined()
})
