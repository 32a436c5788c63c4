import { type Entry, kindOf } from './entries.ts'

const isSubtitles = ({ name }: Entry): boolean => /\.(?:srt|vtt)$/i.test(name)

/**
 * Returns the files to step through from a file, including that file. Audio files lead only to other audio files, and a
 * video skips subtitles.
 */
export function neighboursOf(entries: readonly Entry[], shown: string): readonly Entry[] {
  const files = entries.filter((entry) => !entry.isFolder)
  const one = files.find(({ name }) => name === shown)
  const kind = one && kindOf(one)
  if (kind === 'audio') return files.filter((entry) => kindOf(entry) === 'audio')
  return kind === 'video' ? files.filter((entry) => !isSubtitles(entry)) : files
}

/** Returns the next file of the same type to play, skipping other files. */
export function nextToPlay(files: readonly Entry[], index: number): Entry | undefined {
  const shown = files[index]
  return shown && files.slice(index + 1).find((entry) => kindOf(entry) === kindOf(shown))
}
