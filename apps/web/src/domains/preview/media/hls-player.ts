import type { LoaderCallbacks, LoaderConfiguration, LoaderContext, PlaylistLoaderConstructor } from 'hls.js'
import { PreviewError } from '../preview-error.ts'
import type { PreviewBytes, PreviewFolder, PreviewSource } from '../preview-source.ts'
import { bytesLoader, type FindBytes } from './hls-bytes.ts'

/**
 * Virtual folder against which the player resolves relative URLs of the playlist. Files below this folder are looked
 * up in the folder of the playlist.
 */
const FOLDER_PATH = '/.beside/'

interface PlaylistOptions {
  readonly source: PreviewSource
  readonly signal: AbortSignal
  readonly onFault: (cause: unknown) => void
}

interface Address {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes?: PreviewBytes
}

/**
 * Returns the URL of a playlist segment: a file in the playlist's folder, or a URL on our own origin.
 * @throws {PreviewError} `playlist` for a URL on another origin, and for a file that the folder does not find
 */
export function pieceAddress(address: string, source: PreviewSource, origin: string): Address {
  const url = new URL(address, origin)
  if (url.origin !== origin) throw new PreviewError('playlist', `${url.origin} is another host.`)
  if (!url.pathname.startsWith(FOLDER_PATH)) return { url: url.href, headers: {} }
  const path = decodeURIComponent(url.pathname.slice(FOLDER_PATH.length))
  if (path === source.name) return addressOf(source)
  const found = source.folder?.find(path)
  if (!found) throw new PreviewError('playlist', `${path} cannot be read.`)
  return addressOf(found)
}

const addressOf = ({ textUrl, headers, bytes }: ReturnType<PreviewFolder['find']> & object): Address => ({
  url: textUrl,
  headers: headers ?? {},
  ...(bytes && { bytes }),
})

/** @throws {PreviewError} `playlist` if no file is found for the path of a segment */
function piecesOf(source: PreviewSource): FindBytes {
  return (address) => {
    const { bytes } = pieceAddress(address, source, location.origin)
    if (!bytes) throw new PreviewError('playlist', `${address} cannot be read.`)
    return bytes
  }
}

/**
 * Plays a playlist and its segments until the signal aborts. Reports fatal errors during playback to `onFault`.
 * @throws {PreviewError} `media_format` if the browser does not support such streams
 */
export async function attachPlaylist(media: HTMLVideoElement, options: PlaylistOptions): Promise<void> {
  const { source, signal, onFault } = options
  const { default: Hls } = await import('hls.js/light')
  if (signal.aborted) return
  if (!Hls.isSupported()) throw new PreviewError('media_format')
  /** Resolves segments relative to the virtual folder. */
  class ListLoader extends Hls.DefaultConfig.loader {
    override load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ) {
      super.load(context, config, {
        ...callbacks,
        onSuccess: (response, ...rest) => callbacks.onSuccess({ ...response, url: context.url }, ...rest),
      })
    }
  }
  const hls = new Hls({
    ...(source.bytes
      ? { loader: bytesLoader(piecesOf(source)) }
      : { pLoader: ListLoader as PlaylistLoaderConstructor }),
    // Our CSP does not allow workers from blob URLs.
    enableWorker: false,
    xhrSetup: (request, address) => {
      const { url, headers } = pieceAddress(address, source, location.origin)
      request.open('GET', url, true)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    },
  })
  signal.addEventListener('abort', () => hls.destroy())
  hls.on(Hls.Events.ERROR, (_event, { fatal, error }) => {
    if (fatal) onFault(error)
  })
  hls.loadSource(new URL(FOLDER_PATH + encodeURIComponent(source.name), location.origin).href)
  hls.attachMedia(media)
}
