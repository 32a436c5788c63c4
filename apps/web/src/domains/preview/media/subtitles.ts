const stemOf = (name: string) => name.replace(/\.[^.]+$/, '')

export interface SubtitleFile {
  readonly name: string
  /** The part of the file name after the name of the video, such as `en` or `zh-CN`. Can be empty. */
  readonly label: string
}

/** Finds subtitle files in the same folder whose names start with the video's name. */
export function findSubtitles(video: string, names: readonly string[]): readonly SubtitleFile[] {
  const stem = stemOf(video)
  return names
    .filter((name) => /\.(?:srt|vtt)$/i.test(name))
    .filter((name) => name.startsWith(stem) && /^[.\-_]/.test(name.slice(stem.length)))
    .map((name) => ({
      name,
      label: stemOf(name)
        .slice(stem.length)
        .replace(/^[.\-_]+/, ''),
    }))
}

const SRT_TIME = /(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})\s*-->\s*(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})/
const TAGS = /<\/?(?!\/?(?:b|i|u)>)[^>]*>|\{\\[^}]*\}/g

/**
 * Converts SubRip to WebVTT. In a text that is WebVTT already, removes the byte order mark and normalises line ends and
 * blank lines.
 */
export function toWebVtt(text: string): string {
  // Lines of only white space also separate cues.
  const clean = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/^[^\S\n]+$/gm, '')
  if (clean.startsWith('WEBVTT')) return clean
  const time = (hours = '0', minutes = '0', seconds = '0', rest = '0') =>
    `${hours.padStart(2, '0')}:${minutes}:${seconds}.${rest.padEnd(3, '0')}`
  const cues = clean.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n').filter((line) => line !== '')
    const at = lines.findIndex((line) => SRT_TIME.test(line))
    const [, ...parts] = SRT_TIME.exec(lines[at] ?? '') ?? []
    if (parts.length === 0) return []
    const [h1, m1, s1, r1, h2, m2, s2, r2] = parts
    const said = lines
      .slice(at + 1)
      .join('\n')
      .replaceAll(TAGS, '')
      .replaceAll('-->', '→')
    return [`${time(h1, m1, s1, r1)} --> ${time(h2, m2, s2, r2)}\n${said}`]
  })
  return ['WEBVTT', ...cues].join('\n\n')
}
