const ID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const NAMED_IDS = new RegExp(String.raw`^${ID}(?:, ${ID})*(?:, \+\d+)? \((.+)\)$`, 's')
const NAME_AND_ID = new RegExp(String.raw`^(.+) \(${ID}\)$`, 's')

/** If a target consists of a name and ids, returns only the name. Returns any other target unchanged. */
export const nameOfTarget = (target: string): string =>
  NAMED_IDS.exec(target)?.[1] ?? NAME_AND_ID.exec(target)?.[1] ?? target
