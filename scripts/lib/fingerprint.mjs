import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './paths.mjs'

const SKIPPED = new Set(['node_modules', 'dist', '.cache'])

async function listFiles(relative) {
  const absolute = path.join(root, relative)
  const info = await stat(absolute).catch(() => null)
  if (info === null) return []
  if (!info.isDirectory()) {
    return [{ name: relative.split(path.sep).join('/'), mark: `${info.size}:${Math.trunc(info.mtimeMs)}` }]
  }
  const names = (await readdir(absolute)).filter((name) => !SKIPPED.has(name)).sort()
  const nested = await Promise.all(names.map((name) => listFiles(path.join(relative, name))))
  return nested.flat()
}

async function hashContents(files) {
  const hash = createHash('sha256')
  for (const { name } of files) {
    hash.update(`${name}\0`)
    hash.update(await readFile(path.join(root, name)))
    hash.update('\0')
  }
  return hash.digest('hex')
}

async function readRecord(recordPath) {
  try {
    return JSON.parse(await readFile(recordPath, 'utf8'))
  } catch {
    return null
  }
}

async function writeRecord(recordPath, record) {
  await mkdir(path.dirname(recordPath), { recursive: true })
  await writeFile(recordPath, JSON.stringify(record))
}

/**
 * Compares files with the recorded state. Compares sizes and times first, and contents only if sizes or times differ.
 * @param {{ recordPath: string, inputs: string[], output?: string }} target `inputs` are files and folders, relative
 * to the repository; `output` is a file whose own time is part of the record.
 * @returns {Promise<{ isFresh: boolean, save: () => Promise<void> }>} `save` records the current state as fresh.
 */
export async function checkFreshness({ recordPath, inputs, output }) {
  const list = async () => (await Promise.all(inputs.map(listFiles))).flat()
  const outputMark = async () =>
    output === undefined ? '' : ((await listFiles(output))[0]?.mark ?? 'missing')
  const files = await list()
  const marks = files.map(({ name, mark }) => `${name} ${mark}`).join('\n')
  const record = await readRecord(recordPath)

  const save = async (contents) => writeRecord(recordPath, { marks, contents, output: await outputMark() })
  const isOutputKept =
    record !== null && record.output === (await outputMark()) && record.output !== 'missing'
  if (isOutputKept && record.marks === marks) return { isFresh: true, save: () => save(record.contents) }

  const contents = await hashContents(files)
  const isFresh = isOutputKept && record.contents === contents
  if (isFresh) await save(contents)
  return { isFresh, save: () => save(contents) }
}
