import { KIB } from '@dropleaf/contract'

/** Enough to see what a file is. */
export const HEAD_MAX_BYTES = 64 * KIB

const PLAYLIST = /\.m3u8?$/i

/** Whether the name says that it lists recordings, or pieces of one. */
export const isPlaylist = (name: string): boolean => PLAYLIST.test(name)

/** Where the browser keeps whether lines wrap. */
export const WRAP_KEY = 'dropleaf.preview-wrap'
