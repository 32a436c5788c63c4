import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns the files of an archive, keyed by name. Python's `zipfile` checks and reads the archive. */
export async function unpackBytes(archive: Buffer): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-zip-'))
  const file = join(folder, 'a.zip')
  await writeFile(file, archive)
  const script = `
import base64, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, base64.b64encode(z.read(i)).decode()] for i in z.infolist()]))`
  try {
    const { stdout } = await run('python3', ['-c', script, file], { maxBuffer: 256 * 1024 ** 2 })
    const files = JSON.parse(stdout) as Array<[name: string, base64: string]>
    return Object.fromEntries(files.map(([name, base64]) => [name, Buffer.from(base64, 'base64')]))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the texts of an archive, keyed by file name. */
export async function unpack(archive: Buffer): Promise<Record<string, string>> {
  const files = Object.entries(await unpackBytes(archive))
  return Object.fromEntries(files.map(([name, bytes]) => [name, bytes.toString()]))
}
