import type { DashboardStats } from '../api/dashboard.queries.ts'

interface Counter {
  readonly word: 'texts' | 'files' | 'keys' | 'storages' | 'mounts'
  /** Of the admin panel, where they are. */
  readonly module: string
  readonly count: (stats: DashboardStats) => number
}

/** What is counted on the dashboard, in its order. */
export const COUNTERS = [
  { word: 'texts', module: 'text-management', count: (stats) => stats.totalPastes },
  { word: 'files', module: 'file-management', count: (stats) => stats.totalFiles },
  { word: 'storages', module: 'storage-config', count: (stats) => stats.totalS3Configs },
  { word: 'mounts', module: 'mount-management', count: (stats) => stats.totalMounts },
  { word: 'keys', module: 'key-management', count: (stats) => stats.totalApiKeys },
] as const satisfies readonly Counter[]

/** Whether nothing has been put here by anybody. */
export const isUntouched = (stats: DashboardStats): boolean =>
  stats.totalPastes + stats.totalFiles + stats.totalApiKeys + stats.totalStorageUsed === 0
