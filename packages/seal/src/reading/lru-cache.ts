export interface LruCache<Value> {
  get(key: number): Value | undefined
  set(key: number, value: Value): void
  delete(key: number): void
}

export function createLruCache<Value>(max: number): LruCache<Value> {
  // The least recently used key is first, because a map lists its keys in the order of insertion.
  const values = new Map<number, Value>()
  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) {
        values.delete(key)
        values.set(key, value)
      }
      return value
    },
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > max && oldest !== undefined) values.delete(oldest)
    },
    delete: (key) => void values.delete(key),
  }
}
