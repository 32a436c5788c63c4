import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ThumbnailOrder {
  readonly id: number
  readonly source: string
  /** The thumbnail file to write, as WebP. */
  readonly target: string
  /** Longest allowed width or height. */
  readonly edgePx: number
}

export interface ThumbnailAnswer {
  readonly id: number
  readonly error: string | null
}

/** The image cannot be decoded, is too large, or takes too long. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

export interface Thumbnailer {
  /** @throws {PictureError} */
  make(order: Omit<ThumbnailOrder, 'id'>): Promise<void>
  close(): void
}

const TIMEOUT_MS = 20_000
/** Idle time after which the process ends to free memory. */
const IDLE_MS = 20_000
const PROCESS_FILE = fileURLToPath(new URL('./thumbnail-process.ts', import.meta.url))

/** Memory limit of the process. It is enough for 60 million pixels of four channels with 16 bits each. */
const MEMORY_MAX_BYTES = 768 * 1024 * 1024

/**
 * Creates thumbnails one by one in a child process, which exits when idle.
 * @param o `memoryMaxBytes`: a process that needs more memory exits, and its current image gets no thumbnail
 */
export function createThumbnailer({ memoryMaxBytes = MEMORY_MAX_BYTES } = {}): Thumbnailer {
  let child: ChildProcess | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()

  function stop(): void {
    clearTimeout(idleTimer)
    child?.kill('SIGKILL')
    child = null
  }

  function start(): ChildProcess {
    clearTimeout(idleTimer)
    if (child) return child
    // The environment is empty, because the process needs no secret.
    const started = fork(PROCESS_FILE, [String(memoryMaxBytes)], {
      execArgv: ['--max-old-space-size=64'],
      env: {},
      stdio: 'ignore',
    })
    started.unref()
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (child === started) child = null
    })
    child = started
    return started
  }

  function run(order: Omit<ThumbnailOrder, 'id'>): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = start()
      lastId += 1
      const id = lastId
      const end = (error: string | null) => {
        clearTimeout(timer)
        worker.off('message', onMessage)
        worker.off('exit', onExit)
        if (error === null) resolve()
        else reject(new PictureError(error))
      }
      const onMessage = (answer: ThumbnailAnswer) => {
        if (answer.id === id) end(answer.error)
      }
      const onExit = () => end('The process that read the picture ended.')
      const timer = setTimeout(stop, TIMEOUT_MS)
      worker.on('message', onMessage)
      worker.on('exit', onExit)
      worker.send({ ...order, id } satisfies ThumbnailOrder, (error) => {
        if (error) stop()
      })
    })
  }

  async function afterOthers(order: Omit<ThumbnailOrder, 'id'>, others: Promise<unknown>): Promise<void> {
    await others.catch(() => undefined)
    try {
      await run(order)
    } finally {
      waiting -= 1
      if (waiting === 0) idleTimer = setTimeout(stop, IDLE_MS).unref()
    }
  }

  return {
    make(order) {
      waiting += 1
      const done = afterOthers(order, turn)
      turn = done
      return done
    },
    close: stop,
  }
}
