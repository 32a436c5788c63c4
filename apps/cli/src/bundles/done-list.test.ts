import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { doneList } from './done-list.ts'

test('finished items survive a kill, and a truncated line does not affect the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-done-'))
  try {
    const file = join(folder, 'state', 'x.done')
    const list = doneList<{ path: string }>(file)
    expect(await list.read()).toEqual([])
    await list.add({ path: 'a\nb' })
    await appendFile(file, '\n{"path":"cu')
    await list.add({ path: 'c' })
    expect(await list.read()).toEqual([{ path: 'a\nb' }, { path: 'c' }])
    expect((await stat(file)).mode & 0o077).toBe(0)
    await list.forget()
    expect(await list.read()).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
