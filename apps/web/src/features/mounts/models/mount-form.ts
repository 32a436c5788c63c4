import {
  CACHE_TTL_MAX_SECONDS,
  DEFAULT_CACHE_TTL_SECONDS,
  findMountPathProblem,
  type Mount,
  MOUNT_NAME_MAX_LENGTH,
  type MountPathProblem,
  REMARK_MAX_LENGTH,
  SORT_ORDER_LIMIT,
} from '@dropleaf/contract'

/** Input of the mount form. */
export interface MountInput extends Record<string, unknown> {
  readonly name: string
  /** Empty until the user chooses a storage. */
  readonly configId: string
  readonly path: string
  readonly remark: string
  readonly cacheTtl: string
  readonly sortOrder: string
  readonly isActive: boolean
}

/** Body of a request that creates or changes a mount. */
export interface MountFields {
  readonly name: string
  readonly storage_config_id: string
  readonly mount_path: string
  readonly remark: string | null
  readonly cache_ttl: number
  readonly sort_order: number
  readonly is_active: boolean
}

/** @param configId id of the initial storage */
export const newMount = (configId: string): MountInput => ({
  name: '',
  configId,
  path: '/',
  remark: '',
  cacheTtl: String(DEFAULT_CACHE_TTL_SECONDS),
  sortOrder: '0',
  isActive: true,
})

export const inputOfMount = (mount: Mount): MountInput => ({
  name: mount.name,
  configId: mount.storage_config_id ?? '',
  path: mount.mount_path,
  remark: mount.remark ?? '',
  cacheTtl: String(mount.cache_ttl),
  sortOrder: String(mount.sort_order),
  isActive: mount.is_active === 1,
})

/** Parses an integer within bounds; `null` if the text is invalid. */
function parseWhole(text: string, { min, max }: { min: number; max: number }): number | null {
  if (!/^[+-]?\d{1,10}$/.test(text.trim())) return null
  const value = Number(text)
  return value >= min && value <= max ? value : null
}

const parseTtl = (text: string) => parseWhole(text, { min: 0, max: CACHE_TTL_MAX_SECONDS })
const parseOrder = (text: string) => parseWhole(text, { min: -SORT_ORDER_LIMIT, max: SORT_ORDER_LIMIT })

export interface MountProblems {
  readonly name: 'missing' | 'tooLong' | null
  readonly configId: 'missing' | null
  readonly path: MountPathProblem | null
  readonly remark: 'tooLong' | null
  readonly cacheTtl: 'notSeconds' | null
  readonly sortOrder: 'notWhole' | null
}

function findNameProblem(name: string): MountProblems['name'] {
  if (name.trim() === '') return 'missing'
  return name.trim().length > MOUNT_NAME_MAX_LENGTH ? 'tooLong' : null
}

export const findMountProblems = (input: MountInput): MountProblems => ({
  name: findNameProblem(input.name),
  configId: input.configId === '' ? 'missing' : null,
  path: findMountPathProblem(input.path.trim()),
  remark: input.remark.trim().length > REMARK_MAX_LENGTH ? 'tooLong' : null,
  cacheTtl: parseTtl(input.cacheTtl) === null ? 'notSeconds' : null,
  sortOrder: parseOrder(input.sortOrder) === null ? 'notWhole' : null,
})

/** Converts valid input to a request body. */
export const fieldsOfMount = (input: MountInput): MountFields => ({
  name: input.name.trim(),
  storage_config_id: input.configId,
  mount_path: input.path.trim(),
  remark: input.remark.trim() === '' ? null : input.remark.trim(),
  cache_ttl: parseTtl(input.cacheTtl) ?? DEFAULT_CACHE_TTL_SECONDS,
  sort_order: parseOrder(input.sortOrder) ?? 0,
  is_active: input.isActive,
})
