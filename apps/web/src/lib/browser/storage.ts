/** Browser storage that may be blocked or full: reads answer `null`, writes tell whether they worked. */

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

/** A stored JSON value, or `null` when it is missing or broken. The caller checks its shape. */
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
