import { type Entry, kindOf } from './entries.ts'

const isSubtitles = ({ name }: Entry): boolean => /\.(?:srt|vtt)$/i.test(name)

/**
 * The files that are a step away from a shown one, it among them. What is listened to goes on with what can be; subtitles
 * belong to what is watched.
 */
export function neighboursOf(entries: readonly Entry[], shown: string): readonly Entry[] {
  const files = entries.filter((entry) => !entry.isFolder)
  const one = files.find(({ name }) => name === shown)
  const kind = one && kindOf(one)
  if (kind === 'audio') return files.filter((entry) => kindOf(entry) === 'audio')
  return kind === 'video' ? files.filter((entry) => !isSubtitles(entry)) : files
}

/** What is played after a recording: the next one of its kind, whatever lies between. */
export function nextToPlay(files: readonly Entry[], index: number): Entry | undefined {
  const shown = files[index]
  return shown && files.slice(index + 1).find((entry) => kindOf(entry) === kindOf(shown))
}
