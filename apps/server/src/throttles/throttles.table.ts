export interface ThrottlesTable {
  key: string
  count: number
  window_ends_at_ms: number
}
