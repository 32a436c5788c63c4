import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns the contents of an archive by file name. Python's `zipfile` checks and reads the archive. */
export async function unpack(archive: Buffer): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-zip-'))
  const file = join(folder, 'a.zip')
  await writeFile(file, archive)
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, z.read(i).decode()] for i in z.infolist()]))`
  try {
    const { stdout } = await run('python3', ['-c', script, file], { maxBuffer: 256 * 1024 ** 2 })
    return Object.fromEntries(JSON.parse(stdout) as Array<[string, string]>)
  } finally {
    await rm(folder, { recursive: true })
  }
}
