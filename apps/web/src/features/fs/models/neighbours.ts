import { type Entry, kindOf } from './entries.ts'

const isSubtitles = ({ name }: Entry): boolean => /\.(?:srt|vtt)$/i.test(name)

/** The neighbours of a shown file, including itself. Audio is followed by audio; subtitles belong to their video. */
export function neighboursOf(entries: readonly Entry[], shown: string): readonly Entry[] {
  const files = entries.filter((entry) => !entry.isFolder)
  const one = files.find(({ name }) => name === shown)
  const kind = one && kindOf(one)
  if (kind === 'audio') return files.filter((entry) => kindOf(entry) === 'audio')
  return kind === 'video' ? files.filter((entry) => !isSubtitles(entry)) : files
}

/** The next recording of the same type, skipping other files. */
export function nextToPlay(files: readonly Entry[], index: number): Entry | undefined {
  const shown = files[index]
  return shown && files.slice(index + 1).find((entry) => kindOf(entry) === kindOf(shown))
}
