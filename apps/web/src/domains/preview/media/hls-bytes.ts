import type { Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext, LoaderStats } from 'hls.js'
import type { PreviewBytes } from '../preview-source.ts'

const timing = () => ({ start: 0, first: 0, end: 0 })

const newStats = (): LoaderStats => ({
  aborted: false,
  loaded: 0,
  retry: 0,
  total: 0,
  chunkCount: 0,
  bwEstimate: 0,
  loading: timing(),
  parsing: { start: 0, end: 0 },
  buffering: timing(),
})

/** Finds the bytes of a playlist or of one of its segments by the URL that the player resolved. */
export type FindBytes = (address: string) => PreviewBytes

/** Creates the loader of a player for files without URLs. This page decrypts the bytes of these files. */
export function bytesLoader(find: FindBytes) {
  return class implements Loader<LoaderContext> {
    context: LoaderContext | null = null
    readonly stats = newStats()
    readonly #left = new AbortController()

    load(
      context: LoaderContext,
      _config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      this.context = context
      this.stats.loading.start = performance.now()
      void this.#read(context, callbacks)
    }

    async #read(context: LoaderContext, callbacks: LoaderCallbacks<LoaderContext>): Promise<void> {
      const { stats } = this
      const { signal } = this.#left
      try {
        const bytes = find(context.url)
        const first = context.rangeStart ?? 0
        const end = Math.min(bytes.size, context.rangeEnd ? context.rangeEnd : bytes.size)
        const read = await bytes.read(first, Math.max(0, end - first), signal)
        if (signal.aborted) return
        stats.loading.first = stats.loading.end = performance.now()
        stats.loaded = stats.total = read.length
        const data = context.responseType === 'arraybuffer' ? read.buffer : new TextDecoder().decode(read)
        callbacks.onSuccess({ url: context.url, data, code: 200 }, stats, context, null)
      } catch (error) {
        if (signal.aborted) return
        callbacks.onError({ code: 0, text: String(error) }, context, null, stats)
      }
    }

    abort(): void {
      this.stats.aborted = true
      this.#left.abort()
    }

    destroy(): void {
      this.#left.abort()
      this.context = null
    }
  }
}
