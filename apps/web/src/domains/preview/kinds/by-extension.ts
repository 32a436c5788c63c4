import { extensionOf } from './file-kind.ts'

interface Named {
  readonly name: string
}

export const byExtension = (list: string) => {
  const extensions = new Set(list.split(' '))
  return ({ name }: Named) => extensions.has(extensionOf(name))
}

/** Text formats that have a separate preview. */
export const isTable = byExtension('csv tsv tab')
export const isTree = byExtension('json jsonl ndjson geojson webmanifest ipynb har map topojson gltf')
export const isPlaylist = byExtension('m3u m3u8')
