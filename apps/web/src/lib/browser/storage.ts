/**
 * The browser can block its storage, and the storage can be full. In these cases, reads return `null`, and writes
 * return `false`.
 */

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** `null` removes the key. */
export function writeStored(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** Returns a stored JSON value; `null` if it is missing or malformed. The caller must validate the value. */
export function readStoredJson(key: string): unknown {
  const text = readStored(key)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function storedKeys(): readonly string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
