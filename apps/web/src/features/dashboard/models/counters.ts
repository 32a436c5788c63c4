import type { DashboardStats } from '../api/dashboard.queries.ts'

interface Counter {
  readonly word: 'texts' | 'files' | 'keys' | 'storages' | 'mounts'
  /** The admin module that lists what is counted. */
  readonly module: string
  readonly count: (stats: DashboardStats) => number
}

/** The counters of the dashboard, in order. */
export const COUNTERS = [
  { word: 'texts', module: 'text-management', count: (stats) => stats.totalPastes },
  { word: 'files', module: 'file-management', count: (stats) => stats.totalFiles },
  { word: 'storages', module: 'storage-config', count: (stats) => stats.totalS3Configs },
  { word: 'mounts', module: 'mount-management', count: (stats) => stats.totalMounts },
  { word: 'keys', module: 'key-management', count: (stats) => stats.totalApiKeys },
] as const satisfies readonly Counter[]

/** Whether the server has no text shares, file shares, API keys or stored bytes yet. */
export const isUntouched = (stats: DashboardStats): boolean =>
  stats.totalPastes + stats.totalFiles + stats.totalApiKeys + stats.totalStorageUsed === 0
